/// How many sentences of each kind an epoch has had.
struct SentenceTally: Equatable {
  private(set) var counts = SIMD8<UInt8>()

  static let vtg = 4
  static let gsa = 5
  static let gst = 6
  static func slot(of kind: PositionSentence.Kind) -> Int { kind.rawValue }

  mutating func count(_ slot: Int) {
    if counts[slot] < .max { counts[slot] += 1 }
  }

  /// Whether it has at least what `other` has, of each kind.
  func covers(_ other: SentenceTally) -> Bool { all(counts .>= other.counts) }

  mutating func formUnion(_ other: SentenceTally) {
    counts = pointwiseMax(counts, other.counts)
  }
}

/// Learns which sentences a source sends for one measurement, so that a live fix is complete with
/// the last of them.
///
/// A source that measures several times a second sends some sentences with every measurement and
/// others once a second, so each twentieth of a second has its own expectation. It is the most that
/// has come; where that does not come any more eight times in a row, the source has changed.
struct EpochPattern {
  private struct Expectation {
    var tally: SentenceTally?
    var shortfalls = 0
  }

  private static let slots = 20
  private var expectations = [Expectation](repeating: Expectation(), count: slots)

  mutating func learn(_ tally: SentenceTally, at time: TimeOfDay) {
    let slot = EpochPattern.slot(of: time)
    guard var expected = expectations[slot].tally, expectations[slot].shortfalls < 8 else {
      expectations[slot] = Expectation(tally: tally)
      return
    }
    expectations[slot].shortfalls = tally.covers(expected) ? 0 : expectations[slot].shortfalls + 1
    expected.formUnion(tally)
    expectations[slot].tally = expected
  }

  /// Whether nothing more is expected of a measurement of this time; false where nothing is known.
  func isComplete(_ tally: SentenceTally, at time: TimeOfDay) -> Bool {
    guard let expected = expectations[EpochPattern.slot(of: time)].tally else { return false }
    return tally.covers(expected)
  }

  private static func slot(of time: TimeOfDay) -> Int {
    time.milliseconds % 1000 * slots / 1000
  }
}
