import Foundation

/// A program that runs beside a test, and ends with it: at the latest after a minute, even where
/// the test itself died.
public final class ChildProgram {
  /// The file that holds what it printed.
  public let output: URL
  private var process: pid_t

  /// Starts `name`: a path, or what is found along PATH and in the folders of system programs.
  public init(_ name: String, _ arguments: [String]) throws {
    let folders =
      (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
      + ["/usr/sbin", "/usr/local/sbin", "/sbin"]
    let places = name.contains("/") ? [name] : folders.map { "\($0)/\(name)" }
    guard let path = places.first(where: { FileManager.default.isExecutableFile(atPath: $0) })
    else {
      throw PeerError(
        "\(name) is not installed, and this test runs the real one: tools/test installs it")
    }
    output = FileManager.default.temporaryDirectory.appending(path: "doorstep-\(UUID()).out")
    process = try Self.spawn(
      ["/usr/bin/timeout", "--kill-after=1", "60", path] + arguments, output: output.path)
  }

  deinit {
    stop()
    try? FileManager.default.removeItem(at: output)
  }

  /// Ends the program and waits for its end.
  public func stop() {
    guard isRunning else { return }
    Glibc.kill(process, SIGTERM)
    for attempt in 0..<3000 where isRunning {
      if attempt == 2000 { Glibc.kill(process, SIGKILL) }
      usleep(1000)
    }
  }

  /// Ends the program as a power cut does, and waits for its end.
  public func kill() {
    guard isRunning else { return }
    // The program is the only child of the one that ends it after a minute.
    for child in childProcesses() { Glibc.kill(child, SIGKILL) }
    for _ in 0..<5000 where isRunning { usleep(1000) }
  }

  private func childProcesses() -> [pid_t] {
    let path = "/proc/\(process)/task/\(process)/children"
    let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    return text.split(separator: " ").compactMap { pid_t($0) }
  }

  public var isRunning: Bool {
    if process > 0, waitpid(process, nil, WNOHANG) != 0 { process = -1 }
    return process > 0
  }

  /// The whole lines that it has printed so far.
  public var lines: [Substring] {
    let text = (try? String(contentsOf: output, encoding: .utf8)) ?? ""
    // By scalars: to characters, a carriage return and line feed are one.
    return text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      .map(Substring.init)
  }

  private static func spawn(_ command: [String], output: String) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(
      &actions, STDOUT_FILENO, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
    // The test runner's threads may have blocked signals that end a program.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    var arguments: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) } + [nil]
    defer { arguments.forEach { free($0) } }
    var process: pid_t = 0
    let code = posix_spawn(&process, command[0], &actions, &attributes, &arguments, environ)
    guard code == 0 else { throw PeerError("\(command): \(String(cString: strerror(code)))") }
    return process
  }
}
