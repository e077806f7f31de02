import Geo

/// Reads fixes from separated values with a header (RFC 4180, and its usual relatives).
///
/// The header's names decide: Doorstep's own (`subject,time,lat,lng,accuracyMeters,...`) and those
/// that loggers and converters use, among them gpsbabel's unicsv, with date and time of day in two
/// columns and hemispheres in columns of their own. Comma, semicolon or tab separate.
///
/// A time is ISO 8601 with a zone, or a number: above 1e11 milliseconds since 1970, else seconds; a
/// column whose name has the unit (`timestamp_ms`, `epochSeconds`) is read in it. A time without a
/// zone is refused unless the header says UTC, or has date and time of day in two columns. A decimal
/// comma is refused by that name and never read as a whole number. An accuracy is in meters; `hdop`
/// gives it where there is none. A speed, course, or altitude that can't be read is unknown.
public struct FixCSVDecoder: FixDecoder {
  private let userRangeError: Distance
  private var phase = Phase.header(line: [], isFirst: true)
  private var position = InputPosition()
  private var isAfterCR = false
  private var times = LooseTimeReader()

  private enum Phase: Sendable {
    case header(line: [UInt8], isFirst: Bool)
    case records(CSVRecordReader, FixCSVColumns)
    /// The header is not that of fixes, so nothing below it can be read.
    case over
  }

  /// - Parameter userRangeError: What one of HDOP is in meters, for the receiver of the trace.
  public init(userRangeError: Distance = .meters(5)) { self.userRangeError = userRangeError }

  public mutating func decode(_ bytes: UnsafeRawBufferPointer, into output: inout [Decoded]) {
    var index = 0
    readHeader(bytes, at: &index, into: &output)
    guard case .records(var reader, let columns) = phase else { return }
    phase = .over
    while let event = reader.next(in: bytes, at: &index) {
      output.append(decoded(event, of: reader, columns))
    }
    phase = .records(reader, columns)
  }

  public mutating func finish(into output: inout [Decoded]) {
    if case .header(let line, _) = phase, !line.isEmpty { endHeader(line, into: &output) }
    if case .header = phase {
      output.append(
        .dropped(Dropped(reason: .unknownFormat, position: position, detail: "there is no header")))
    }
    guard case .records(var reader, let columns) = phase else { return }
    phase = .over
    if let event = reader.finish() { output.append(decoded(event, of: reader, columns)) }
  }
}

// The header: the first line that is neither blank nor a comment.
extension FixCSVDecoder {
  private mutating func readHeader(
    _ bytes: UnsafeRawBufferPointer, at index: inout Int, into output: inout [Decoded]
  ) {
    guard case .header(var line, var isFirst) = phase else { return }
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      let isRestOfLineEnd = byte == .lineFeed && isAfterCR
      isAfterCR = byte == .carriageReturn
      position.advance(over: byte, isRestOfLineEnd: isRestOfLineEnd)
      if isRestOfLineEnd { continue }
      guard byte == .lineFeed || byte == .carriageReturn else {
        line.append(byte)
        if isFirst, line == [0xef, 0xbb, 0xbf] {
          line = []
          isFirst = false
          position.column = 1
        }
        guard line.count <= CSVRecordReader.longestRecord else {
          return refuse("the first line is longer than 64 KiB", at: position.line, into: &output)
        }
        continue
      }
      isFirst = false
      let isBlankOrComment = line.first { !$0.isBlank }.map { $0 == UInt8(ascii: "#") } ?? true
      if isBlankOrComment {
        line = []
      } else {
        return endHeader(line, into: &output)
      }
    }
    phase = .header(line: line, isFirst: isFirst)
  }

  private mutating func endHeader(_ line: [UInt8], into output: inout [Decoded]) {
    let (separator, columns) = FixCSVColumns.header(line)
    let headerLine = position.column == 1 ? position.line - 1 : position.line
    guard columns.havePosition else {
      return refuse(
        "the header has no columns for latitude and longitude", at: headerLine, into: &output)
    }
    guard columns.haveTime else {
      return refuse("the header has no column for the time", at: headerLine, into: &output)
    }
    let reader = CSVRecordReader(separator: separator, at: position, isAfterCR: isAfterCR)
    phase = .records(reader, columns)
  }

  private mutating func refuse(_ detail: String, at line: Int, into output: inout [Decoded]) {
    phase = .over
    output.append(
      .dropped(
        Dropped(
          reason: .unknownFormat, position: InputPosition(byteOffset: 0, line: line), detail: detail
        )))
  }
}

// The records.
extension FixCSVDecoder {
  private mutating func decoded(
    _ event: CSVRecordReader.Event, of reader: CSVRecordReader, _ columns: FixCSVColumns
  ) -> Decoded {
    switch event {
    case .record: decodedRecord(of: reader, columns)
    case .tooLong(let position):
      .dropped(
        Dropped(
          reason: .lineTooLong, position: position,
          detail: "a record of more than 64 KiB or 1000 fields"))
    case .quoteNotClosed(let position):
      .dropped(
        Dropped(reason: .truncated, position: position, detail: "this quote is never closed"))
    }
  }

  private mutating func decodedRecord(
    of reader: CSVRecordReader, _ columns: FixCSVColumns
  ) -> Decoded {
    let roles = columns.roles
    for field in roles.count..<max(roles.count, reader.fieldCount)
    where !reader.range(ofField: field).isEmpty {
      return .dropped(
        Dropped(
          reason: .malformed, position: reader.position(ofField: field),
          detail: "\(reader.fieldCount) fields where the header has \(roles.count)"))
    }
    var draft = FixDraft()
    var parts = Parts()
    for field in 0..<min(roles.count, reader.fieldCount) {
      guard let role = roles[field] else { continue }
      let range = reader.range(ofField: field)
      parts.ranges(role, range)
      note(reader.text.span.extracting(range), as: role, columns, in: &draft)
    }
    parts.finish(&draft, text: reader.text.span, times: &times)
    let wrong = roles.firstIndex { role in role.map(draft.isWrong) ?? false }
    let place = wrong.map { $0 < reader.fieldCount ? $0 : 0 } ?? 0
    return draft.decoded(at: reader.position(ofField: place), userRangeError: userRangeError)
  }

  private mutating func note(
    _ text: Span<UInt8>, as role: FixCSVColumns.Role, _ columns: FixCSVColumns,
    in draft: inout FixDraft
  ) {
    switch role {
    case .subject, .name:
      let subject = text.trimmed
      if !subject.isEmpty { draft.subject = SubjectID(subject) }
    case .time(let unit): draft.time = time(text, unit: unit, assumingUTC: columns.isInUTC)
    case .latitude: draft.latitude = NumberReading(text)
    case .longitude: draft.longitude = NumberReading(text)
    case .accuracy: draft.accuracy = NumberReading(text)
    case .hdop: draft.hdop = NumberReading(text).value
    case .altitude: draft.altitudeInMeters = NumberReading(text).value
    case .speed(let unit):
      draft.speedInMetersPerSecond = NumberReading(text).value.map { $0 * unit.rawValue }
    case .course: draft.courseInDegrees = NumberReading(text).value
    case .source: draft.source = Fix.Source(rawValue: text.trimmedLowercase) ?? draft.source
    case .simulated: note(simulated: text.trimmedLowercase, in: &draft)
    case .fixKind: note(fixKind: text.trimmedLowercase, in: &draft)
    case .date, .timeOfDay, .northSouth, .eastWest: break
    }
  }

  private mutating func time(
    _ text: Span<UInt8>, unit: EpochUnit, assumingUTC: Bool
  ) -> TimeReading {
    let number = NumberReading(text)
    if number != .notANumber { return TimeReading(number, unit: unit) }
    return times.read(text, assumingUTC: assumingUTC)
  }

  private func note(simulated text: String, in draft: inout FixDraft) {
    switch text {
    case "true", "1", "yes": draft.isSimulated = true
    case "false", "0", "no", "": break
    default: draft.otherProblems.append("simulated is neither true nor false")
    }
  }

  private func note(fixKind text: String, in draft: inout FixDraft) {
    switch text {
    case "none", "no fix", "nofix", "invalid": draft.saysNoFix = true
    case "dgps": draft.source = draft.source ?? .differentialGPS
    case "2d", "3d", "pps", "sps": draft.source = draft.source ?? .gps
    default: break
    }
  }
}

/// The columns that say something only together with another.
private struct Parts {
  private var date: Range<Int>?
  private var timeOfDay: Range<Int>?
  private var northSouth: Range<Int>?
  private var eastWest: Range<Int>?

  mutating func ranges(_ role: FixCSVColumns.Role, _ range: Range<Int>) {
    switch role {
    case .date: date = range
    case .timeOfDay: timeOfDay = range
    case .northSouth: northSouth = range
    case .eastWest: eastWest = range
    default: break
    }
  }

  func finish(_ draft: inout FixDraft, text: Span<UInt8>, times: inout LooseTimeReader) {
    if let date, let timeOfDay {
      draft.time = times.read(
        date: text.extracting(date), timeOfDay: text.extracting(timeOfDay))
    }
    if let northSouth {
      draft.latitude.apply(
        hemisphere: text.extracting(northSouth), positive: "n", negative: "s")
    }
    if let eastWest {
      draft.longitude.apply(hemisphere: text.extracting(eastWest), positive: "e", negative: "w")
    }
  }
}

extension NumberReading {
  /// Takes the sign from a letter; a number that has a sign of its own beside it is refused.
  fileprivate mutating func apply(hemisphere: Span<UInt8>, positive: String, negative: String) {
    guard case .value(let value) = self else { return }
    switch hemisphere.trimmedLowercase {
    case "": return
    case positive where value >= 0: return
    case negative where value >= 0: self = .value(-value)
    default: self = .notANumber
    }
  }
}

extension FixDraft {
  /// Whether the field of this role makes the draft no fix.
  fileprivate func isWrong(_ role: FixCSVColumns.Role) -> Bool {
    switch role {
    case .latitude: !(abs(latitude.value ?? .infinity) <= 90)
    case .longitude: !(abs(longitude.value ?? .infinity) <= 180)
    case .accuracy: accuracy.valueOrNaN.map { !($0 >= 0) } ?? false
    case .time, .date: if case .value = time { false } else { true }
    default: false
    }
  }
}
