/// What is wrong with a command line; its description says what to type instead.
public struct UsageError: Error, Equatable, CustomStringConvertible {
  public enum Reason: Equatable, Sendable {
    /// A command was to follow; `commands` are the names of those there are, each with its summary.
    case missingCommand(commands: [String: String])
    case unknownCommand(String, suggestion: String?)
    case unknownOption(String, suggestion: String?)
    /// An option stands at the end, or before another option.
    case missingValue(option: String, expectation: String, next: String?)
    /// A flag was given a value.
    case unexpectedValue(option: String, value: String)
    case invalidValue(parameter: String, found: String, expectation: String, suggestion: String?)
    case missingParameter(usage: String, summary: String)
    /// An option that has one value was given twice.
    case givenTwice(option: String)
    case surplusWord(String)
    /// Each is right and they do not go together, as the command itself found: `--lat needs --lng`.
    case doNotFit(String)
  }

  public let reason: Reason
  /// The command as far as it was understood, as `doorstep fences`.
  public let path: String

  public var description: String {
    text + "\nSee '\(path) --help'."
  }

  private var text: String {
    switch reason {
    case .missingCommand(let commands):
      let names = commands.keys.sorted()
      let rows = names.map { HelpText.Row(label: $0, text: commands[$0] ?? "") }
      return "'\(path)' needs a command, one of:\n" + HelpText.table(rows)
    case .unknownCommand(let word, let suggestion):
      return "'\(path)' has no command '\(word)'." + didYouMean(suggestion)
    case .unknownOption(let option, let suggestion):
      return "'\(path)' has no option \(option)." + didYouMean(suggestion)
    case .missingValue(let option, let expectation, let next):
      let text = "\(option) needs a value: \(expectation)."
      guard let next else { return text }
      return text + " If \(next) is meant as the value, write \(option)=\(next)."
    case .unexpectedValue(let option, let value):
      return "\(option) takes no value: write \(option) without '=\(value)'."
    case .invalidValue(let parameter, let found, let expectation, let suggestion):
      return "\(parameter): '\(found)' is not \(expectation)." + didYouMean(suggestion)
    case .missingParameter(let usage, let summary):
      return "\(usage) is missing: \(summary)"
    case .givenTwice(let option):
      return "\(option) is given twice: give it once."
    case .surplusWord(let word):
      return "'\(path)' takes no more values, but '\(word)' was given."
    case .doNotFit(let text):
      return text
    }
  }

  private func didYouMean(_ suggestion: String?) -> String {
    suggestion.map { " Did you mean \($0)?" } ?? ""
  }
}
