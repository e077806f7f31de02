/// A program, or one of its commands, as a value: what it is called, takes and does.
///
/// Parsing, help and shell completion all come from the same tree, so they cannot disagree.
public struct Command: Sendable {
  /// A line to type and what it gives.
  public struct Example: Sendable {
    public let line: String
    public let explanation: String

    public init(_ line: String, _ explanation: String) {
      self.line = line
      self.explanation = explanation
    }
  }

  /// A status that the program ends with, and what it tells a script.
  public struct ExitCode: Sendable {
    public let code: Int32
    public let meaning: String

    public init(_ code: Int32, _ meaning: String) {
      self.code = code
      self.meaning = meaning
    }
  }

  /// Does what the command is for and returns the exit code.
  public typealias Action = @Sendable (Arguments) async throws -> Int32

  public let name: String
  /// One line, as it stands in the list of commands.
  public let summary: String
  /// Paragraphs with a blank line between them; a line that begins with a space is kept as it is.
  public let discussion: String
  public let examples: [Example]
  /// Shown in the help of this command and of all below it.
  public let exitCodes: [ExitCode]
  /// What `--version` prints; nil where that is no option here.
  public let version: String?
  public let subcommands: [Command]
  /// Nil for a command that only holds others.
  public let action: Action?
  let options: [ParameterDeclaration]
  let positionals: [ParameterDeclaration]

  /// Makes a command that does something.
  ///
  /// Traps where two options have one name, or where a positional follows one that may be absent or
  /// repeated and so could never be told from it.
  public init(
    _ name: String, _ summary: String, discussion: String = "", examples: [Example] = [],
    exitCodes: [ExitCode] = [], version: String? = nil, parameters: [any Parameter] = [],
    action: @escaping Action
  ) {
    self.name = name
    self.summary = summary
    self.discussion = discussion
    self.examples = examples
    self.exitCodes = exitCodes
    self.version = version
    self.subcommands = []
    self.action = action
    options = parameters.map(\.declaration).filter(\.isOption)
    positionals = parameters.map(\.declaration).filter { !$0.isOption }
    checkOptions()
    precondition(
      Set(positionals.map(\.label)).count == positionals.count,
      "two values of '\(name)' have one name")
    for positional in positionals.dropLast() {
      precondition(
        positional.occurrence == .required,
        "\(positional.label) of '\(name)' may be absent or repeated, so it must come last")
    }
  }

  /// Makes a command that holds others; its options may be given to each of them.
  public init(
    _ name: String, _ summary: String, discussion: String = "", examples: [Example] = [],
    exitCodes: [ExitCode] = [], version: String? = nil, options: [any Parameter] = [],
    subcommands: [Command]
  ) {
    self.name = name
    self.summary = summary
    self.discussion = discussion
    self.examples = examples
    self.exitCodes = exitCodes
    self.version = version
    self.subcommands = subcommands
    self.action = nil
    self.options = options.map(\.declaration)
    positionals = []
    precondition(
      self.options.allSatisfy(\.isOption), "'\(name)' holds commands: it can have no positional")
    precondition(
      Set(subcommands.map(\.name)).count == subcommands.count,
      "two commands of '\(name)' have one name")
    checkOptions()
  }

  private func checkOptions() {
    let names = options.map(\.label) + options.compactMap { $0.short.map { "-\($0)" } }
    precondition(Set(names).count == names.count, "two options of '\(name)' have one name")
    precondition(
      !names.contains { ["--help", "-h", "--version"].contains($0) },
      "'\(name)' declares an option that every command has")
  }

  func subcommand(_ name: String) -> Command? { subcommands.first { $0.name == name } }
}
