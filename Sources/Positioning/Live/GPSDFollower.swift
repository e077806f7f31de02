import Geo

/// Turns the reports of one connection to a gpsd into events.
struct GPSDFollower {
  let loop: LiveLoop
  private let peer: String
  private var epochs: GPSDEpochs
  private(set) var isGreeted = false
  /// When anything came; at first when the connection was made.
  private(set) var lastMessage = ContinuousClock.now
  private var lastReport = ContinuousClock.now

  init(peer: String, loop: LiveLoop) {
    self.peer = peer
    self.loop = loop
    epochs = GPSDEpochs(patience: loop.patience.epoch, userRangeError: loop.userRangeError)
  }

  /// Whether nothing, or nothing of a device with a fix, was reported for `duration`.
  func isSilent(for duration: Duration, now: ContinuousClock.Instant) -> Bool {
    now - lastReport > duration || loop.hasFix(olderThan: duration)
  }

  /// When `completeDue` has something to give; nil where nothing is held.
  var nextDue: ContinuousClock.Instant? { epochs.nextDue }

  /// Takes a message that says nothing about fixes.
  mutating func takeOther() { lastMessage = .now }

  /// Takes a report, and gives what makes the connection useless, if it says so.
  mutating func take(_ message: GPSDMessage) -> LiveProblem? {
    let now = ContinuousClock.now
    lastMessage = now
    deliver(epochs.take(message, at: now, receivedAt: loop.now()))
    switch message {
    case .position, .errors, .dilution:
      lastReport = now
      loop.heard()
    case .deviceGone(let path):
      loop.lose(SubjectID(path), because: .deviceGone)
    case .devices(let active):
      for case let subject? in loop.subjectsWithFix where !active.contains(subject.rawValue) {
        deliver(
          epochs.take(.deviceGone(subject.rawValue), at: now, receivedAt: loop.now()))
        loop.lose(subject, because: .deviceGone)
      }
    case .version(let release):
      isGreeted = true
      loop.connected("\(peer), version \(release)")
    case .refused(let text):
      return .refusedByGPSD(peer: peer, message: text)
    }
    return nil
  }

  /// Gives out the epochs that nothing improves any more, and ends fixes that are too old.
  mutating func completeDue() {
    deliver(epochs.completeDue(at: .now))
    loop.endSilentFixes()
  }

  /// Gives out all that is held, as the connection ends with `problem`.
  mutating func finish(with problem: LiveProblem) -> LiveProblem {
    deliver(epochs.completeAll())
    return problem
  }

  private func deliver(_ completed: [(Decoded, Timestamp)]) {
    for (decoded, receivedAt) in completed {
      loop.deliver(CollectionOfOne(decoded), receivedAt: receivedAt)
    }
  }
}
