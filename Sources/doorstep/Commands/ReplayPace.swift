import Geo
import Glibc

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
    let due = Duration.seconds(time.seconds(since: start.trace) / speed)
    let left = due - start.now.duration(to: clock.now)
    if left > .zero {
      let (seconds, attoseconds) = left.components
      var request = timespec(
        tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
      while nanosleep(&request, &request) != 0, errno == EINTR {}
    }
  }
}
