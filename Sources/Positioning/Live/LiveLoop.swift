import Geo

/// What the thread of a live source works with: its way out, its patience, and which fixes are
/// current. Used on that thread only.
final class LiveLoop {
  /// How long the parts of a source wait; the values are those of every source outside tests.
  struct Patience: Sendable {
    var firstRetry = Duration.milliseconds(500)
    var longestRetry = Duration.seconds(10)
    /// For an answer to a connect, and for a daemon's greeting.
    var connect = Duration.seconds(5)
    /// Without a new fix for so long, the last one is no longer current.
    var silence = Duration.seconds(10)
    /// After the last report of an epoch, for another one that improves it.
    var epoch = Duration.milliseconds(200)
    /// At each speed that is tried on a serial port.
    var speed = Duration.milliseconds(2200)
  }

  let channel: EventChannel
  let patience: Patience
  let userRangeError: Distance
  let now: @Sendable () -> Timestamp
  /// Whether a source that went away is tried again.
  let reconnects: Bool
  private let jitter: @Sendable () -> Double
  private var backoff: Backoff
  private var currentFixes: [SubjectID?: ContinuousClock.Instant] = [:]

  init(
    channel: EventChannel, patience: Patience, reconnects: Bool, userRangeError: Distance,
    now: @escaping @Sendable () -> Timestamp, jitter: @escaping @Sendable () -> Double
  ) {
    self.channel = channel
    self.patience = patience
    self.reconnects = reconnects
    self.userRangeError = userRangeError
    self.now = now
    self.jitter = jitter
    backoff = Backoff(first: patience.firstRetry, limit: patience.longestRetry)
  }

  var isCancelled: Bool { channel.isCancelled }

  func connected(_ description: String) { channel.send(.connected(description)) }

  /// Notes that the source has spoken, so that the next loss is followed by a short wait.
  func heard() { backoff.reset() }

  /// Hands on what a decoder found, and keeps account of which fixes are current.
  func deliver(_ decoded: some Sequence<Decoded>, receivedAt: Timestamp) {
    for item in decoded {
      switch item {
      case .fix(let fix): currentFixes[fix.subject] = .now
      case .noFix(let noFix): currentFixes[noFix.subject] = nil
      case .dropped: break
      }
      channel.send(.decoded(item, receivedAt: receivedAt))
    }
  }

  /// Ends the fixes that are older than the patience with a silent source.
  func endSilentFixes() {
    let limit = ContinuousClock.now - patience.silence
    for (subject, last) in currentFixes where last < limit { lose(subject, because: .silent) }
  }

  /// Whether a fix is current whose source has been silent for longer than `duration`.
  func hasFix(olderThan duration: Duration) -> Bool {
    let limit = ContinuousClock.now - duration
    return currentFixes.values.contains { $0 < limit }
  }

  /// The subjects of the current fixes.
  var subjectsWithFix: [SubjectID?] { Array(currentFixes.keys) }

  /// Ends the fix of one subject, where it is current.
  func lose(_ subject: SubjectID?, because loss: FixLoss) {
    guard currentFixes.removeValue(forKey: subject) != nil else { return }
    channel.send(.fixLost(subject, because: loss))
  }

  /// Ends every fix, tells of the problem and waits for the next try; false where there is none.
  func waitToRetry(after problem: LiveProblem) -> Bool {
    for subject in subjectsWithFix { lose(subject, because: .disconnected) }
    guard reconnects else {
      channel.send(.disconnected(problem, retryAfter: nil))
      return false
    }
    let pause = backoff.next(jitter: jitter())
    channel.send(.disconnected(problem, retryAfter: pause))
    return channel.wait(timeout: pause) == .timedOut
  }
}
