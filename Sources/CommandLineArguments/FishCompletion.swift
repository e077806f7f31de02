/// The script for fish 3 or later.
func fishCompletion(program: String, places: [CompletionPlace]) -> String {
  let function = "__\(functionName(of: program))_at"
  let walk = places.dropFirst().map(\.path)
  let skipping = places.flatMap { place in
    place.optionsWithValue.flatMap(\.spellings).map { "\(place.path) \($0)" }
  }
  return """
    # Completion of \(program) for fish. Save it as ~/.config/fish/completions/\(program).fish

    function \(function) --description 'Whether the words typed so far name this command'
        set -l at \(fishQuoted(program))
        set -l skip no
        for word in (commandline -opc)[2..-1]
            if test $skip = yes
                set skip no
                continue
            end
            switch "$at $word"
    \(lines(fishCase(walk, "set at \"$at $word\""), indent: 12))
    \(lines(fishCase(skipping, "set skip yes"), indent: 12))
            end
        end
        test "$at" = "$argv[1]"
    end
    complete -c \(program) -f
    \(lines(places.flatMap { completions($0, program: program, function: function) }, indent: 0))

    """
}

private func fishCase(_ patterns: [String], _ action: String) -> [String] {
  guard !patterns.isEmpty else { return [] }
  return ["case " + patterns.map(fishQuoted).joined(separator: " "), "    " + action]
}

private func completions(
  _ place: CompletionPlace, program: String, function: String
) -> [String] {
  let start = "complete -c \(program) -n \(fishQuoted("\(function) \"\(place.path)\""))"
  let commands = place.command.subcommands.map {
    "\(start) -a \(fishQuoted($0.name)) -d \(fishQuoted($0.summary))"
  }
  let options = place.options.map { option in
    let short = option.short.map { " -s \($0)" } ?? ""
    let value = option.isFlag ? "" : " -r" + offer(option.suggestions)
    return "\(start)\(short) -l \(option.label.dropFirst(2))\(value) "
      + "-d \(fishQuoted(option.summary))"
  }
  let values = place.suggestions == .nothing ? [] : [start + offer(place.suggestions)]
  return commands + options + values
}

private func offer(_ suggestions: ParameterDeclaration.Suggestions) -> String {
  switch suggestions {
  case .nothing: " -f"
  case .files: " -F"
  case .folders: " -f -a '(__fish_complete_directories)'"
  case .words(let words): " -f -a \(fishQuoted(words.joined(separator: " ")))"
  }
}

/// In fish's single quotes only the quote and the backslash are escaped.
private func fishQuoted(_ text: String) -> String {
  "'" + text.map { $0 == "'" || $0 == "\\" ? "\\\($0)" : "\($0)" }.joined() + "'"
}
