/// What one command line asks for.
public enum Invocation: Sendable {
  /// To run a command with arguments that are all as declared.
  case run(Arguments)
  /// To print this help.
  case help(String)
  /// To print this version.
  case version(String)
}

/// What was given to a command; every value is there and as declared, so reading cannot fail.
public struct Arguments: Sendable {
  /// The command that was named.
  public let command: Command
  /// The words that name it, as `doorstep fences lint`.
  public let path: String
  let declared: Set<String>
  let given: [String: [String]]

  /// The value of an option, or its default.
  ///
  /// Traps where the command does not declare the option.
  public subscript<Value>(option: Option<Value>) -> Value {
    value(of: option.declaration, read: option.read)
  }

  /// The value of a positional.
  ///
  /// Traps where the command does not declare it.
  public subscript<Value>(positional: Positional<Value>) -> Value {
    value(of: positional.declaration, read: positional.read)
  }

  /// The error that these arguments do not go together; `text` says what to type.
  public func doNotFit(_ text: String) -> UsageError {
    UsageError(reason: .doNotFit(text), path: path)
  }

  private func value<Value>(
    of declaration: ParameterDeclaration, read: ([String]) -> Value?
  ) -> Value {
    let label = declaration.label
    precondition(declared.contains(label), "'\(path)' does not declare \(label)")
    guard let value = read(given[label] ?? []) else {
      preconditionFailure("\(label) of '\(path)' is declared twice, in different ways")
    }
    return value
  }
}
