extension Command {
  /// Reads the words that follow the program's name.
  ///
  /// `--name value`, `--name=value`, `-n value`, `-nvalue` and joined flags `-ab` are understood;
  /// after `--` nothing is an option. A word that begins like a negative number is a value, never an
  /// option. `--help` anywhere, even beside mistakes, and `help COMMAND` ask for help.
  public func parse(_ words: [String]) throws(UsageError) -> Invocation {
    var parser = CommandParser(program: self, words: words)
    do {
      return try parser.parse()
    } catch {
      if parser.isHelpAskedFor { return .help(parser.help) }
      throw error
    }
  }
}

private struct CommandParser {
  private var commands: [Command]
  private var rest: ArraySlice<String>
  private var given: [String: [String]] = [:]
  private var positionals: [String] = []

  init(program: Command, words: [String]) {
    commands = [program]
    rest = words[...]
  }

  private var command: Command { commands[commands.count - 1] }
  private var path: String { commands.map(\.name).joined(separator: " ") }
  private var options: [ParameterDeclaration] { commands.flatMap(\.options) }
  var help: String { HelpText.text(for: commands) }

  /// Whether help is among the words that were not yet read.
  var isHelpAskedFor: Bool {
    rest.prefix { $0 != "--" }.contains { ParameterDeclaration.help.spellings.contains($0) }
  }

  mutating func parse() throws(UsageError) -> Invocation {
    var areOptionsOver = false
    while let word = rest.popFirst() {
      if areOptionsOver || !isOption(word) {
        if word == "help", !command.subcommands.isEmpty { return try helpOnCommand() }
        try takeBare(word)
      } else if word == "--" {
        areOptionsOver = true
      } else if ParameterDeclaration.help.spellings.contains(word) {
        return .help(help)
      } else if word == ParameterDeclaration.version.label, let version = command.version {
        return .version(version)
      } else if word.hasPrefix("--") {
        try takeLong(word)
      } else {
        try takeShort(word)
      }
    }
    return .run(try arguments())
  }

  private func isOption(_ word: String) -> Bool {
    guard word.hasPrefix("-"), let second = word.dropFirst().first else { return false }
    return !second.isNumber && second != "."
  }

  private mutating func helpOnCommand() throws(UsageError) -> Invocation {
    while let word = rest.popFirst() { try descend(to: word) }
    return .help(help)
  }

  private mutating func takeBare(_ word: String) throws(UsageError) {
    if command.subcommands.isEmpty {
      positionals.append(word)
    } else {
      try descend(to: word)
    }
  }

  private mutating func descend(to word: String) throws(UsageError) {
    guard let next = command.subcommand(word) else {
      throw error(
        .unknownCommand(
          word, suggestion: nearestWord(to: word, in: command.subcommands.map(\.name))))
    }
    commands.append(next)
  }

  private mutating func takeLong(_ word: String) throws(UsageError) {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    guard let option = options.first(where: { $0.label == name }) else {
      let known = (options + [.help, .version]).map(\.label)
      throw error(.unknownOption(name, suggestion: nearestWord(to: name, in: known)))
    }
    if parts.count == 1 {
      try take(option, value: option.isFlag ? "" : try nextValue(of: option, as: name))
    } else if option.isFlag {
      throw error(.unexpectedValue(option: name, value: String(parts[1])))
    } else {
      try take(option, value: String(parts[1]))
    }
  }

  private mutating func takeShort(_ word: String) throws(UsageError) {
    var letters = word.dropFirst()
    while let letter = letters.popFirst() {
      guard let option = options.first(where: { $0.short == letter }) else {
        throw error(
          .unknownOption("-\(letter)", suggestion: nearestWord(to: "-" + word, in: allLabels)))
      }
      if option.isFlag {
        try take(option, value: "")
      } else if letters.isEmpty {
        try take(option, value: try nextValue(of: option, as: "-\(letter)"))
      } else {
        try take(option, value: String(letters.first == "=" ? letters.dropFirst() : letters))
        return
      }
    }
  }

  private var allLabels: [String] { options.map(\.label) }

  private mutating func nextValue(
    of option: ParameterDeclaration, as name: String
  ) throws(UsageError) -> String {
    if let next = rest.first, !isOption(next) {
      rest.removeFirst()
      return next
    }
    let next = rest.first { $0 != "--" && !allLabels.contains($0) }
    throw error(
      .missingValue(
        option: name, expectation: option.expectation, next: next == rest.first ? next : nil))
  }

  private mutating func take(_ option: ParameterDeclaration, value: String) throws(UsageError) {
    if !option.isFlag { try check(value, for: option) }
    if given[option.label] != nil, !option.isRepeated, !option.isFlag {
      throw error(.givenTwice(option: option.label))
    }
    given[option.label, default: []].append(value)
  }

  private func check(_ value: String, for parameter: ParameterDeclaration) throws(UsageError) {
    guard !parameter.accepts(value) else { return }
    throw error(
      .invalidValue(
        parameter: parameter.label, found: value, expectation: parameter.expectation,
        suggestion: suggestion(for: value, of: parameter)))
  }

  private func suggestion(for value: String, of parameter: ParameterDeclaration) -> String? {
    if case .words(let words) = parameter.suggestions { return nearestWord(to: value, in: words) }
    let withPoint = String(value.map { $0 == "," ? "." : $0 })
    return parameter.accepts(withPoint) ? withPoint : nil
  }

  private mutating func arguments() throws(UsageError) -> Arguments {
    guard command.action != nil else {
      let summaries = command.subcommands.map { ($0.name, $0.summary) }
      throw error(.missingCommand(commands: Dictionary(uniqueKeysWithValues: summaries)))
    }
    try assignPositionals()
    for parameter in options + command.positionals where parameter.isRequired {
      guard given[parameter.label] == nil else { continue }
      throw error(.missingParameter(usage: parameter.usage, summary: parameter.summary))
    }
    return Arguments(
      command: command, path: path, declared: Set((options + command.positionals).map(\.label)),
      given: given)
  }

  private mutating func assignPositionals() throws(UsageError) {
    var words = positionals[...]
    for positional in command.positionals {
      let count = positional.isRepeated ? words.count : min(1, words.count)
      let own = Array(words.prefix(count))
      words = words.dropFirst(count)
      for word in own { try check(word, for: positional) }
      if case .repeated(let least) = positional.occurrence, own.count < least {
        throw error(.missingParameter(usage: positional.usage, summary: positional.summary))
      }
      if !own.isEmpty { given[positional.label] = own }
    }
    if let surplus = words.first { throw error(.surplusWord(surplus)) }
  }

  private func error(_ reason: UsageError.Reason) -> UsageError {
    UsageError(reason: reason, path: path)
  }
}
