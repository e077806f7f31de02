/// The fields of one sentence, one after the other.
///
/// Holds a view of the bytes, which lives as long as the call that made it.
struct SentenceFields {
  /// How many fields follow the address.
  let count: Int
  private let body: Slice<UnsafeRawBufferPointer>
  private var index: Int

  /// Takes a body that starts with an address of so many characters.
  init(_ body: Slice<UnsafeRawBufferPointer>, commas: Int, addressLength: Int) {
    count = commas
    self.body = body
    index = body.startIndex + addressLength + 1
  }

  /// The next field; an empty one after the last.
  mutating func next() -> SentenceField {
    let start = min(index, body.endIndex)
    var end = start
    while end < body.endIndex, body[end] != UInt8(ascii: ",") { end += 1 }
    index = end + 1
    return SentenceField(bytes: body[start..<end])
  }

  mutating func skip(_ fields: Int) {
    for _ in 0..<fields { _ = next() }
  }

  /// Refuses a sentence that was cut, although its checksum is right by chance.
  func require(atLeast fields: Int) throws(SentenceProblem) {
    guard count >= fields else {
      throw SentenceProblem(
        reason: .tooFewFields, detail: "\(count) fields, at least \(fields) expected")
    }
  }
}

/// Why a sentence with a right checksum was not taken.
struct SentenceProblem: Error, Equatable {
  var reason: Dropped.Reason
  var detail: String

  /// Says what stood in a field, at most the first 24 characters of it.
  init(_ reason: Dropped.Reason, _ name: StaticString, _ field: SentenceField) {
    self.init(reason: reason, detail: "\(name) \(field.bytes.prefix(24).asText)")
  }

  init(reason: Dropped.Reason, detail: String) {
    self.reason = reason
    self.detail = detail
  }
}

/// One field of a sentence.
struct SentenceField {
  let bytes: Slice<UnsafeRawBufferPointer>

  var isEmpty: Bool { bytes.isEmpty }

  /// The one character of the field, or nil where it has none or more than one.
  var letter: UInt8? { bytes.count == 1 ? bytes.first : nil }

  /// A number as receivers write them: an optional sign, digits, an optional fraction; nil else.
  ///
  /// Rounded once, so exact to the last bit, up to 2^53 without its point; more digits than 18 of a
  /// fraction are passed over.
  var decimal: Double? {
    var index = bytes.startIndex
    let end = bytes.endIndex
    guard index < end else { return nil }
    let isNegative = bytes[index] == UInt8(ascii: "-")
    if isNegative || bytes[index] == UInt8(ascii: "+") { index += 1 }
    var number = DigitRun()
    number.read(bytes, from: &index)
    var places = 0
    if index < end, bytes[index] == UInt8(ascii: ".") {
      index += 1
      places = -number.kept
      number.read(bytes, from: &index, isFraction: true)
      places += number.kept
    }
    guard index == end, number.found > 0, !number.isOverfull else { return nil }
    let magnitude = Double(number.value) / DigitRun.powersOfTen[places]
    return isNegative ? -magnitude : magnitude
  }

  /// A number that is not negative; nil else.
  var magnitude: Double? { decimal.flatMap { $0 >= 0 && bytes.first != 0x2d ? $0 : nil } }

  /// A whole number of digits only, at most 18 of them.
  var natural: Int? {
    var index = bytes.startIndex
    var number = DigitRun()
    number.read(bytes, from: &index)
    guard index == bytes.endIndex, number.found > 0, !number.isOverfull else { return nil }
    return Int(number.value)
  }
}

/// Digits read into one number.
struct DigitRun {
  /// 10^0 to 10^18, each of which a `Double` holds exactly.
  static let powersOfTen: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18,
  ]

  private(set) var value: UInt64 = 0
  /// Digits seen.
  private(set) var found = 0
  /// Digits that `value` is made of.
  private(set) var kept = 0
  /// Whether a digit before the point did not fit.
  private(set) var isOverfull = false

  /// Reads the digits at `index` and moves it behind them.
  ///
  /// - Parameter limit: how many digits are kept at most; of a fraction, the rest is passed over.
  mutating func read(
    _ bytes: Slice<UnsafeRawBufferPointer>, from index: inout Int, isFraction: Bool = false,
    limit: Int = 18
  ) {
    while index < bytes.endIndex {
      let digit = bytes[index] &- 0x30
      guard digit < 10 else { return }
      index += 1
      found += 1
      if kept < limit {
        value = value * 10 + UInt64(digit)
        if value > 0 || isFraction { kept += 1 }
      } else if !isFraction {
        isOverfull = true
      }
    }
  }
}

extension Slice<UnsafeRawBufferPointer> {
  /// The bytes as text; they are ASCII by the splitter's rule.
  var asText: String { String(decoding: self, as: UTF8.self) }
}
