import Geo

/// Judges a fix's time against the receiver's clock, as only live fixes are.
public enum ClockRepair {
  /// What the clock says of a fix.
  public enum Finding: Hashable, Sendable {
    case plausible(Fix)
    /// The receiver had lost whole rollovers of its 10-bit week number; the time is put right.
    case weekRollover(Fix)
    case fromFuture
  }

  /// 1024 weeks: what a receiver loses when its week number rolls over (IS-GPS-200, 20.3.3.3.1.1).
  public static let rolloverMilliseconds: Int64 = 1024 * 7 * 86_400_000

  /// Compares a fix's time with `now`, the receiver's clock.
  ///
  /// A time behind by one or two rollovers, which would be plausible without them, is repaired.
  public static func judge(_ fix: Fix, now: Timestamp, settings: EngineSettings) -> Finding {
    let age = now.milliseconds(since: fix.time)
    if age < -settings.futureToleranceMilliseconds { return .fromFuture }
    for rollovers in 1...2 as ClosedRange<Int64> {
      let repairedAge = age - rollovers * rolloverMilliseconds
      if repairedAge >= -settings.futureToleranceMilliseconds,
        repairedAge <= settings.plausibleAgeMilliseconds
      {
        let time = fix.time.advanced(byMilliseconds: rollovers * rolloverMilliseconds)
        return .weekRollover(fix.with(time: time))
      }
    }
    return .plausible(fix)
  }
}
