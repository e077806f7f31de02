extension [UInt8] {
  /// Appends a finite number as the shortest decimal, without exponent, that reads back as the same
  /// value; for what has more than 15 places after its point, as the standard library writes it.
  mutating func append(decimal value: Double) {
    for (places, power) in powersOfTen.prefix(16).enumerated() {
      let scaled = (value * power).rounded()
      // Below 2^53 the integer and the power are exact, so their quotient is the text's value.
      guard abs(scaled) < 0x1p53 else { break }
      if scaled / power == value { return append(Int64(scaled), places: places) }
    }
    append(contentsOf: value.description.utf8)
  }

  private mutating func append(_ scaled: Int64, places: Int) {
    if scaled < 0 { append(UInt8(ascii: "-")) }
    let start = count
    var rest = scaled.magnitude
    var place = 0
    while rest > 0 || place <= places {
      if place == places, places > 0 { append(UInt8(ascii: ".")) }
      append(UInt8(ascii: "0") + UInt8(rest % 10))
      rest /= 10
      place += 1
    }
    self[start...].reverse()
  }
}
