import CommandLineArguments
import Testing

@Suite struct CommandParserTests {
  @Test(arguments: [
    "check --lat -45.4", "check --lat=-45.4", "check --json --lat -45.4 -q",
    "check -jq --lat -45.4",
    "--database x check --lat -45.4", "check --lat=-45.4 --database=x",
  ])
  func `a value follows its option or an equals sign, and may be negative`(line: String) throws {
    let arguments = try #require(try Sample.arguments(line))
    #expect(arguments[Sample.latitude] == -45.4)
    #expect(arguments.path == "waypoint check")
  }

  @Test(arguments: [
    ("-r 5", 5), ("-r5", 5), ("-r=5", 5), ("-jr5", 5), ("--radius 5", 5), ("", 200),
  ])
  func `a short option takes its value in any usual way, and a default where absent`(
    line: String, radius: Double
  ) throws {
    let arguments = try #require(try Sample.arguments("check --lat 1 " + line))
    #expect(arguments[Sample.radius] == radius)
  }

  @Test func `what is absent is nil, false or empty`() throws {
    let arguments = try #require(try Sample.arguments("check --lat 1"))
    #expect(arguments[Sample.accuracy] == nil)
    #expect(arguments[Sample.format] == nil)
    #expect(arguments[Sample.database] == nil)
    #expect(!arguments[Sample.json])
    #expect(arguments[Sample.tags].isEmpty)
  }

  @Test func `every kind of value is read as its type`() throws {
    let line =
      "check --lat 1e1 --accuracy 8 --tag a --tag b --format gpx --age 1h30m --count 3 --json --json"
    let arguments = try #require(try Sample.arguments(line))
    #expect(arguments[Sample.latitude] == 10)
    #expect(arguments[Sample.accuracy] == 8)
    #expect(arguments[Sample.tags] == ["a", "b"])
    #expect(arguments[Sample.format] == .gpx)
    #expect(arguments[Sample.age] == .seconds(5400))
    #expect(arguments[Sample.count] == 3)
    #expect(arguments[Sample.json])
  }

  @Test func `after two hyphens nothing is an option`() throws {
    let arguments = try #require(try Sample.arguments("replay a.log -- --json -x"))
    #expect(arguments[Sample.traces] == ["a.log", "--json", "-x"])
    #expect(!arguments[Sample.json])
  }

  @Test func `one hyphen alone is a value`() throws {
    let arguments = try #require(try Sample.arguments("replay - --json"))
    #expect(arguments[Sample.traces] == ["-"])
    #expect(arguments[Sample.json])
  }

  @Test func `a negative number can be a positional, and an optional one may follow`() throws {
    let alone = try #require(try Sample.arguments("mark -45.4"))
    #expect(alone[Sample.place] == -45.4)
    #expect(alone[Sample.note] == nil)
    let both = try #require(try Sample.arguments("mark -.5 dock --json"))
    #expect(both[Sample.place] == -0.5)
    #expect(both[Sample.note] == "dock")
  }

  @Test func `a command is found below another`() throws {
    let arguments = try #require(try Sample.arguments("fences lint --json"))
    #expect(arguments.path == "waypoint fences lint")
    #expect(arguments.command.name == "lint")
    #expect(arguments[Sample.json])
  }

  @Test func `the found command does what it was given`() async throws {
    let arguments = try #require(try Sample.arguments("fences lint"))
    let action = try #require(arguments.command.action)
    #expect(try await action(arguments) == 1)
  }

  @Test(arguments: [
    ("--help", "Usage: waypoint "), ("-h", "Usage: waypoint "), ("help", "Usage: waypoint "),
    ("check --help", "Usage: waypoint check "), ("help check", "Usage: waypoint check "),
    ("fences --help", "Usage: waypoint fences "),
    ("help fences lint", "Usage: waypoint fences lint"),
    ("fences help lint", "Usage: waypoint fences lint"),
    ("check --lat --help", "Usage: waypoint check "),
    ("check --nonsense --help", "Usage: waypoint check "),
  ])
  func `help is given at every level, even beside mistakes`(line: String, start: String) throws {
    guard case .help(let text) = try Sample.program.parse(Sample.words(line)) else {
      Issue.record("no help")
      return
    }
    #expect(text.hasPrefix(start))
  }

  @Test func `help after two hyphens is a value`() throws {
    let arguments = try #require(try Sample.arguments("replay -- --help"))
    #expect(arguments[Sample.traces] == ["--help"])
  }

  @Test func `the version is told by the program alone`() throws {
    guard case .version(let text) = try Sample.program.parse(["--version"]) else {
      Issue.record("no version")
      return
    }
    #expect(text == "waypoint 1.0")
    #expect(throws: UsageError.self) { try Sample.program.parse(["check", "--version"]) }
  }
}
