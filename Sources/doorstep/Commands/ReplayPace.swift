import Foundation
import Geo

/// Sleeps so that a trace runs at a multiple of the speed at which it was recorded.
struct ReplayPace {
  private let speed: Double
  private var start: (trace: Timestamp, now: ContinuousClock.Instant)?

  init(speed: Double) { self.speed = speed }

  /// Sleeps until a moment of the trace has come; the first is now.
  mutating func wait(until time: Timestamp) {
    let clock = ContinuousClock()
    guard let start else {
      start = (time, clock.now)
      return
    }
    // A year is as good as never, and a number that a duration can hold.
    let due = Duration.seconds(min(time.seconds(since: start.trace) / speed, 31_536_000))
    let left = due - start.now.duration(to: clock.now)
    if left > .zero {
      let (seconds, attoseconds) = left.components
      Thread.sleep(forTimeInterval: Double(seconds) + Double(attoseconds) / 1e18)
    }
  }
}
