/// Reads and writes instants as ISO 8601 (RFC 3339, and XML Schema's `dateTime`) has them.
extension Timestamp: CustomStringConvertible {
  /// The instant as `2026-03-02T08:58:41.000Z`.
  public var description: String {
    String(unsafeUninitializedCapacity: 24) { text in
      write(to: text)
      return 24
    }
  }

  /// Appends the description to bytes, without making a string.
  package func append(to bytes: inout [UInt8]) {
    let start = bytes.count
    bytes.append(contentsOf: repeatElement(0, count: 24))
    bytes.withUnsafeMutableBufferPointer { write(to: .init(rebasing: $0[start...])) }
  }

  private func write(to text: UnsafeMutableBufferPointer<UInt8>) {
    let day = Int(millisecondsSince1970.dividedFlooring(by: 86_400_000))
    let date = CivilDate(daysSince1970: day)
    let millisecondOfDay = Int(millisecondsSince1970 - Int64(day) * 86_400_000)
    func put(_ value: Int, at index: Int, digits: Int) {
      var rest = value
      for place in stride(from: index + digits - 1, through: index, by: -1) {
        text[place] = UInt8(48 + rest % 10)
        rest /= 10
      }
    }
    put(date.year, at: 0, digits: 4)
    text[4] = UInt8(ascii: "-")
    put(date.month, at: 5, digits: 2)
    text[7] = UInt8(ascii: "-")
    put(date.day, at: 8, digits: 2)
    text[10] = UInt8(ascii: "T")
    put(millisecondOfDay / 3_600_000, at: 11, digits: 2)
    text[13] = UInt8(ascii: ":")
    put(millisecondOfDay / 60_000 % 60, at: 14, digits: 2)
    text[16] = UInt8(ascii: ":")
    put(millisecondOfDay / 1000 % 60, at: 17, digits: 2)
    text[19] = UInt8(ascii: ".")
    put(millisecondOfDay % 1000, at: 20, digits: 3)
    text[23] = UInt8(ascii: "Z")
  }

  /// What an ISO 8601 text lacks to be an instant.
  public enum ISO8601Problem: Error, Equatable, Sendable {
    /// Not of the form `YYYY-MM-DDThh:mm:ss[.fraction](Z|±hh:mm)`, or a field out of its range.
    case malformed
    /// Well formed, but with neither `Z` nor an offset, so it names no instant.
    case timeZoneMissing
  }

  /// Reads `YYYY-MM-DDThh:mm[:ss[.fraction]](Z|±hh[:]mm|±hh)`; a space may stand for the `T`.
  ///
  /// The fraction may have any number of digits and is rounded to the millisecond. The second may be
  /// 60 and is then read as the first instant of the next minute; the hour may be 24 where all that
  /// follows is zero (XML Schema).
  public init(iso8601 text: some StringProtocol) throws(ISO8601Problem) {
    var text = String(text)
    let result: Result<Timestamp, ISO8601Problem> = text.withUTF8 { bytes in
      var scanner = ISO8601Scanner(bytes: bytes)
      return scanner.scan()
    }
    self = try result.get()
  }

  /// Reads the same from bytes that are ASCII where they are right.
  public init(iso8601 bytes: UnsafeBufferPointer<UInt8>) throws(ISO8601Problem) {
    var scanner = ISO8601Scanner(bytes: bytes)
    self = try scanner.scan().get()
  }
}

private struct ISO8601Scanner {
  let bytes: UnsafeBufferPointer<UInt8>
  var index = 0

  init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  mutating func scan() -> Result<Timestamp, Timestamp.ISO8601Problem> {
    guard
      let year = number(digits: 4), skip("-"), let month = number(digits: 2), skip("-"),
      let day = number(digits: 2), let date = CivilDate(year: year, month: month, day: day),
      skip("T") || skip("t") || skip(" "),
      let hour = number(digits: 2), skip(":"), let minute = number(digits: 2), minute < 60
    else { return .failure(.malformed) }
    var second = 0
    var millisecond = 0
    if skip(":") {
      guard let read = number(digits: 2), read <= 60 else { return .failure(.malformed) }
      second = read
      if skip(".") || skip(",") {
        guard let fraction = fractionInMilliseconds() else { return .failure(.malformed) }
        millisecond = fraction
      }
    }
    guard hour < 24 || (hour == 24 && minute == 0 && second == 0 && millisecond == 0) else {
      return .failure(.malformed)
    }
    if index == bytes.count { return .failure(.timeZoneMissing) }
    guard let offset = offsetInMinutes(), index == bytes.count else { return .failure(.malformed) }
    let minutes = (date.daysSince1970 * 24 + hour) * 60 + minute - offset
    let timestamp = Timestamp(
      millisecondsSince1970: Int64(minutes) * 60_000 + Int64(second * 1000 + millisecond))
    guard timestamp >= .earliest, timestamp <= .latest else { return .failure(.malformed) }
    return .success(timestamp)
  }

  private mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard index < bytes.count, bytes[index] == UInt8(ascii: character) else { return false }
    index += 1
    return true
  }

  private mutating func digit() -> Int? {
    guard index < bytes.count, (48...57).contains(bytes[index]) else { return nil }
    defer { index += 1 }
    return Int(bytes[index] - 48)
  }

  private mutating func number(digits: Int) -> Int? {
    var value = 0
    for _ in 0..<digits {
      guard let digit = digit() else { return nil }
      value = value * 10 + digit
    }
    return value
  }

  /// One digit or more, rounded half up to milliseconds; 1000 where it rounds to a whole second.
  private mutating func fractionInMilliseconds() -> Int? {
    guard let first = digit() else { return nil }
    var value = first
    var places = 1
    while let next = digit() {
      if places < 4 {
        value = value * 10 + next
        places += 1
      }
    }
    while places < 4 {
      value *= 10
      places += 1
    }
    return (value + 5) / 10
  }

  private mutating func offsetInMinutes() -> Int? {
    if skip("Z") || skip("z") { return 0 }
    let sign: Int
    if skip("+") { sign = 1 } else if skip("-") { sign = -1 } else { return nil }
    guard let hours = number(digits: 2), hours <= 23 else { return nil }
    if index == bytes.count { return sign * hours * 60 }
    _ = skip(":")
    guard let minutes = number(digits: 2), minutes < 60 else { return nil }
    return sign * (hours * 60 + minutes)
  }
}

extension Int64 {
  /// The quotient rounded towards negative infinity; `divisor` is positive.
  func dividedFlooring(by divisor: Int64) -> Int64 {
    let quotient = self / divisor
    return self % divisor < 0 ? quotient - 1 : quotient
  }
}
