import Foundation

/// The built `doorstep`, run as its users run it.
public enum Program {
  /// What a run ended with.
  public struct Result: Sendable {
    public let exitCode: Int32
    public let output: String
    public let errors: String

    /// The lines of standard output.
    public var lines: [String] {
      output.split(separator: "\n", omittingEmptySubsequences: true).map(String.init)
    }
  }

  /// The program beside the tests in the build folder.
  public static var url: URL {
    URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "doorstep")
  }

  /// Runs the program to its end. `environment` is all that it sees, beside a PATH.
  public static func run(
    _ arguments: [String], input: String = "", environment: [String: String] = [:]
  ) throws -> Result {
    let process = Process()
    process.executableURL = url
    process.arguments = arguments
    process.environment = ["PATH": "/usr/bin:/bin", "NO_COLOR": "1"].merging(environment) { $1 }
    let (standardInput, output, errors) = (Pipe(), Pipe(), Pipe())
    process.standardInput = standardInput
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    // All three at once, so that no pipe fills while another is waited for.
    let reading = DispatchGroup()
    let collected = Collected()
    for (pipe, isOutput) in [(output, true), (errors, false)] {
      DispatchQueue.global().async(group: reading) {
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        collected.set(data, isOutput: isOutput)
      }
    }
    signal(SIGPIPE, SIG_IGN)
    try? standardInput.fileHandleForWriting.write(contentsOf: Data(input.utf8))
    try? standardInput.fileHandleForWriting.close()
    process.waitUntilExit()
    reading.wait()
    return Result(
      exitCode: process.terminationStatus, output: collected.output, errors: collected.errors)
  }

  /// `@unchecked`: both halves are behind the one lock.
  private final class Collected: @unchecked Sendable {
    private let lock = NSLock()
    private var data: [Bool: Data] = [:]

    func set(_ value: Data, isOutput: Bool) { lock.withLock { data[isOutput] = value } }
    var output: String { text(true) }
    var errors: String { text(false) }

    private func text(_ isOutput: Bool) -> String {
      lock.withLock { String(decoding: data[isOutput] ?? Data(), as: UTF8.self) }
    }
  }
}
