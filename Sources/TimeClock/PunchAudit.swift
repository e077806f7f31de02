import Geo
import Geofencing
import Persistence

/// What judging every recorded punch again from its own evidence has found.
package struct PunchAudit: Hashable, Sendable {
  package enum Problem: Hashable, Sendable {
    /// A clock-in that is not eligible by its evidence.
    case clockInOutside(Eligibility.Reason)
    /// Another punch from outside the fence, which is not marked as such.
    case outsideNotMarked(Eligibility.Reason)
    /// The evidence leads to another answer than the one that was recorded.
    case otherAnswer(recorded: Eligibility.Reason, judged: Eligibility.Reason)
    /// There is no position behind it.
    case noEvidence
    /// The punches before do not allow it.
    case outOfSequence(ClockState)
  }

  package struct Finding: Hashable, Sendable {
    package let punch: Int
    package let problem: Problem
  }

  package private(set) var punches = 0
  package private(set) var clockIns = 0
  /// Punches that a policy took from outside the fence, and that are marked so.
  package private(set) var outside = 0
  package private(set) var findings: [Finding] = []

  private let settings: EngineSettings
  private var employment: Int?
  private var sequence = 0
  private var state = ClockState.notClockedIn

  /// - Parameter settings: Those by which the punches were judged.
  package init(settings: EngineSettings = EngineSettings()) { self.settings = settings }

  /// Judges the next punch; they come by employment and in order.
  package mutating func examine(_ stored: StoredPunch) {
    let punch = stored.punch
    punches += 1
    if punch.kind == .clockIn { clockIns += 1 }
    if punch.isOutside { outside += 1 }
    for problem in [problemOfSequence(stored), problemOfPlace(punch)] {
      if let problem { findings.append(Finding(punch: stored.id, problem: problem)) }
    }
  }

  private mutating func problemOfSequence(_ stored: StoredPunch) -> Problem? {
    let punch = stored.punch
    if employment != punch.employment {
      (employment, sequence, state) = (punch.employment, 0, .notClockedIn)
    }
    defer { sequence = stored.sequence }
    let next = state.following(punch.kind, at: punch.time)
    guard let next, stored.sequence == sequence + 1 else { return .outOfSequence(state) }
    state = next
    return nil
  }

  private func problemOfPlace(_ punch: Punch) -> Problem? {
    guard let evidence = punch.evidence else { return .noEvidence }
    guard let judged = judgeAgain(evidence, at: punch.receivedAt) else { return .noEvidence }
    if !judged.isEligible {
      if punch.kind == .clockIn { return .clockInOutside(judged.reason) }
      if !punch.isOutside { return .outsideNotMarked(judged.reason) }
    }
    return agrees(judged, with: evidence)
      ? nil : .otherAnswer(recorded: evidence.reason, judged: judged.reason)
  }

  /// Nil where the evidence names no place that could be judged.
  private func judgeAgain(_ evidence: PunchEvidence, at now: Timestamp) -> Eligibility? {
    let report: Eligibility.Report
    switch (evidence.fix, evidence.reason) {
    case (let fix?, _): report = .fix(fix.fix)
    case (nil, .noFix): report = .noFix
    case (nil, .invalidFix): report = .invalid([])
    case (nil, _): return nil
    }
    return try? FenceSet([evidence.fence]).eligibility(
      at: evidence.fence.id, of: report,
      in: .init(now: now, sentAt: evidence.sentAt, lastCounted: evidence.lastCounted),
      settings: settings)
  }

  private func agrees(_ judged: Eligibility, with evidence: PunchEvidence) -> Bool {
    func isNear(_ a: Double?, _ b: Double?, within tolerance: Double) -> Bool {
      guard let a, let b else { return a == nil && b == nil }
      return abs(a - b) <= tolerance
    }
    return judged.reason == evidence.reason && judged.verdict == evidence.verdict
      && isNear(judged.distance?.meters, evidence.distance?.meters, within: 0.001)
      && isNear(judged.confidence, evidence.confidence, within: 1e-6)
  }
}

/// Judges every recorded punch again from its evidence, in constant memory but for what it finds.
package func auditPunches(
  in punches: PunchRepository, settings: EngineSettings = EngineSettings()
) throws(DatabaseError) -> PunchAudit {
  var audit = PunchAudit(settings: settings)
  try punches.forEachPunch { punch throws(DatabaseError) in audit.examine(punch) }
  return audit
}
