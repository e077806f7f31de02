/// How long to wait before the next try: twice as long each time, up to a limit.
///
/// Up to a quarter is taken off at random, so that many clients of one daemon do not come back all
/// at once.
struct Backoff {
  private let first: Duration
  private let limit: Duration
  private var current: Duration

  init(first: Duration, limit: Duration) {
    self.first = first
    self.limit = limit
    current = first
  }

  /// The wait before the next try; `jitter` is in [0, 1).
  mutating func next(jitter: Double) -> Duration {
    defer { current = min(limit, current * 2) }
    return current * (1 - jitter / 4)
  }

  /// Begins again with the shortest wait, as after a source has spoken.
  mutating func reset() { current = first }
}
