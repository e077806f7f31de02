import Geo

/// The moments of a trace at which eligibility is told: the first fix at or after each.
struct EligibilityMoments {
  private let interval: Int64
  private var next = Timestamp.earliest

  /// Makes moments so many seconds apart, at whole multiples in UTC; none where that is nil.
  init(everySeconds: Double?) {
    interval = everySeconds.map { max(1000, Int64(min($0, 1e9) * 1000)) } ?? 0
  }

  /// Whether the fix of this time is the first since a moment.
  mutating func isDue(at time: Timestamp) -> Bool {
    guard interval > 0, time >= next else { return false }
    let slot = (time.millisecondsSince1970 / interval + 1) * interval
    next = Timestamp(millisecondsSince1970: slot)
    return true
  }
}
