import CommandLineArguments
import Glibc

/// The program: reads the command line, runs the command, and turns what goes wrong into a message
/// and an exit code.
@main
enum Doorstep {
  static func main() async {
    // A reader that goes away, as `| head` does, ends a write with an error instead of a signal.
    signal(SIGPIPE, SIG_IGN)
    exit(await run(Array(CommandLine.arguments.dropFirst())))
  }

  private static func run(_ words: [String]) async -> Int32 {
    do {
      switch try CommandTree.root.parse(words) {
      case .help(let text), .version(let text):
        try StandardOutput.write(text + "\n")
        return ExitCode.done
      case .run(let arguments):
        guard let action = arguments.command.action else { return ExitCode.usage }
        return try await action(arguments)
      }
    } catch let error as UsageError {
      Diagnostics.complain("\(error)")
      return ExitCode.usage
    } catch let error as CommandFailure {
      if let message = error.message { Diagnostics.complain(message) }
      return error.exitCode
    } catch {
      Diagnostics.complain("\(error)")
      return ExitCode.outside
    }
  }
}
