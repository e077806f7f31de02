import CommandLineArguments
import Geo
import Positioning

/// `doorstep simulate SCENARIO`: makes a trace of a receiver with honest noise.
enum SimulateCommand {
  /// What a trace can be written as.
  enum Format: String, CaseIterable, Sendable { case nmea, gpx, ndjson }

  private static let scenario = Positional<Scenario>.required(
    .choice("SCENARIO"), "what happens")
  private static let seed = Option<Int>.defaulting(
    "seed", .integer("NUMBER"), to: "1", "the noise; the same seed gives the same bytes")
  private static let format = Option<Format>.defaulting(
    "format", .choice("FORMAT"), to: "nmea", "what to write")
  private static let subject = Option<String>.defaulting(
    "subject", .text("NAME"), to: "simulated", "whose fixes NDJSON says they are")

  static let command = Command(
    "simulate", "makes a trace: a route, a receiver's noise, dropouts, drift",
    discussion: "The scenarios:\n"
      + Scenario.allCases.map {
        "  \($0.rawValue.padded(to: 14))\($0.summary)"
      }.joined(separator: "\n"),
    examples: [
      .init("doorstep simulate commute --seed 1 > commute.nmea", "the sample that ships"),
      .init(
        "doorstep simulate edge-walk | doorstep replay --fences fences -",
        "walk along a fence's edge: one arrival, no more"),
    ],
    parameters: [scenario, seed, format, subject]
  ) { arguments in
    let simulation = arguments[scenario].simulation(
      seed: UInt64(bitPattern: Int64(arguments[seed])))
    let name = SubjectID(arguments[subject])
    var output = TraceOutput(format: arguments[format], subject: name)
    for fix in simulation.fixes { try output.write(fix, of: name) }
    try output.finish()
    return ExitCode.done
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
