import Geo

/// The moments of a trace at which eligibility is told: the first fix at or after each.
struct EligibilityMoments {
  private let interval: Int64
  private var next = Timestamp.earliest

  /// Makes moments so far apart, a second at least, at whole multiples in UTC; none where that is
  /// nil.
  init(every interval: Duration?) {
    let longest = Duration.seconds(1_000_000_000)
    self.interval =
      interval.map { max(1000, min($0, longest).components.seconds * 1000) } ?? 0
  }

  /// Whether the fix of this time is the first since a moment.
  mutating func isDue(at time: Timestamp) -> Bool {
    guard interval > 0, time >= next else { return false }
    let slot = (time.millisecondsSince1970 / interval + 1) * interval
    next = Timestamp(millisecondsSince1970: slot)
    return true
  }
}
