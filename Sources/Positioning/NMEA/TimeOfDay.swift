/// The time of day of a sentence, UTC, to the millisecond.
struct TimeOfDay: Equatable {
  static let millisecondsOfDay = 86_400_000

  /// Milliseconds since midnight, below `millisecondsOfDay`.
  let milliseconds: Int
  /// How many digits of a fraction were written, 3 at most.
  let fractionDigits: Int
  /// Whether it was written as second 60.
  let isLeapSecond: Bool

  /// Reads `hhmmss`, with a point and any number of digits behind it.
  ///
  /// What is finer than a millisecond is cut off, so that no time reaches into the next second. A
  /// second of 60, the leap second, becomes 59.999: POSIX time has no name for it, and so it stays
  /// between its neighbors.
  init?(_ field: SentenceField) {
    let bytes = field.bytes
    var index = bytes.startIndex
    var digits = DigitRun()
    digits.read(bytes, from: &index)
    guard digits.found == 6, index == bytes.startIndex + 6 else { return nil }
    let written = Int(digits.value)
    let (hour, minute, second) = (written / 10_000, written / 100 % 100, written % 100)
    guard hour < 24, minute < 60, second <= 60 else { return nil }

    var fraction = 0
    var places = 0
    if index < bytes.endIndex {
      guard bytes[index] == UInt8(ascii: ".") else { return nil }
      index += 1
      var run = DigitRun()
      run.read(bytes, from: &index, isFraction: true, limit: 3)
      guard index == bytes.endIndex else { return nil }
      places = run.kept
      fraction = Int(run.value) * TimeOfDay.unit(ofDigits: places)
    }
    isLeapSecond = second == 60
    milliseconds =
      (hour * 60 + minute) * 60_000 + (isLeapSecond ? 59_999 : second * 1000 + fraction)
    fractionDigits = isLeapSecond ? 3 : places
  }

  /// Whether both name the same instant, one of them perhaps with fewer digits.
  ///
  /// Receivers print one measurement as `.758` in one sentence and as `.76` or `.75` in another,
  /// or leave the fraction out. Without a fraction only cutting counts: rounded, a half second
  /// would belong to the next one.
  func isSameInstant(as other: TimeOfDay) -> Bool {
    if isLeapSecond != other.isLeapSecond { return false }
    if milliseconds == other.milliseconds { return true }
    if fractionDigits == other.fractionDigits { return false }
    let (coarse, fine) = fractionDigits < other.fractionDigits ? (self, other) : (other, self)
    let unit = TimeOfDay.unit(ofDigits: coarse.fractionDigits)
    let cut = fine.milliseconds / unit * unit
    if cut == coarse.milliseconds { return true }
    let isRoundedUp = fine.milliseconds % unit * 2 >= unit
    return coarse.fractionDigits > 0 && isRoundedUp
      && (cut + unit) % TimeOfDay.millisecondsOfDay == coarse.milliseconds
  }

  private static func unit(ofDigits digits: Int) -> Int {
    switch digits {
    case 0: 1000
    case 1: 100
    case 2: 10
    default: 1
    }
  }
}
