import Foundation

/// Starts this test run again in a process of its own, with one test only, and more to its
/// environment.
func startTestRun(only test: String, environment: [String: String]) throws -> Process {
  let onlyForTheWhole = ["--filter", "--skip", "--xunit-output", "--event-stream-output-path"]
  let own = FileManager.default.contents(atPath: "/proc/self/cmdline") ?? Data()
  var arguments = own.split(separator: 0, omittingEmptySubsequences: false).dropLast()
    .map { String(decoding: $0, as: UTF8.self) }
  while let index = arguments.firstIndex(where: { onlyForTheWhole.contains($0) }) {
    arguments.removeSubrange(index...index + 1)
  }
  let process = Process()
  process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
  process.arguments = arguments.dropFirst() + ["--filter", test]
  process.environment = ProcessInfo.processInfo.environment.merging(
    environment, uniquingKeysWith: { $1 })
  process.standardOutput = FileHandle.nullDevice
  process.standardError = FileHandle.nullDevice
  try process.run()
  return process
}
