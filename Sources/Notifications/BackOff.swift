import Geo

/// How long a failed delivery waits for its next attempt, and when it is given up.
///
/// Each wait is twice the one before, up to a limit; up to half of it is taken off at random, so
/// that what failed together does not come back together.
package struct BackOff: Hashable, Sendable {
  private let firstMilliseconds: Int64
  private let limitMilliseconds: Int64
  private let lifetimeMilliseconds: Int64
  /// Whether it has no worth after its lifetime, and so is not even tried once.
  private let isWorthlessAfterwards: Bool

  /// Webhooks and brokers: waits from 1 s to 5 min, for 24 h.
  ///
  /// A delivery that found no chance in its 24 h, because this service was down, is tried once.
  package static let machine = BackOff(
    firstMilliseconds: 1000, limitMilliseconds: 300_000, lifetimeMilliseconds: 24 * 3_600_000,
    isWorthlessAfterwards: false)

  /// A person's device: waits from 1 s to 1 min, for 15 min. Nobody is told of old news.
  package static let person = BackOff(
    firstMilliseconds: 1000, limitMilliseconds: 60_000, lifetimeMilliseconds: 15 * 60_000,
    isWorthlessAfterwards: true)

  /// When a delivery is given up that counts from `start`: for machines when it was queued, for a
  /// person when the event happened.
  package func giveUpAt(from start: Timestamp) -> Timestamp {
    start.advanced(byMilliseconds: lifetimeMilliseconds)
  }

  /// Whether a delivery that was tried so often may be tried now.
  package func allowsAttempt(after attempts: Int, at now: Timestamp, giveUpAt: Timestamp) -> Bool {
    now <= giveUpAt || (attempts == 0 && !isWorthlessAfterwards)
  }

  /// When the next attempt is due after one that failed at `now`, the last at `giveUpAt` itself; nil
  /// where there is none any more.
  ///
  /// `attempts` counts those made, the failed one included; `jitter` is in [0, 1).
  package func nextAttempt(
    after attempts: Int, at now: Timestamp, giveUpAt: Timestamp, jitter: Double
  ) -> Timestamp? {
    guard now < giveUpAt else { return nil }
    return min(now.advanced(byMilliseconds: wait(after: attempts, jitter: jitter)), giveUpAt)
  }

  /// Whether a wait can be so long; a longer one was begun by a clock that was set back since.
  func canWait(_ milliseconds: Int64) -> Bool { milliseconds <= limitMilliseconds }

  /// The milliseconds to wait after so many failures in a row, at least one.
  package func wait(after failures: Int, jitter: Double) -> Int64 {
    let doublings = max(0, min(failures - 1, 30))
    let whole = min(limitMilliseconds, firstMilliseconds << Int64(doublings))
    return whole - Int64(Double(whole) / 2 * jitter)
  }
}
