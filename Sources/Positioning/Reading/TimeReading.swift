import Geo

/// What a text or number is that should be a time.
enum TimeReading: Equatable, Sendable {
  case missing
  case value(Timestamp)
  case malformed
  /// A date and time without `Z` or offset, so that it names no instant.
  case timeZoneMissing
}

/// The unit of a number that counts from 1970-01-01T00:00:00Z.
enum EpochUnit: Sendable {
  case seconds
  case milliseconds
  /// Numbers above 1e11 are milliseconds, the others seconds: 1e11 seconds are past the year 5000,
  /// and 1e11 milliseconds before April 1973.
  case bySize
}

extension TimeReading {
  /// Reads a finite number of seconds or milliseconds, rounded to the millisecond.
  init(epoch number: Double, unit: EpochUnit) {
    let isMilliseconds = unit == .milliseconds || (unit == .bySize && abs(number) > 1e11)
    guard
      let time = Timestamp(secondsSince1970: isMilliseconds ? number / 1000 : number)
    else {
      self = .malformed
      return
    }
    self = .value(time)
  }

  init(_ number: NumberReading, unit: EpochUnit) {
    switch number {
    case .missing: self = .missing
    case .value(let value): self.init(epoch: value, unit: unit)
    case .decimalComma, .notANumber: self = .malformed
    }
  }

  /// Reads ISO 8601 with blanks around it.
  init(iso8601 text: Span<UInt8>) {
    var start = 0
    var end = text.count
    while start < end, text[start].isBlank { start += 1 }
    while end > start, text[end - 1].isBlank { end -= 1 }
    guard start < end else {
      self = .missing
      return
    }
    self = text.extracting(start..<end).withUnsafeBufferPointer { bytes in
      do throws(Timestamp.ISO8601Problem) {
        return .value(try Timestamp(iso8601: bytes))
      } catch {
        return error == .timeZoneMissing ? .timeZoneMissing : .malformed
      }
    }
  }
}

/// Reads dates and times that need a change to be ISO 8601; keeps its buffer from one to the next.
struct LooseTimeReader: Sendable {
  private var text: [UInt8] = []

  /// The longest time that is looked at, well above any real one.
  static let longestText = 64

  /// Reads one text, in UTC where it has no zone and `assumingUTC` is set.
  ///
  /// `2014/04/03` is read as `2014-04-03`.
  mutating func read(_ time: Span<UInt8>, assumingUTC: Bool) -> TimeReading {
    text.removeAll(keepingCapacity: true)
    guard appendTrimmed(time) else { return .malformed }
    return readText(assumingUTC: assumingUTC)
  }

  /// Reads a date and a time of day from two texts, in UTC where the time has no zone.
  mutating func read(date: Span<UInt8>, timeOfDay: Span<UInt8>) -> TimeReading {
    text.removeAll(keepingCapacity: true)
    guard appendTrimmed(date) else { return .malformed }
    if text.isEmpty { return .missing }
    let dateLength = text.count
    text.append(UInt8(ascii: "T"))
    guard appendTrimmed(timeOfDay) else { return .malformed }
    if text.count == dateLength + 1 { return .missing }
    return readText(assumingUTC: true)
  }

  private mutating func readText(assumingUTC: Bool) -> TimeReading {
    for index in text.indices.prefix(8) where text[index] == UInt8(ascii: "/") {
      text[index] = UInt8(ascii: "-")
    }
    let reading = TimeReading(iso8601: text.span)
    guard reading == .timeZoneMissing, assumingUTC else { return reading }
    text.append(UInt8(ascii: "Z"))
    return TimeReading(iso8601: text.span)
  }

  private mutating func appendTrimmed(_ piece: Span<UInt8>) -> Bool {
    guard piece.count <= LooseTimeReader.longestText else { return false }
    var end = piece.count
    while end > 0, piece[end - 1].isBlank { end -= 1 }
    var start = 0
    while start < end, piece[start].isBlank { start += 1 }
    for index in start..<end { text.append(piece[index]) }
    return true
  }
}
