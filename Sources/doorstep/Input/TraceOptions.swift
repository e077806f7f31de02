import CommandLineArguments
import Geo
import Positioning

/// How a command reads traces.
struct TraceOptions {
  private static let subjectName = Option<String?>.optional(
    "subject", .text("NAME"), "whose fixes they are where the trace does not say; else its file's")
  private static let date = Option<Timestamp?>.optional(
    "date", .date, "the day of a trace that never gives a date; else its file's last change")
  private static let talker = Option<NMEATalker?>.optional(
    "talker", .talker, "read only this NMEA talker, as GP, where receivers share a line")
  private static let rangeError = Option<Double>.defaulting(
    "range-error", .number("METERS", above: 0), to: "5",
    "accuracy is HDOP times this, where HDOP is all")
  private static let simulated = Option<Bool>.flag(
    "allow-simulated", "count positions that are flagged as simulated")

  static let parameters: [any Parameter] = [subjectName, date, talker, rangeError, simulated]

  /// Whose fixes they are, where that was said.
  let subject: SubjectID?
  let allowsSimulated: Bool
  private let reference: Timestamp?
  /// Whether the user gave the day of a trace that has none.
  var isDateGiven: Bool { reference != nil }
  private let settings: NMEADecoder.Settings

  init(_ arguments: Arguments) {
    subject = arguments[TraceOptions.subjectName].map { SubjectID($0) }
    allowsSimulated = arguments[TraceOptions.simulated]
    reference = arguments[TraceOptions.date]
    settings = NMEADecoder.Settings(
      userRangeError: .meters(arguments[TraceOptions.rangeError]),
      acceptsSimulated: allowsSimulated, talker: arguments[TraceOptions.talker])
  }

  /// Reads a trace to its end and gives what it holds to `body`, in order.
  func read(_ path: String, _ body: (Decoded) throws -> Void) throws {
    let source = TraceSource(argument: path)
    // A pipe has no last change; what comes through one is most likely of today.
    let reference = reference ?? (source == .standardInput ? .now : nil)
    var refusal: Dropped?
    let format: TraceFormat?
    do {
      format = try TraceReader(nmea: settings).read(source, reference: reference) { decoded in
        if case .dropped(let dropped) = decoded, refusal == nil || dropped.reason == .unknownFormat
        {
          refusal = dropped
        }
        try body(decoded)
      }
    } catch let error as TraceError {
      throw CommandFailure.badInput("\(error)")
    }
    // A format that was promised by the name alone is none either.
    if format == nil || refusal?.reason == .unknownFormat {
      throw CommandFailure.badInput("\(path): \(refusal?.detail ?? "no trace")")
    }
  }
}

extension ValueFormat where Value == Timestamp {
  /// A day, as its noon in UTC.
  fileprivate static var date: Self {
    Self("YYYY-MM-DD", expectation: "a date such as 2026-03-02") {
      try? Timestamp(iso8601: $0 + "T12:00:00Z")
    }
  }
}

extension ValueFormat where Value == NMEATalker {
  fileprivate static var talker: Self {
    Self("TALKER", expectation: "two letters such as GP") { NMEATalker($0) }
  }
}
