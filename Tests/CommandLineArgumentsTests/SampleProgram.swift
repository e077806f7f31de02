import CommandLineArguments

/// A program small enough to read and large enough to have every kind of parameter.
enum Sample {
  enum Format: String, CaseIterable, Sendable {
    case nmea
    case gpx
    case csv
  }

  static let database = Option.optional("database", .file(), "Where fences are kept.")
  static let latitude = Option.required(
    "lat", .number("DEGREES", atLeast: -90, atMost: 90), "Degrees north.")
  static let accuracy = Option.optional(
    "accuracy", .number("METERS", above: 0), "The radius that holds the position.")
  static let radius = Option.defaulting(
    "radius", short: "r", .number("METERS", above: 0), to: "200", "How far the fence reaches.")
  static let json = Option.flag("json", short: "j", "Print NDJSON.")
  static let quiet = Option.flag("quiet", short: "q", "Say nothing on standard error.")
  static let tags = Option.repeated("tag", .text("TAG"), "A mark.")
  static let format = Option.optional(
    "format", short: "f", ValueFormat<Format>.choice("FORMAT"), "What the input is.")
  static let age = Option.optional("age", .duration(), "How old a fix may be.")
  static let count = Option.optional("count", .integer("N", atLeast: 1), "How many.")
  static let folder = Option.optional("out", .folder(), "Where results go.")
  static let traces = Positional.repeated(.file("TRACE"), atLeast: 1, "The recordings.")
  static let place = Positional.required(.number("LATITUDE"), "Where.")
  static let note = Positional.optional(.text("NOTE"), "What to remember.")

  static let program = Command(
    "waypoint", "Answers where something is.",
    discussion: "Positions go in, answers come out.",
    examples: [.init("waypoint check --lat 48", "Judges one position.")],
    exitCodes: [.init(0, "done"), .init(2, "wrong usage")], version: "waypoint 1.0",
    options: [database],
    subcommands: [
      Command(
        "check", "Judges one position.",
        parameters: [
          latitude, accuracy, radius, json, quiet, tags, format, age, count, folder,
        ],
        action: { _ in 0 }),
      Command(
        "replay", "Runs recordings through the rules.", parameters: [format, json, traces],
        action: { _ in 0 }),
      Command("mark", "Notes a place.", parameters: [json, place, note], action: { _ in 0 }),
      Command(
        "fences", "Keeps fences.",
        subcommands: [
          Command("lint", "Finds what's wrong with them.", parameters: [json], action: { _ in 1 }),
          Command("list", "Shows them.", action: { _ in 0 }),
        ]),
    ])

  /// The arguments that a line of words gives; nil where it asks for help or a version.
  static func arguments(_ line: String) throws -> Arguments? {
    guard case .run(let arguments) = try program.parse(words(line)) else { return nil }
    return arguments
  }

  static func words(_ line: String) -> [String] { line.split(separator: " ").map(String.init) }
}
