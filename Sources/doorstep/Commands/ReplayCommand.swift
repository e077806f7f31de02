import CommandLineArguments
import Geo
import Geofencing
import Glibc
import JSON
import Positioning

/// `doorstep replay TRACE...`: runs recordings through the engine and tells the events.
enum ReplayCommand {
  private static let traces = Positional<[String]>.repeated(
    .file("TRACE"), atLeast: 1, "recordings, of any format; - is standard input")
  private static let json = Option<Bool>.flag("json", "print events as NDJSON and nothing else")
  private static let expected = Option<String?>.optional(
    "expect", .file("FILE"),
    "compare the events with those of this NDJSON file; end with 1 where they differ")
  private static let speed = Option<Double?>.optional(
    "speed", .number("TIMES", above: 0),
    "replay so many times as fast as it was recorded, not at once")
  private static let eligibilityEvery = Option<Duration?>.optional(
    "eligibility-every", .duration("DURATION"),
    "tell clock eligibility at the nearest store at such moments of the trace")

  static let command = Command(
    "replay", "tells when a recording arrived at which store, and left",
    discussion: """
      The time of the trace is the clock. Each trace is a recording of its own; presence goes on \
      from one to the next where they have the same subject.
      """,
    examples: [
      .init("doorstep replay --fences fences samples/commute.nmea", "a commute, for a person"),
      .init(
        "doorstep replay --fences fences --json monday.gpx > events.ndjson",
        "its events, for a program"),
      .init(
        "doorstep replay --fences fences --expect events.ndjson monday.gpx",
        "has anything changed?"),
    ],
    parameters: [traces] + FenceSource.parameters + TraceOptions.parameters + [
      json, expected, speed, eligibilityEvery,
    ]
  ) { arguments in
    let fences = try FenceSource(arguments).load()
    let expectation = try arguments[expected].map { try ExpectedEvents(path: $0) }
    if arguments[json], arguments[eligibilityEvery] != nil {
      throw CommandFailure.usage("--eligibility-every is for people and does not go with --json")
    }
    if let every = arguments[eligibilityEvery], every < .seconds(1) {
      throw CommandFailure.usage("--eligibility-every must be a second or more")
    }
    var settings = EngineSettings()
    settings.allowsSimulated = TraceOptions(arguments).allowsSimulated
    var replay = ReplayRun(
      engine: PresenceEngine(fences: fences, settings: settings, pastLength: 512),
      output: ReplayOutput(
        asJSON: arguments[json], isQuiet: expectation != nil && !arguments[json],
        followsClock: arguments[speed] != nil),
      pace: arguments[speed].map { ReplayPace(speed: $0) },
      eligibilityEvery: arguments[eligibilityEvery], keepsEvents: expectation != nil)
    for path in arguments[traces] {
      try replay.run(path, options: TraceOptions(arguments))
    }
    try replay.finish()
    guard let expectation else { return ExitCode.done }
    let differences = expectation.differences(from: replay.events)
    let answer =
      differences.isEmpty
      ? ["all \(expectation.count) expected events, and no other"] : differences
    if arguments[json] {
      // Standard output is the events'.
      for line in answer { Diagnostics.note(line) }
    } else {
      try StandardOutput.write(answer.joined(separator: "\n") + "\n")
    }
    return differences.isEmpty ? ExitCode.done : ExitCode.no
  }
}
