import Geo
import Geofencing
import Persistence

/// A position that was reported for a punch, and how it was judged at the store.
package struct JudgedReport: Hashable, Sendable {
  package let eligibility: Eligibility
  package let evidence: PunchEvidence
  /// The server's clock at the moment of judging, which is the time of the punch.
  package let judgedAt: Timestamp

  /// Judges a report at a store; nil where the set has no such fence.
  ///
  /// - Parameters:
  ///   - revision: That of the store's fence.
  ///   - visit: The visit that is open at the store, and the rule that opened it.
  package init?(
    _ report: Eligibility.Report, at store: Fence.ID, in fences: FenceSet, revision: Int,
    circumstances: Eligibility.Circumstances, settings: EngineSettings = EngineSettings(),
    visit: (id: VisitID, rule: FenceEvent.Rule)? = nil
  ) {
    guard let fence = fences[store],
      let eligibility = fences.eligibility(
        at: store, of: report, in: circumstances, settings: settings)
    else { return nil }
    var fix: PunchEvidence.ReportedFix?
    if case .fix(let reported) = report { fix = PunchEvidence.ReportedFix(reported) }
    self.eligibility = eligibility
    judgedAt = circumstances.now
    evidence = PunchEvidence(
      fence: fence, fenceRevision: revision, fix: fix, sentAt: circumstances.sentAt,
      lastCounted: circumstances.lastCounted, verdict: eligibility.verdict,
      reason: eligibility.reason, distance: eligibility.distance,
      confidence: eligibility.confidence, visit: visit?.id, rule: visit?.rule)
  }
}
