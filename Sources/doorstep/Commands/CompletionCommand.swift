import CommandLineArguments

/// `doorstep completion SHELL`: prints what makes a shell complete our commands.
enum CompletionCommand {
  private static let shell = Positional<Shell>.required(
    .choice("SHELL"), "the shell to complete in")

  static let command = Command(
    "completion", "prints a script that makes a shell complete doorstep's commands",
    examples: [
      .init("source <(doorstep completion bash)", "in this bash"),
      .init(
        "doorstep completion fish > ~/.config/fish/completions/doorstep.fish", "in every new fish"),
    ],
    parameters: [shell]
  ) { arguments in
    try StandardOutput.write(CommandTree.root.completionScript(for: arguments[shell]))
    return ExitCode.done
  }
}
