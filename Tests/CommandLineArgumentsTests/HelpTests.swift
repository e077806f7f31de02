import CommandLineArguments
import Testing

@Suite struct HelpTests {
  private func help(_ line: String) throws -> String {
    guard case .help(let text) = try Sample.program.parse(Sample.words(line) + ["--help"]) else {
      return ""
    }
    return text
  }

  @Test func `help of a program says what it is for, its commands, examples and exit codes`() throws
  {
    #expect(
      try help("") == """
        Usage: waypoint [OPTIONS] COMMAND

        Answers where something is.

        Positions go in, answers come out.

        Commands:
          check   Judges one position.
          replay  Runs recordings through the rules.
          mark    Notes a place.
          fences  Keeps fences.

        Options:
              --database FILE  Where fences are kept.
          -h, --help           Show this help.
              --version        Show the version.

        Examples:
          waypoint check --lat 48
              Judges one position.

        Exit codes:
          0  done
          2  wrong usage

        'waypoint COMMAND --help' tells more of a command.

        """)
  }

  @Test func `help of a command tells defaults, choices and what is required`() throws {
    #expect(
      try help("check") == """
        Usage: waypoint check --lat DEGREES [OPTIONS]

        Judges one position.

        Options:
              --database FILE    Where fences are kept.
              --lat DEGREES      Degrees north. (required)
              --accuracy METERS  The radius that holds the position.
          -r, --radius METERS    How far the fence reaches. (default: 200)
          -j, --json             Print NDJSON.
          -q, --quiet            Say nothing on standard error.
              --tag TAG          A mark. (may be repeated)
          -f, --format FORMAT    What the input is. (one of nmea, gpx, csv)
              --age DURATION     How old a fix may be.
              --count N          How many.
              --out FOLDER       Where results go.
          -h, --help             Show this help.

        Exit codes:
          0  done
          2  wrong usage

        """)
  }

  @Test func `values stand in the usage as they are to be given`() throws {
    #expect(try help("replay").hasPrefix("Usage: waypoint replay [OPTIONS] TRACE...\n"))
    #expect(try help("mark").hasPrefix("Usage: waypoint mark [OPTIONS] LATITUDE [NOTE]\n"))
    #expect(try help("replay").contains("\nValues:\n  TRACE...  The recordings.\n"))
  }

  @Test func `no line is wider than 80 columns, and lines set apart stay as they are`() throws {
    let long = String(repeating: "many words ", count: 30)
    let program = Command(
      "p", long, discussion: "\(long)\n\n  kept   as it is\n\n\(long)",
      examples: [.init("p", long)],
      parameters: [
        Option.flag("an-option-with-a-name-that-is-longer-than-others", long),
        Option.flag("short", long),
        Option.required("one-that-is-required", .text("A-LONG-PLACEHOLDER"), long),
        Option.required("another-that-is-required", .text("A-LONG-PLACEHOLDER"), long),
        Option.required("third-that-is-required", .text("A-LONG-PLACEHOLDER"), long),
      ], action: { _ in 0 })
    guard case .help(let text) = try program.parse(["--help"]) else { return }
    let lines = text.split(separator: "\n")
    #expect(lines.allSatisfy { $0.count <= 80 })
    #expect(lines.contains("  kept   as it is"))
    #expect(lines.filter { $0.count > 70 }.count > 20)
    #expect(lines.allSatisfy { $0.last != " " })
  }
}
