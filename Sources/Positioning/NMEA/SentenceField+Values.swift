import Geo

extension SentenceField {
  /// A day as `ddmmyy` or `ddmmyyyy`, in days since 1970; nil where it is none.
  ///
  /// Two digits are a year from 1980 to 2079. Receivers with a calendar that overflowed write such
  /// things as `2208-1`: their position is as good as ever.
  var day: Int? {
    guard bytes.count == 6 || bytes.count == 8, let written = natural else { return nil }
    let base = bytes.count == 6 ? 100 : 10_000
    return SentenceField.day(
      year: written % base, hasCentury: base == 10_000, month: written / base % 100,
      day: written / base / 100)
  }

  /// Days since 1970 of a date in three fields, as ZDA has it; nil where it is none.
  static func day(year: SentenceField, month: SentenceField, day: SentenceField) -> Int? {
    guard
      year.bytes.count == 2 || year.bytes.count == 4, let writtenYear = year.natural,
      let writtenMonth = month.natural, let writtenDay = day.natural
    else { return nil }
    return SentenceField.day(
      year: writtenYear, hasCentury: year.bytes.count == 4, month: writtenMonth, day: writtenDay)
  }

  private static func day(year: Int, hasCentury: Bool, month: Int, day: Int) -> Int? {
    let fullYear = hasCentury ? year : year < 80 ? 2000 + year : 1900 + year
    // Satellite time starts in 1980; what is earlier is no date but an unset field.
    guard fullYear >= 1980 else { return nil }
    return CivilDate(year: fullYear, month: month, day: day)?.daysSince1970
  }

  /// Degrees of `dddmm.mmmm`, of any number of digits of degrees; at most `limit` degrees.
  ///
  /// Rounded once, from whole numbers, so exact to the last bit up to 11 digits of a minute's
  /// fraction; more are passed over.
  func degrees(limit: UInt64, name: StaticString) throws(SentenceProblem) -> Double {
    var index = bytes.startIndex
    var whole = DigitRun()
    whole.read(bytes, from: &index)
    let degrees = whole.value / 100
    let minutes = whole.value % 100
    var fraction = DigitRun()
    if index < bytes.endIndex, bytes[index] == UInt8(ascii: ".") {
      index += 1
      fraction.read(bytes, from: &index, isFraction: true, limit: 11)
    }
    guard index == bytes.endIndex, whole.found > 0, !whole.isOverfull else {
      throw SentenceProblem(.malformed, name, self)
    }
    guard minutes < 60, degrees <= limit else { throw SentenceProblem(.invalidFix, name, self) }
    let scale = DigitRun.powersOfTen[fraction.kept]
    let minuteUnits = (degrees * 60 + minutes) * UInt64(scale) + fraction.value
    let value = Double(minuteUnits) / (60 * scale)
    guard value <= Double(limit) else { throw SentenceProblem(.invalidFix, name, self) }
    return value
  }
}

extension SentenceFields {
  /// Latitude, N or S, longitude, E or W; nil where all four are empty.
  mutating func coordinate() throws(SentenceProblem) -> Coordinate? {
    let latitude = next()
    let northOrSouth = next()
    let longitude = next()
    let eastOrWest = next()
    if latitude.isEmpty, northOrSouth.isEmpty, longitude.isEmpty, eastOrWest.isEmpty { return nil }
    let south: Bool
    switch northOrSouth.letter {
    case UInt8(ascii: "N"): south = false
    case UInt8(ascii: "S"): south = true
    default: throw SentenceProblem(.malformed, "N or S", northOrSouth)
    }
    let west: Bool
    switch eastOrWest.letter {
    case UInt8(ascii: "E"): west = false
    case UInt8(ascii: "W"): west = true
    default: throw SentenceProblem(.malformed, "E or W", eastOrWest)
    }
    let north = try latitude.degrees(limit: 90, name: "latitude")
    let east = try longitude.degrees(limit: 180, name: "longitude")
    return Coordinate(latitude: south ? 0 - north : north, longitude: west ? 0 - east : east)
  }

  /// A time of day; nil where the field is empty.
  mutating func time() throws(SentenceProblem) -> TimeOfDay? {
    let field = next()
    if field.isEmpty { return nil }
    guard let time = TimeOfDay(field) else { throw SentenceProblem(.malformed, "time", field) }
    return time
  }
}
