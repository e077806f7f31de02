import Geo
import JSON

/// Reads fixes from NDJSON: one object a line, with the names that `FixNDJSONWriter` writes.
///
/// `time`, `lat` and `lng` are needed. A time is ISO 8601 with a zone, or a number: above 1e11
/// milliseconds since 1970, else seconds. Numbers are JSON numbers: a text is none, not even one
/// that holds a number. Every wrong field is named. Absent and `null` are unknown; fields of other
/// names are ignored. Blank lines are passed over, and lines over 1 MiB up to their end.
public struct FixNDJSONDecoder: FixDecoder {
  private var lines = LineSplitter(limit: 1 << 20)
  private var parser = JSONParser()
  private var phase = Phase.beforeFirstLine

  private enum Phase { case beforeFirstLine, lines, over }

  public init() {}

  public mutating func decode(_ bytes: UnsafeRawBufferPointer, into output: inout [Decoded]) {
    var index = 0
    while phase != .over, let line = lines.nextLine(in: bytes, at: &index) {
      switch line {
      case .within(let range):
        read(UnsafeRawBufferPointer(rebasing: bytes[range]), into: &output)
      case .held: readHeld(into: &output)
      case .tooLong:
        output.append(
          .dropped(
            Dropped(
              reason: .lineTooLong, position: lines.position, detail: "a line longer than 1 MiB")))
      }
    }
  }

  public mutating func finish(into output: inout [Decoded]) {
    if phase != .over, lines.finish() { readHeld(into: &output) }
    phase = .over
  }

  private mutating func readHeld(into output: inout [Decoded]) {
    let lines = lines
    lines.withHeld { read($0, into: &output) }
  }

  private mutating func read(_ line: UnsafeRawBufferPointer, into output: inout [Decoded]) {
    guard let first = line.firstNonBlank else { return }
    defer { if phase == .beforeFirstLine { phase = .lines } }
    if phase == .beforeFirstLine, first == UInt8(ascii: "[") {
      phase = .over
      let dropped = Dropped(
        reason: .unknownFormat, position: lines.position,
        detail: "a JSON array; write one fix a line, without brackets and commas")
      return output.append(.dropped(dropped))
    }
    do throws(JSONSyntaxError) {
      output.append(decoded(try parser.parse(line)))
    } catch {
      output.append(.dropped(Dropped(error, inLineAt: lines.position)))
    }
  }

  private func decoded(_ value: JSONValue) -> Decoded {
    guard value.kind == .object else {
      return .dropped(
        Dropped(
          reason: .malformed, position: lines.position, detail: "an object {...} belongs here"))
    }
    var draft = FixDraft()
    let latitude = value["lat"]
    let longitude = value["lng"]
    let accuracy = value["accuracyMeters"]
    let time = value["time"]
    draft.latitude = NumberReading(latitude)
    draft.longitude = NumberReading(longitude)
    draft.accuracy = NumberReading(accuracy)
    draft.time = TimeReading(time, unit: .bySize)
    draft.speedInMetersPerSecond = draft.number("speedMetersPerSecond", of: value)
    draft.courseInDegrees = draft.number("courseDegrees", of: value)
    draft.altitudeInMeters = draft.number("altitudeMeters", of: value)
    draft.note(subject: value["subject"])
    draft.note(source: value["source"])
    draft.note(simulated: value["simulated"])
    return draft.decoded(
      at: lines.position, userRangeError: HorizontalAccuracy.usualUserRangeError)
  }
}

extension FixDraft {
  fileprivate mutating func number(_ name: StaticString, of object: JSONValue) -> Double? {
    switch NumberReading(object[name]) {
    case .missing: return nil
    case .value(let number): return number
    case .decimalComma, .notANumber:
      otherProblems.append("\(name) is not a number")
      return nil
    }
  }

  fileprivate mutating func note(subject: JSONValue?) {
    guard let subject, !subject.isNull else { return }
    guard let text = subject.string else { return otherProblems.append("subject is not a text") }
    if !text.isEmpty { self.subject = SubjectID(text) }
  }

  fileprivate mutating func note(source: JSONValue?) {
    guard let source, !source.isNull else { return }
    guard let text = source.string else { return otherProblems.append("source is not a text") }
    self.source = Fix.Source(rawValue: text)
  }

  fileprivate mutating func note(simulated: JSONValue?) {
    guard let simulated, !simulated.isNull else { return }
    guard let isSimulated = simulated.bool else {
      return otherProblems.append("simulated is neither true nor false")
    }
    self.isSimulated = isSimulated
  }
}
