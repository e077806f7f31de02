/// A shell for which completion can be made.
public enum Shell: String, CaseIterable, Sendable {
  case bash
  case zsh
  case fish
}

extension Command {
  /// A script that teaches a shell to complete this program's commands, options and values.
  ///
  /// Each script says at its top how it is installed.
  public func completionScript(for shell: Shell) -> String {
    let places = CompletionPlace.all(of: self)
    return switch shell {
    case .bash: bashCompletion(program: name, places: places)
    case .zsh: zshCompletion(program: name, places: places)
    case .fish: fishCompletion(program: name, places: places)
    }
  }
}

/// What can be typed after the words that name a command.
struct CompletionPlace {
  /// The words, as `doorstep fences lint`.
  let path: String
  let command: Command
  /// Its own options and those of the commands above it.
  let options: [ParameterDeclaration]

  static func all(of program: Command) -> [CompletionPlace] {
    all(below: program, path: program.name, inherited: [])
  }

  private static func all(
    below command: Command, path: String, inherited: [ParameterDeclaration]
  ) -> [CompletionPlace] {
    let options = inherited + command.options
    let place = CompletionPlace(
      path: path, command: command, options: options + HelpText.builtIn(command))
    return [place]
      + command.subcommands.flatMap {
        all(below: $0, path: "\(path) \($0.name)", inherited: options)
      }
  }

  /// The options that a value follows.
  var optionsWithValue: [ParameterDeclaration] { options.filter { !$0.isFlag } }

  /// What the positionals can be: the first that a shell can say anything about.
  var suggestions: ParameterDeclaration.Suggestions {
    command.positionals.map(\.suggestions).first { $0 != .nothing } ?? .nothing
  }
}

/// A shell function's name for a program's.
func functionName(of program: String) -> String {
  String(program.map { $0.isLetter || $0.isNumber ? $0 : "_" })
}

/// A text in single quotes, as the shells of the Bourne family read it.
func quoted(_ text: String) -> String {
  "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#)
    + "'"
}
