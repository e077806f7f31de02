/// The script for zsh 5 or later.
///
/// The variable is not called `path`, for that is zsh's own name for `PATH`.
func zshCompletion(program: String, places: [CompletionPlace]) -> String {
  let function = "_" + functionName(of: program)
  return """
    #compdef \(program)
    # Completion of \(program) for zsh. Save it as \(function) in a folder of $fpath,
    # or write in ~/.zshrc, after compinit: source <(\(program) completion zsh)

    \(function)() {
      local at=\(quoted(program)) previous=${words[CURRENT-1]}
      local -i index
      local -a entries
      for ((index = 2; index < CURRENT; index++)); do
        case "$at ${words[index]}" in
    \(lines(walk(places), indent: 6))
        esac
      done
      if [[ ${words[CURRENT]} == --*=* ]]; then
        previous=${words[CURRENT]%%=*}
        compset -P '*='
      fi
      case "$at $previous" in
    \(lines(places.flatMap(values), indent: 4))
      esac
      case "$at" in
    \(lines(places.flatMap(bareWords), indent: 4))
      esac
    }
    if [[ ${funcstack[1]} == \(function) ]]; then
      \(function) "$@"
    else
      compdef \(function) \(program)
    fi

    """
}

private func walk(_ places: [CompletionPlace]) -> [String] {
  let commands = places.dropFirst().map { "(\(quoted($0.path))) at=\(quoted($0.path)) ;;" }
  let skipping = places.flatMap { place in
    place.optionsWithValue.flatMap(\.spellings).map { quoted("\(place.path) \($0)") }
  }
  guard !skipping.isEmpty else { return commands }
  return commands + ["(\(skipping.joined(separator: "|"))) index+=1 ;;"]
}

private func values(_ place: CompletionPlace) -> [String] {
  place.optionsWithValue.map { option in
    let patterns = option.spellings.map { quoted("\(place.path) \($0)") }.joined(separator: "|")
    return "(\(patterns)) \(offer(option.suggestions)); return ;;"
  }
}

private func bareWords(_ place: CompletionPlace) -> [String] {
  let commands = place.command.subcommands
  let options = place.options.map { entry($0.label, $0.summary) }.joined(separator: " ")
  let others =
    if commands.isEmpty {
      offer(place.suggestions)
    } else {
      "entries=(\(commands.map { entry($0.name, $0.summary) }.joined(separator: " "))); "
        + "_describe command entries"
    }
  return [
    "(\(quoted(place.path)))",
    "  if [[ ${words[CURRENT]} == -* ]]; then entries=(\(options)); _describe option entries; "
      + "else \(others); fi",
    "  ;;",
  ]
}

private func entry(_ name: String, _ summary: String) -> String {
  quoted("\(name):\(summary)")
}

private func offer(_ suggestions: ParameterDeclaration.Suggestions) -> String {
  switch suggestions {
  case .nothing: ":"
  case .files: "_files"
  case .folders: "_files -/"
  case .words(let words): "compadd -- \(words.map(quoted).joined(separator: " "))"
  }
}
