/// What a text is that should be a number.
enum NumberReading: Equatable, Sendable {
  /// Nothing, or blanks.
  case missing
  /// Always finite.
  case value(Double)
  /// A number with a comma where its decimal point belongs.
  case decimalComma
  case notANumber

  var value: Double? {
    if case .value(let value) = self { value } else { nil }
  }

  /// The number, nil where it is missing, NaN where the text is something else.
  var valueOrNaN: Double? {
    switch self {
    case .missing: nil
    case .value(let value): value
    case .decimalComma, .notANumber: .nan
    }
  }
}

extension NumberReading {
  /// Reads a number as logs write it: `-12.5`, `+.5`, `1.2e-3`, with blanks around it.
  ///
  /// Knows no locale, no `nan`, no `inf` and no hexadecimal, and refuses what is too large for a
  /// `Double` or longer than 100 bytes. Correctly rounded.
  init(_ text: Span<UInt8>) {
    var scanner = DecimalScanner(text)
    self = scanner.scan(text)
  }
}

/// Collects a decimal number as an integer and a power of ten, which is exact for nearly every
/// number that a receiver writes; the rest goes to the standard library.
private struct DecimalScanner {
  private var index = 0
  private var end: Int
  private var mantissa: UInt64 = 0
  private var exponent = 0
  private var digits = 0

  init(_ text: Span<UInt8>) {
    end = text.count
    while index < end, text[index].isBlank { index += 1 }
    while end > index, text[end - 1].isBlank { end -= 1 }
  }

  mutating func scan(_ text: Span<UInt8>) -> NumberReading {
    guard index < end else { return .missing }
    guard end - index <= 100 else { return .notANumber }
    let start = index
    let isNegative = text[index] == UInt8(ascii: "-")
    if isNegative || text[index] == UInt8(ascii: "+") { index += 1 }
    scanDigits(text, exponentStep: 0)
    if index < end, text[index] == UInt8(ascii: ",") { return scanAfterComma(text) }
    if index < end, text[index] == UInt8(ascii: ".") {
      index += 1
      scanDigits(text, exponentStep: -1)
    }
    guard digits > 0, scanExponent(text), index == end else { return .notANumber }
    let magnitude = exactMagnitude ?? magnitudeByLibrary(text, from: start)
    guard let magnitude else { return .notANumber }
    return .value(isNegative ? -magnitude : magnitude)
  }

  private mutating func scanDigits(_ text: Span<UInt8>, exponentStep: Int) {
    while index < end, text[index].isDigit {
      if mantissa < 900_000_000_000_000_000 {
        mantissa = mantissa * 10 + UInt64(text[index] - UInt8(ascii: "0"))
        exponent += exponentStep
      } else {
        // Too many digits for the integer; the library will read them.
        mantissa = .max
        exponent = 1000
      }
      digits += 1
      index += 1
    }
  }

  private mutating func scanAfterComma(_ text: Span<UInt8>) -> NumberReading {
    let digitsBefore = digits
    index += 1
    scanDigits(text, exponentStep: 0)
    return digitsBefore > 0 && digits > digitsBefore && index == end ? .decimalComma : .notANumber
  }

  /// Whether what follows is an exponent or nothing.
  private mutating func scanExponent(_ text: Span<UInt8>) -> Bool {
    guard index < end, text[index] | 0x20 == UInt8(ascii: "e") else { return true }
    index += 1
    var isNegative = false
    if index < end, text[index] == UInt8(ascii: "-") || text[index] == UInt8(ascii: "+") {
      isNegative = text[index] == UInt8(ascii: "-")
      index += 1
    }
    let first = index
    var value = 0
    while index < end, text[index].isDigit {
      value = min(value * 10 + Int(text[index] - UInt8(ascii: "0")), 10_000)
      index += 1
    }
    exponent += isNegative ? -value : value
    return index > first
  }

  /// An integer below 2^53 times or over a power of ten that is exact is rounded once only.
  private var exactMagnitude: Double? {
    guard mantissa <= 1 << 53, abs(exponent) < powersOfTen.count else { return nil }
    let power = powersOfTen[abs(exponent)]
    return exponent < 0 ? Double(mantissa) / power : Double(mantissa) * power
  }

  private func magnitudeByLibrary(_ text: Span<UInt8>, from start: Int) -> Double? {
    let bytes = (start..<end).map { text[$0] }
    guard let value = Double(String(decoding: bytes, as: UTF8.self)), value.isFinite else {
      return nil
    }
    return abs(value)
  }
}

/// The powers of ten that a `Double` holds exactly.
let powersOfTen: [Double] = [
  1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17,
  1e18, 1e19, 1e20, 1e21, 1e22,
]

extension UInt8 {
  var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }
  /// Space, tab or a line end.
  var isBlank: Bool { self == 0x20 || (self >= 0x09 && self <= 0x0d) }
}
