/// Appends JSON to a buffer of bytes, members in the order of the calls.
///
/// Numbers are the shortest text that reads back as the same double, without `.0` for whole ones;
/// commas are written where they belong.
///
///     var line = JSONWriter()
///     line.object {
///       $0.member("event", "entered")
///       $0.member("distanceMeters", 12.3)
///     }
///     line.endLine()
public struct JSONWriter: Sendable {
  /// What was written so far.
  public private(set) var bytes: [UInt8] = []

  public init() {}

  /// What was written so far, as text.
  public var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Forgets what was written and keeps its room for the next line.
  public mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  /// Ends a line, of NDJSON or after the last element of an array.
  public mutating func endLine() { bytes.append(UInt8(ascii: "\n")) }

  /// Lets the next element of an array begin a line.
  public mutating func breakLine() {
    separate()
    bytes.append(UInt8(ascii: "\n"))
  }

  /// Writes an object with the members that `members` writes.
  public mutating func object<Failure: Error>(
    _ members: (inout JSONWriter) throws(Failure) -> Void
  ) throws(Failure) {
    separate()
    bytes.append(UInt8(ascii: "{"))
    try members(&self)
    bytes.append(UInt8(ascii: "}"))
  }

  /// Writes an array with the elements that `elements` writes.
  public mutating func array<Failure: Error>(
    _ elements: (inout JSONWriter) throws(Failure) -> Void
  ) throws(Failure) {
    separate()
    bytes.append(UInt8(ascii: "["))
    try elements(&self)
    bytes.append(UInt8(ascii: "]"))
  }

  /// Writes the name of a member; its value must follow. The name is of ASCII letters, digits and
  /// signs that need no escape.
  public mutating func name(_ name: StaticString) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    bytes.append(
      contentsOf: UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
    bytes.append(UInt8(ascii: "\""))
    bytes.append(UInt8(ascii: ":"))
  }

  /// Writes any name of a member; its value must follow.
  public mutating func name(escaping name: String) {
    separate()
    appendEscaped(name)
    bytes.append(UInt8(ascii: ":"))
  }

  /// Writes a string, with escapes only where they must be.
  public mutating func value(_ value: String) {
    separate()
    appendEscaped(value)
  }

  /// Writes `true` or `false`.
  public mutating func value(_ value: Bool) {
    separate()
    bytes.append(contentsOf: value ? "true".utf8 : "false".utf8)
  }

  /// Writes a whole number.
  public mutating func value(_ value: some FixedWidthInteger) {
    separate()
    appendDigits(value)
  }

  /// Writes a number, or `null` where it is not finite, which JSON cannot say.
  public mutating func value(_ value: Double) {
    separate()
    appendNumber(value)
  }

  /// Writes `null`.
  public mutating func null() {
    separate()
    bytes.append(contentsOf: "null".utf8)
  }

  /// Whether a comma is due can be seen from the byte before: no value ends with one of these.
  private mutating func separate() {
    switch bytes.last {
    case nil, UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: ":"), UInt8(ascii: "\n"): break
    default: bytes.append(UInt8(ascii: ","))
    }
  }
}

extension JSONWriter {
  /// Writes a member, `null` where the value is unknown.
  public mutating func member(_ name: StaticString, _ value: String?) {
    self.name(name)
    if let value { self.value(value) } else { null() }
  }

  /// Writes a member, `null` where the value is unknown.
  public mutating func member(_ name: StaticString, _ value: Bool?) {
    self.name(name)
    if let value { self.value(value) } else { null() }
  }

  /// Writes a member, `null` where the value is unknown.
  public mutating func member(_ name: StaticString, _ value: Double?) {
    self.name(name)
    if let value { self.value(value) } else { null() }
  }

  /// Writes a member, `null` where the value is unknown.
  public mutating func member(_ name: StaticString, _ value: Int?) {
    self.name(name)
    if let value { self.value(value) } else { null() }
  }
}

extension JSONWriter {
  private mutating func appendEscaped(_ text: String) {
    var text = text
    bytes.append(UInt8(ascii: "\""))
    text.withUTF8 { utf8 in
      var start = 0
      for index in utf8.indices {
        let byte = utf8[index]
        guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else {
          continue
        }
        bytes.append(contentsOf: utf8[start..<index])
        appendEscape(byte)
        start = index + 1
      }
      bytes.append(contentsOf: utf8[start...])
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private mutating func appendEscape(_ byte: UInt8) {
    bytes.append(UInt8(ascii: "\\"))
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
    case UInt8(ascii: "\n"): bytes.append(UInt8(ascii: "n"))
    case UInt8(ascii: "\r"): bytes.append(UInt8(ascii: "r"))
    case UInt8(ascii: "\t"): bytes.append(UInt8(ascii: "t"))
    default:
      bytes.append(contentsOf: "u00".utf8)
      bytes.append(UInt8(ascii: "0") + byte >> 4)
      let low = byte & 15
      bytes.append(low < 10 ? UInt8(ascii: "0") + low : UInt8(ascii: "a") + low - 10)
    }
  }

  private mutating func appendDigits(_ value: some FixedWidthInteger) {
    if value < 0 { bytes.append(UInt8(ascii: "-")) }
    let start = bytes.count
    var rest = value.magnitude
    repeat {
      bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
      rest /= 10
    } while rest > 0
    bytes[start...].reverse()
  }

  /// A decimal of at most 15 digits is told apart from all others by a double, so where one with up
  /// to seven places gives the value, as most coordinates and measures have, it is the shortest.
  /// The division is correctly rounded, hence the value of the text.
  private mutating func appendNumber(_ value: Double) {
    let scaled = (value * 1e7).rounded()
    guard abs(scaled) < 1e15, scaled / 1e7 == value, value != 0 || value.sign == .plus else {
      return appendAnyNumber(value)
    }
    let magnitude = Int64(abs(scaled))
    if value < 0 { bytes.append(UInt8(ascii: "-")) }
    let (whole, fraction) = magnitude.quotientAndRemainder(dividingBy: 10_000_000)
    appendDigits(whole)
    guard fraction > 0 else { return }
    bytes.append(UInt8(ascii: "."))
    var rest = fraction
    var unit: Int64 = 1_000_000
    while rest > 0 {
      let (digit, less) = rest.quotientAndRemainder(dividingBy: unit)
      bytes.append(UInt8(ascii: "0") + UInt8(digit))
      rest = less
      unit /= 10
    }
  }

  private mutating func appendAnyNumber(_ value: Double) {
    guard value.isFinite else { return bytes.append(contentsOf: "null".utf8) }
    var text = value.description
    text.withUTF8 { utf8 in
      let isWhole = utf8.count > 2 && utf8.suffix(2).elementsEqual(".0".utf8)
      bytes.append(contentsOf: isWhole ? utf8.dropLast(2)[...] : utf8[...])
    }
  }
}
