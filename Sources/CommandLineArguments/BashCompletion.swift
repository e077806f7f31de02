/// The script for bash 4 or later.
///
/// Readline breaks words at `=`, so that `--name=value` comes as three words.
func bashCompletion(program: String, places: [CompletionPlace]) -> String {
  let function = "_" + functionName(of: program)
  return """
    # Completion of \(program) for bash. Save it as
    # ~/.local/share/bash-completion/completions/\(program)
    # or write in ~/.bashrc: source <(\(program) completion bash)

    \(function)() {
      local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
      local at=\(quoted(program)) kind= words= index
      if [[ $current == = ]]; then
        current=
      elif [[ $previous == = ]] && ((COMP_CWORD > 1)); then
        previous=${COMP_WORDS[COMP_CWORD - 2]}
      fi
      for ((index = 1; index < COMP_CWORD; index++)); do
        case "$at ${COMP_WORDS[index]}" in
    \(lines(walk(places), indent: 6))
        esac
      done
      case "$at $previous" in
    \(lines(places.flatMap(values), indent: 4))
      *)
        case "$at" in
    \(lines(places.map(bareWords), indent: 4))
        esac
        ;;
      esac
      COMPREPLY=()
      case $kind in
      files) mapfile -t COMPREPLY < <(compgen -f -- "$current") ;;
      folders) mapfile -t COMPREPLY < <(compgen -d -- "$current") ;;
      words) mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current") ;;
      esac
      if [[ $kind == files || $kind == folders ]]; then compopt -o filenames 2>/dev/null; fi
    }
    complete -F \(function) \(program)

    """
}

/// Cases that follow the words already typed to the command that they name.
private func walk(_ places: [CompletionPlace]) -> [String] {
  let commands = places.dropFirst().map { "\(quoted($0.path))) at=\(quoted($0.path)) ;;" }
  let skipping = places.flatMap { place in
    place.optionsWithValue.flatMap(\.spellings).map { quoted("\(place.path) \($0)") }
  }
  guard !skipping.isEmpty else { return commands }
  return commands + [
    skipping.joined(separator: " | ") + ")",
    "  if [[ ${COMP_WORDS[index + 1]} == = ]]; then index=$((index + 2)); else index=$((index + 1)); fi",
    "  ;;",
  ]
}

/// Cases for the word after an option that takes a value.
private func values(_ place: CompletionPlace) -> [String] {
  place.optionsWithValue.map { option in
    let patterns = option.spellings.map { quoted("\(place.path) \($0)") }.joined(separator: " | ")
    return "\(patterns)) \(choice(option.suggestions)) ;;"
  }
}

/// The case for a word that is no option's value.
private func bareWords(_ place: CompletionPlace) -> String {
  let options = place.options.map(\.label).joined(separator: " ")
  let commands = place.command.subcommands.map(\.name)
  let others = commands.isEmpty ? place.suggestions : .words(commands + ["help"])
  return
    "\(quoted(place.path))) if [[ $current == -* ]]; then kind=words words=\(quoted(options)); "
    + "else \(choice(others)); fi ;;"
}

private func choice(_ suggestions: ParameterDeclaration.Suggestions) -> String {
  switch suggestions {
  case .nothing: "kind="
  case .files: "kind=files"
  case .folders: "kind=folders"
  case .words(let words): "kind=words words=\(quoted(words.joined(separator: " ")))"
  }
}

func lines(_ lines: [String], indent: Int) -> String {
  lines.map { String(repeating: " ", count: indent) + $0 }.joined(separator: "\n")
}
