import Geo

/// What a worker decides: what is under way, what became of it, and how long its target rests.
struct Course {
  private let backOff: BackOff
  /// The deliveries that are tried, or were and are not yet remembered.
  private(set) var underWay: Set<Delivery.ID> = []
  private(set) var unsettled: [Settlement] = []
  /// Until when the target is left alone; nil where it seems to be well.
  var pausedUntil: Timestamp?
  /// How often in a row the target could not be reached, and the last reason.
  private var failures = 0
  private var lastError = ""

  init(backOff: BackOff) { self.backOff = backOff }

  /// Takes in how attempts have ended.
  mutating func note(
    _ finished: [(Delivery, AttemptResult)], at now: Timestamp, jitter: () -> Double
  ) {
    for (delivery, result) in finished {
      switch result {
      case .delivered:
        failures = 0
        pausedUntil = nil
        unsettled.append(Settlement(id: delivery.id, outcome: .delivered(at: now)))
      case .refused(let error):
        failures = 0
        pausedUntil = nil
        unsettled.append(failed(delivery, error, at: now, jitter: jitter()))
      case .unreachable(let error):
        failures += 1
        lastError = error
        pausedUntil = now.advanced(
          byMilliseconds: backOff.wait(after: failures, jitter: jitter()))
        unsettled.append(failed(delivery, error, at: now, jitter: jitter()))
      }
    }
  }

  private func failed(
    _ delivery: Delivery, _ error: String, at now: Timestamp, jitter: Double
  ) -> Settlement {
    let next = backOff.nextAttempt(
      after: delivery.attempts + 1, at: now, giveUpAt: delivery.giveUpAt, jitter: jitter)
    guard let next else {
      return Settlement(id: delivery.id, outcome: .dead(at: now, error: error))
    }
    return Settlement(id: delivery.id, outcome: .retry(at: next, error: error))
  }

  /// Says that all that was unsettled is remembered.
  mutating func forgetSettled() {
    for settlement in unsettled { underWay.remove(settlement.id) }
    unsettled = []
  }

  /// How many attempts may begin: none while the target rests, and then one to see if it is back.
  func room(of attemptsAtOnce: Int, at now: Timestamp) -> Int {
    if failures == 0 { return attemptsAtOnce - underWay.count }
    return pauseLeft(at: now) != nil || !underWay.isEmpty ? 0 : 1
  }

  /// The milliseconds until the target's rest is over; nil where it does not rest.
  func pauseLeft(at now: Timestamp) -> Int64? {
    guard let left = pausedUntil?.milliseconds(since: now), left > 0 else { return nil }
    return backOff.canWait(left) ? left : nil
  }

  /// Chooses the deliveries to begin; the others that are past their time become dead letters,
  /// which `unsettled` then holds.
  mutating func take(
    _ due: [Delivery], atMost room: Int, at now: Timestamp
  ) -> (begun: [Delivery], dead: Bool) {
    var begun: [Delivery] = []
    var dead = false
    for delivery in due where !underWay.contains(delivery.id) && begun.count < room {
      underWay.insert(delivery.id)
      if backOff.allowsAttempt(
        after: delivery.attempts, at: now, giveUpAt: delivery.giveUpAt)
      {
        begun.append(delivery)
      } else {
        dead = true
        let error = lastError.isEmpty ? "its time was over before it could be tried" : lastError
        unsettled.append(Settlement(id: delivery.id, outcome: .dead(at: now, error: error)))
      }
    }
    return (begun, dead)
  }
}
