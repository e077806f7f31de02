import CommandLineArguments
import Foundation
import Testing

/// What a program wrote on standard output, given a script on standard input.
private func output(of shell: String, _ arguments: [String], script: String, in folder: URL) throws
  -> [String]
{
  let process = Process()
  process.executableURL = URL(filePath: shell)
  process.arguments = arguments
  process.currentDirectoryURL = folder
  let input = Pipe()
  let output = Pipe()
  process.standardInput = input
  process.standardOutput = output
  process.standardError = output
  try process.run()
  try input.fileHandleForWriting.write(contentsOf: Data(script.utf8))
  try input.fileHandleForWriting.close()
  let data = try output.fileHandleForReading.readToEnd() ?? Data()
  process.waitUntilExit()
  return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
}

/// A folder with the files that completion may offer.
private func folderOfTraces() throws -> URL {
  let folder = FileManager.default.temporaryDirectory.appending(path: "completion-\(UUID())")
  try FileManager.default.createDirectory(
    at: folder.appending(path: "track folder"), withIntermediateDirectories: true)
  for name in ["track one.nmea", "track2.gpx", "other.txt"] {
    try Data().write(to: folder.appending(path: name))
  }
  return folder
}

@Suite struct CompletionTests {
  struct Case: CustomTestStringConvertible {
    /// The words as readline splits them, the last of which is to be completed.
    let words: [String]
    let offers: [String]
    var testDescription: String { words.joined(separator: " ") }

    init(_ line: String, _ offers: [String]) {
      words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
      self.offers = offers
    }
  }

  static let cases = [
    Case("waypoint ", ["check", "fences", "help", "mark", "replay"]),
    Case("waypoint re", ["replay"]),
    Case("waypoint --", ["--database", "--help", "--version"]),
    Case("waypoint fences ", ["help", "lint", "list"]),
    Case("waypoint fences lint --j", ["--json"]),
    Case("waypoint check --a", ["--accuracy", "--age"]),
    Case("waypoint check --d", ["--database"]),
    Case("waypoint check --format ", ["csv", "gpx", "nmea"]),
    Case("waypoint check -f g", ["gpx"]),
    Case("waypoint check --format = g", ["gpx"]),
    Case("waypoint check --format =", ["csv", "gpx", "nmea"]),
    Case("waypoint check --lat ", []),
    Case("waypoint check --tag fences --j", ["--json"]),
    Case("waypoint --database fences re", ["replay"]),
    Case("waypoint --database = fences re", ["replay"]),
    Case("waypoint replay tr", ["track folder", "track one.nmea", "track2.gpx"]),
    Case("waypoint check --out tr", ["track folder"]),
    Case("waypoint check --database o", ["other.txt"]),
    Case("waypoint mark ", []),
  ]

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/bin/bash")), arguments: cases)
  func `bash completes commands, options, choices, files and folders`(sample: Case) throws {
    let folder = try folderOfTraces()
    defer { try? FileManager.default.removeItem(at: folder) }
    let words = sample.words.map { "'\($0)'" }.joined(separator: " ")
    let script = """
      \(Sample.program.completionScript(for: .bash))
      complete -p waypoint > /dev/null || exit 1
      COMP_WORDS=(\(words)) COMP_CWORD=\(sample.words.count - 1)
      $(complete -p waypoint | sed 's/.*-F \\([^ ]*\\).*/\\1/')
      printf '%s\\n' "${COMPREPLY[@]}"
      """
    let offered = try output(
      of: "/bin/bash", ["--norc", "--noprofile", "-s"], script: script, in: folder)
    #expect(offered.sorted() == sample.offers)
  }

  @Test(
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/fish")),
    arguments: [
      ("waypoint re", ["replay"]), ("waypoint fences li", ["lint", "list"]),
      ("waypoint check --format g", ["gpx"]), ("waypoint check --ac", ["--accuracy"]),
      ("waypoint check --tag fences --js", ["--json"]),
    ])
  func `fish completes commands, options and choices`(line: String, offers: [String]) throws {
    let folder = try folderOfTraces()
    defer { try? FileManager.default.removeItem(at: folder) }
    let script = Sample.program.completionScript(for: .fish) + "\ncomplete -C '\(line)'\n"
    let offered = try output(of: "/usr/bin/fish", ["--no-config"], script: script, in: folder)
    #expect(offered.compactMap { $0.split(separator: "\t").first.map(String.init) } == offers)
  }

  @Test(arguments: Shell.allCases)
  func `every script knows every command and option`(shell: Shell) {
    let script = Sample.program.completionScript(for: shell)
    for word in ["check", "replay", "lint", "accuracy", "database", "version", "nmea"] {
      #expect(script.contains(word))
    }
  }

  /// The shells of this machine, of which there is always one where the tests run.
  static let shells = [(Shell.bash, "/bin/bash"), (.zsh, "/usr/bin/zsh"), (.fish, "/usr/bin/fish")]
    .filter { FileManager.default.isExecutableFile(atPath: $0.1) }

  @Test(arguments: shells)
  func `a shell finds no fault in its script`(shell: Shell, path: String) throws {
    let folder = FileManager.default.temporaryDirectory
    let file = folder.appending(path: "completion-\(UUID())")
    try Data(Sample.program.completionScript(for: shell).utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    #expect(try output(of: path, ["-n", file.path], script: "", in: folder).isEmpty)
  }
}
