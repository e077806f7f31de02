import Geo
import Geofencing
import Persistence

/// What somebody asks of the staff clock.
package struct PunchAttempt: Hashable, Sendable {
  package var kind: Punch.Kind
  package var employment: Int
  package var user: Int
  package var store: Fence.ID
  /// Why it is made from outside the fence, in the person's words.
  package var statedReason: String?
  package var origin: Punch.Origin

  package init(
    _ kind: Punch.Kind, employment: Int, user: Int, store: Fence.ID, statedReason: String? = nil,
    origin: Punch.Origin = Punch.Origin()
  ) {
    self.kind = kind
    self.employment = employment
    self.user = user
    self.store = store
    self.statedReason = statedReason
    self.origin = origin
  }
}

/// What was before an attempt, as far as the rules ask for it.
package struct ClockHistory: Hashable, Sendable {
  /// The employment's punches in order, with the open shift and the last 60 s among them.
  package var punches: [StoredPunch]
  /// The same person's open shifts at other stores.
  package var openElsewhere: [PunchRepository.ClockHead]

  package init(
    punches: [StoredPunch] = [], openElsewhere: [PunchRepository.ClockHead] = []
  ) {
    self.punches = punches
    self.openElsewhere = openElsewhere
  }

  package var state: ClockState { ClockState(after: punches.lazy.map(\.punch)) }
  /// The number that compare-and-set expects; 0 where there is no punch.
  package var lastSequence: Int { punches.last?.sequence ?? 0 }
}

/// Decides whether a punch is taken.
package struct ClockRules: Hashable, Sendable {
  /// What becomes of a clock-out, or a break's start or end, from outside the fence.
  package enum OutsidePolicy: String, Hashable, Sendable, CaseIterable {
    /// It is refused, as a clock-in always is.
    case block
    /// It is taken and marked, for somebody to look at.
    case flag
    /// The same, but only with a reason in the person's words.
    case withReason
  }

  package var clockOutOutside: OutsidePolicy

  package init(clockOutOutside: OutsidePolicy = .block) {
    self.clockOutOutside = clockOutOutside
  }

  /// How long after a punch another of its kind is a repeat by mistake, the end included: 60 s.
  package static let duplicateMilliseconds: Int64 = 60_000

  /// The punch that an attempt makes.
  ///
  /// Asked in this order: is it a repeat, does the state allow it, is the person at the store.
  package func judge(
    _ attempt: PunchAttempt, at place: JudgedReport, after history: ClockHistory
  ) throws(PunchRefusal) -> Punch {
    precondition(
      place.evidence.fence.id == attempt.store,
      "judged at '\(place.evidence.fence.id)', punched at '\(attempt.store)'")
    let now = place.judgedAt
    if let earlier = ClockRules.repeated(attempt.kind, in: history.punches, now: now) {
      throw .duplicate(of: earlier)
    }
    // A clock that was set back makes no punch before another, and no hours below zero.
    let time = max(now, history.punches.last?.punch.time ?? now)
    guard history.state.following(attempt.kind, at: time) != nil else {
      throw .conflict(attempt.kind, in: history.state)
    }
    if attempt.kind == .clockIn, let other = openShift(among: history.openElsewhere, at: now) {
      throw .openElsewhere(store: other.store, since: other.since)
    }
    let isInside = place.eligibility.isEligible
    let reason = attempt.statedReason.flatMap { $0.contains { !$0.isWhitespace } ? $0 : nil }
    if !isInside { try allowOutside(attempt.kind, place.eligibility, hasReason: reason != nil) }
    return Punch(
      kind: attempt.kind, employment: attempt.employment, user: attempt.user,
      store: attempt.store, time: time, receivedAt: now, isOutside: !isInside,
      statedReason: reason, origin: attempt.origin, evidence: place.evidence)
  }

  private static func repeated(
    _ kind: Punch.Kind, in punches: [StoredPunch], now: Timestamp
  ) -> StoredPunch? {
    punches.last { stored in
      let age = now.milliseconds(since: stored.punch.receivedAt)
      return stored.punch.kind == kind && (0...duplicateMilliseconds).contains(age)
    }
  }

  /// Nobody works at two stores at once; but a forgotten clock-out at one does not bar the other.
  private func openShift(
    among shifts: [PunchRepository.ClockHead], at now: Timestamp
  ) -> (store: Fence.ID, since: Timestamp)? {
    for shift in shifts {
      guard let since = shift.clockedInSince else { continue }
      if !ClockState.isMissingOut(clockedInSince: since, at: now) { return (shift.store, since) }
    }
    return nil
  }

  private func allowOutside(
    _ kind: Punch.Kind, _ eligibility: Eligibility, hasReason: Bool
  ) throws(PunchRefusal) {
    let refusal = PunchRefusal.outsideGeofence(eligibility, acceptsReason: false)
    guard kind != .clockIn, eligibility.reason != .notAssigned else { throw refusal }
    switch clockOutOutside {
    case .block: throw refusal
    case .flag: return
    case .withReason:
      guard hasReason else { throw .outsideGeofence(eligibility, acceptsReason: true) }
    }
  }
}
