import Geo
import Geofencing

/// One act at the staff clock, with all that it was judged by; once recorded it never changes.
///
/// Hours, the open shift and reports are computed from the sequence of an employment's punches.
package struct Punch: Hashable, Sendable {
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    case clockIn = "in"
    /// Ends the shift, and a break with it.
    case clockOut = "out"
    case breakStart
    case breakEnd
  }

  package let kind: Kind
  /// The employment of one person at one store, whose sequence the punch belongs to.
  package let employment: Int
  package let user: Int
  package let store: Fence.ID
  /// What hours are computed from: the server's instant, but never before the punch that precedes.
  package let time: Timestamp
  /// The server's own clock at the moment of judging; differs from `time` where it was set back.
  package let receivedAt: Timestamp
  /// Whether the punch was taken from outside the fence, as a policy may allow for all but a
  /// clock-in; somebody is to look at it.
  package let isOutside: Bool
  /// Why it was made from outside, in the person's words.
  package let statedReason: String?
  package let origin: Origin
  /// Nil where the place was not judged by a position, as at a terminal that stands in the store.
  package let evidence: PunchEvidence?

  package init(
    kind: Kind, employment: Int, user: Int, store: Fence.ID, time: Timestamp,
    receivedAt: Timestamp? = nil, isOutside: Bool = false, statedReason: String? = nil,
    origin: Origin = Origin(), evidence: PunchEvidence? = nil
  ) {
    self.kind = kind
    self.employment = employment
    self.user = user
    self.store = store
    self.time = time
    self.receivedAt = receivedAt ?? time
    self.isOutside = isOutside
    self.statedReason = statedReason
    self.origin = origin
    self.evidence = evidence
  }

  /// Where a request came from, as far as it was told.
  package struct Origin: Hashable, Sendable {
    package var remoteAddress: String?
    package var clientName: String?
    package var clientVersion: String?
    package var idempotencyKey: String?

    package init(
      remoteAddress: String? = nil, clientName: String? = nil, clientVersion: String? = nil,
      idempotencyKey: String? = nil
    ) {
      self.remoteAddress = remoteAddress
      self.clientName = clientName
      self.clientVersion = clientVersion
      self.idempotencyKey = idempotencyKey
    }
  }
}

/// A punch as it was recorded.
package struct StoredPunch: Hashable, Sendable, Identifiable {
  /// Rises with each punch that is recorded, whosever, and is never used again.
  package let id: Int
  /// 1 for the employment's first punch, and one more with each.
  package let sequence: Int
  package let punch: Punch

  package init(id: Int, sequence: Int, punch: Punch) {
    self.id = id
    self.sequence = sequence
    self.punch = punch
  }
}

/// The position behind a punch and the answer it got: enough to judge it again.
package struct PunchEvidence: Hashable, Sendable {
  /// The fence as it was; of its settings only the least confidence is remembered.
  package let fence: Fence
  package let fenceRevision: Int
  /// The position that was reported; nil where there was none, or it was invalid.
  package let fix: ReportedFix?
  /// The client's clock at the moment it sent the position.
  package let sentAt: Timestamp?
  /// The subject's last counted position before, from which the fix may be an implausible jump.
  package let lastCounted: SubjectPresence.CountedFix?
  package let verdict: Eligibility.Verdict?
  package let reason: Eligibility.Reason
  package let distance: Distance?
  package let confidence: Double?
  /// The visit that was open at the store, and the rule that had opened it.
  package let visit: VisitID?
  package let rule: FenceEvent.Rule?

  package init(
    fence: Fence, fenceRevision: Int, fix: ReportedFix?, sentAt: Timestamp?,
    lastCounted: SubjectPresence.CountedFix?, verdict: Eligibility.Verdict?,
    reason: Eligibility.Reason, distance: Distance?, confidence: Double?, visit: VisitID?,
    rule: FenceEvent.Rule?
  ) {
    self.fence = fence
    self.fenceRevision = fenceRevision
    self.fix = fix
    self.sentAt = sentAt
    self.lastCounted = lastCounted
    self.verdict = verdict
    self.reason = reason
    self.distance = distance
    self.confidence = confidence
    self.visit = visit
    self.rule = rule
  }

  /// What of a fix the answer depends on.
  package struct ReportedFix: Hashable, Sendable {
    package let coordinate: Coordinate
    package let accuracy: Distance?
    package let time: Timestamp
    package let isSimulated: Bool

    package init(_ fix: Fix) {
      self.init(
        coordinate: fix.coordinate, accuracy: fix.accuracy, time: fix.time,
        isSimulated: fix.isSimulated)
    }

    package init(
      coordinate: Coordinate, accuracy: Distance?, time: Timestamp, isSimulated: Bool = false
    ) {
      self.coordinate = coordinate
      self.accuracy = accuracy
      self.time = time
      self.isSimulated = isSimulated
    }

    package var fix: Fix {
      Fix(coordinate: coordinate, time: time, accuracy: accuracy, isSimulated: isSimulated)
    }
  }
}
