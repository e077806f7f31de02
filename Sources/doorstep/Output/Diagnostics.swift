import CommandLineArguments
import Glibc

/// What people read beside the answer, on standard error.
enum Diagnostics {
  /// Says what went wrong, with the program's name before it.
  static func complain(_ message: String) {
    write("doorstep: \(message)")
  }

  /// Says something that is no fault.
  static func note(_ message: String) {
    write(message)
  }

  private static func write(_ message: String) {
    write(Array((message + "\n").utf8))
  }

  /// Writes a line that is whole.
  static func write(_ bytes: [UInt8]) {
    // There is nobody left to tell where this fails.
    _ = bytes.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }

  static var environment: [String: String] {
    var environment: [String: String] = [:]
    for name in ["NO_COLOR", "TERM", "HOME", "XDG_DATA_HOME", "TZ"] {
      if let value = getenv(name) { environment[name] = String(cString: value) }
    }
    return environment
  }

  /// The colors of a stream: none unless it is a terminal that wants them.
  static func style(of descriptor: Int32) -> TerminalStyle {
    TerminalStyle(fileDescriptor: descriptor, environment: environment)
  }
}
