import CommandLineArguments
import Testing

@Suite struct UsageErrorTests {
  struct Mistake: CustomTestStringConvertible {
    let line: String
    let says: String
    var testDescription: String { line }

    init(_ line: String, _ says: String) {
      self.line = line
      self.says = says
    }
  }

  @Test(arguments: [
    Mistake(
      "check --acuracy 5",
      "'waypoint check' has no option --acuracy. Did you mean --accuracy?"),
    Mistake("check --acc 5", "'waypoint check' has no option --acc. Did you mean --accuracy?"),
    Mistake("check --qxz", "'waypoint check' has no option --qxz."),
    Mistake("check -z", "'waypoint check' has no option -z."),
    Mistake("check -json", "'waypoint check' has no option -s. Did you mean --json?"),
    Mistake("chekc", "'waypoint' has no command 'chekc'. Did you mean check?"),
    Mistake("fences lnt", "'waypoint fences' has no command 'lnt'. Did you mean lint?"),
    Mistake("help nowhere", "'waypoint' has no command 'nowhere'."),
    Mistake("check --lat", "--lat needs a value: a number from -90 to 90."),
    Mistake("check --lat --json", "--lat needs a value: a number from -90 to 90."),
    Mistake(
      "check --lat 1 --tag -x",
      "--tag needs a value: a text that is not empty. If -x is meant as the value, write --tag=-x."),
    Mistake("check --lat 1 --json=yes", "--json takes no value: write --json without '=yes'."),
    Mistake("check --lat north", "--lat: 'north' is not a number from -90 to 90."),
    Mistake("check --lat 90.5", "--lat: '90.5' is not a number from -90 to 90."),
    Mistake("check --lat 48,5", "--lat: '48,5' is not a number from -90 to 90. Did you mean 48.5?"),
    Mistake("check --lat nan", "--lat: 'nan' is not a number from -90 to 90."),
    Mistake("check --lat 1 --accuracy 0", "--accuracy: '0' is not a number above 0."),
    Mistake("check --lat 1 --count 0", "--count: '0' is not a whole number of 1 or more."),
    Mistake("check --lat 1 --count 1.5", "--count: '1.5' is not a whole number of 1 or more."),
    Mistake("check --lat 1 --age 90", "--age: '90' is not a duration such as 90s, 15m, 2h or 30d."),
    Mistake(
      "check --lat 1 --format gpz", "--format: 'gpz' is not nmea, gpx or csv. Did you mean gpx?"),
    Mistake("check", "--lat DEGREES is missing: Degrees north."),
    Mistake("check --lat 1 --lat 2", "--lat is given twice: give it once."),
    Mistake("check --lat 1 5", "'waypoint check' takes no more values, but '5' was given."),
    Mistake("replay", "TRACE... is missing: The recordings."),
    Mistake("mark", "LATITUDE is missing: Where."),
    Mistake("mark here", "LATITUDE: 'here' is not a number."),
    Mistake("mark 1 dock more", "'waypoint mark' takes no more values, but 'more' was given."),
  ])
  func `a mistake is answered with what to type`(mistake: Mistake) throws {
    let error = try #require(throws: UsageError.self) {
      try Sample.program.parse(Sample.words(mistake.line))
    }
    let lines = error.description.split(separator: "\n")
    #expect(lines.first.map(String.init) == mistake.says)
    #expect(lines.last == "See '\(error.path) --help'.")
  }

  @Test func `a missing command is answered with the list of them`() throws {
    let error = try #require(throws: UsageError.self) { try Sample.program.parse(["fences"]) }
    #expect(
      error.description == """
        'waypoint fences' needs a command, one of:
          lint  Finds what's wrong with them.
          list  Shows them.
        See 'waypoint fences --help'.
        """)
  }

  @Test func `a command can refuse arguments that do not go together`() throws {
    let arguments = try #require(try Sample.arguments("fences lint"))
    #expect(
      arguments.doNotFit("--a needs --b: add it.").description == """
        --a needs --b: add it.
        See 'waypoint fences lint --help'.
        """)
  }

  @Test func `an empty word is no value`() {
    #expect(throws: UsageError.self) { try Sample.program.parse(["replay", ""]) }
    #expect(throws: UsageError.self) { try Sample.program.parse(["check", "--lat="]) }
    #expect(throws: UsageError.self) { try Sample.program.parse([""]) }
  }
}
