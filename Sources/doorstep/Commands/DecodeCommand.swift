import CommandLineArguments
import Geo
import Positioning

/// `doorstep decode TRACE...`: turns recordings of any format into fixes.
enum DecodeCommand {
  private static let traces = Positional<[String]>.repeated(
    .file("TRACE"), atLeast: 1, "recordings, of any format; - is standard input")
  private static let format = Option<SimulateCommand.Format>.defaulting(
    "format", .choice("FORMAT"), to: "ndjson", "what to write")
  private static let quiet = Option<Bool>.flag(
    "quiet", "do not sum up on standard error what was read and dropped")

  static let command = Command(
    "decode", "turns a recording of any format into fixes",
    discussion: """
      Prints a fix a line as NDJSON, or writes GPX or NMEA. A summary on standard error says what was \
      passed over, how often, and where first.
      """,
    examples: [
      .init("doorstep decode receiver.log > fixes.ndjson", "NMEA to NDJSON"),
      .init("doorstep decode --format gpx receiver.log > track.gpx", "NMEA to GPX"),
    ],
    parameters: [traces, format, quiet] + TraceOptions.parameters
  ) { arguments in
    let options = TraceOptions(arguments)
    var output = TraceOutput(
      format: arguments[format],
      subject: options.subject ?? TraceSource(argument: arguments[traces][0]).defaultSubject)
    for path in arguments[traces] {
      let fallback = options.subject ?? TraceSource(argument: path).defaultSubject
      var summary = DecodeSummary(name: path, isDateGiven: options.isDateGiven)
      do {
        try options.read(path) { decoded in
          summary.note(decoded)
          if case .fix(let found) = decoded {
            try output.write(found.fix, of: found.subject ?? fallback)
          }
        }
      } catch {
        // What was read so far is right, and is given.
        try output.flush()
        throw error
      }
      try output.flush()
      if !arguments[quiet] { for line in summary.lines { Diagnostics.note(line) } }
    }
    try output.finish()
    if output.unwritable > 0 {
      Diagnostics.note(
        "\(output.unwritable) fixes are left out: NMEA has years of two digits, 1980 to 2079")
    }
    return ExitCode.done
  }
}
