import CommandLineArguments

/// What the program ends with, for scripts.
enum ExitCode {
  static let done: Int32 = 0
  /// The answer is no.
  static let no: Int32 = 1
  static let usage: Int32 = 2
  static let badInput: Int32 = 3
  /// A device, the network, the disk or another program failed.
  static let outside: Int32 = 4

  /// What help says of them.
  static let documented = [
    Command.ExitCode(done, "done"),
    Command.ExitCode(no, "the answer is no: not eligible, findings, other events than expected"),
    Command.ExitCode(usage, "wrong usage"),
    Command.ExitCode(badInput, "input that cannot be read"),
    Command.ExitCode(outside, "a device, the network or the disk failed"),
  ]
}

/// Why a command cannot go on, and the code that says so to scripts.
struct CommandFailure: Error {
  let exitCode: Int32
  /// What a person reads on standard error; nil where there is nothing to say.
  let message: String?

  /// Input that cannot be read.
  static func badInput(_ message: String) -> CommandFailure {
    CommandFailure(exitCode: ExitCode.badInput, message: message)
  }

  /// Something outside of the program failed.
  static func outside(_ message: String) -> CommandFailure {
    CommandFailure(exitCode: ExitCode.outside, message: message)
  }

  /// Arguments that are each right but cannot stand together.
  static func usage(_ message: String) -> CommandFailure {
    CommandFailure(exitCode: ExitCode.usage, message: message)
  }

  /// Whoever read our output has gone, and needs no message.
  static let readerGone = CommandFailure(exitCode: ExitCode.done, message: nil)
}
