/// The help of a command: how it is written, what it does, what it takes, examples, exit codes.
enum HelpText {
  static let width = 80

  /// The help of the last of `commands`, which are those that name it, the program first.
  static func text(for commands: [Command]) -> String {
    guard let command = commands.last else { return "" }
    let path = commands.map(\.name).joined(separator: " ")
    let options = commands.flatMap(\.options) + builtIn(command)
    var sections = [usage(of: command, path: path, options: options), wrap(command.summary)]
    if !command.discussion.isEmpty { sections.append(wrap(command.discussion)) }
    if !command.subcommands.isEmpty {
      let rows = command.subcommands.map { Row(label: $0.name, text: $0.summary) }
      sections.append("Commands:\n" + table(rows))
    }
    if !command.positionals.isEmpty {
      sections.append("Values:\n" + table(command.positionals.map(row)))
    }
    sections.append("Options:\n" + table(options.map(row)))
    if !command.examples.isEmpty {
      sections.append("Examples:\n" + command.examples.map(example).joined(separator: "\n"))
    }
    let exitCodes = commands.flatMap(\.exitCodes)
    if !exitCodes.isEmpty {
      let rows = exitCodes.map { Row(label: "\($0.code)", text: $0.meaning) }
      sections.append("Exit codes:\n" + table(rows))
    }
    if !command.subcommands.isEmpty {
      sections.append("'\(path) COMMAND --help' tells more of a command.")
    }
    return sections.joined(separator: "\n\n") + "\n"
  }

  /// The options that a command has without declaring them.
  static func builtIn(_ command: Command) -> [ParameterDeclaration] {
    command.version == nil ? [.help] : [.help, .version]
  }

  private static func usage(
    of command: Command, path: String, options: [ParameterDeclaration]
  ) -> String {
    var words = options.filter(\.isRequired).map(\.usage)
    if options.contains(where: { !$0.isRequired }) { words.append("[OPTIONS]") }
    if !command.subcommands.isEmpty { words.append("COMMAND") }
    words += command.positionals.map { $0.isRequired ? $0.usage : "[\($0.usage)]" }
    let start = "Usage: \(path)"
    let indent = String(repeating: " ", count: min(start.count + 1, 24))
    return fill(words, after: start, indent: indent)
  }

  private static func row(_ parameter: ParameterDeclaration) -> Row {
    var label = parameter.usage
    if parameter.isOption {
      label = (parameter.short.map { "-\($0), " } ?? "    ") + label
    }
    var notes: [String] = []
    if case .words(let words) = parameter.suggestions {
      notes.append("one of " + words.joined(separator: ", "))
    }
    if let text = parameter.defaultText { notes.append("default: \(text)") }
    if parameter.isOption, parameter.isRequired { notes.append("required") }
    if parameter.isOption, parameter.isRepeated { notes.append("may be repeated") }
    let text = parameter.summary + (notes.isEmpty ? "" : " (\(notes.joined(separator: "; ")))")
    return Row(label: label, text: text)
  }

  private static func example(_ example: Command.Example) -> String {
    "  \(example.line)\n" + wrap(example.explanation, indent: "      ")
  }

  struct Row {
    let label: String
    let text: String
  }

  /// Labels in a column and their texts beside them; below them where a label is too long.
  static func table(_ rows: [Row]) -> String {
    let widest = rows.map { displayWidth($0.label) }.max() ?? 0
    let column = min(widest, 26) + 4
    let indent = String(repeating: " ", count: column)
    return rows.map { row in
      let text = wrap(row.text, indent: indent)
      let used = displayWidth(row.label) + 2
      if used + 2 > column { return "  \(row.label)\n\(text)" }
      return "  \(row.label)" + text.dropFirst(used)
    }.joined(separator: "\n")
  }

  /// Fills paragraphs to the width; a line that begins with a space stays as it is.
  static func wrap(_ text: String, indent: String = "") -> String {
    var lines: [String] = []
    var paragraph: [String] = []
    func endParagraph() {
      guard let first = paragraph.first else { return }
      lines.append(fill(paragraph.dropFirst(), after: indent + first, indent: indent))
      paragraph = []
    }
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.isEmpty || line.hasPrefix(" ") {
        endParagraph()
        lines.append(line.isEmpty ? "" : indent + line)
      } else {
        paragraph += line.split(separator: " ").map(String.init)
      }
    }
    endParagraph()
    return lines.joined(separator: "\n")
  }

  /// Fills lines with words, which are never broken; `indent` begins each line but the first.
  private static func fill(_ words: some Sequence<String>, after start: String, indent: String)
    -> String
  {
    var text = start
    var used = displayWidth(start)
    for word in words {
      let length = displayWidth(word)
      if used + 1 + length > width {
        text += "\n" + indent + word
        used = indent.count + length
      } else {
        text += " " + word
        used += 1 + length
      }
    }
    return text
  }
}
