import Geo

/// The answer to "may this subject clock in or out at this store with this fix", with its reason.
///
/// It is judged strictly, on one fix, with no hysteresis and no buffer.
public struct Eligibility: Hashable, Sendable {
  /// Where the subject is, as far as the fix can tell.
  public enum Verdict: String, Hashable, Sendable, CaseIterable {
    case inside
    /// Outside even if the error of the fix points away from the store.
    case outside
    /// Neither yes nor no: the reason says what to do.
    case uncertain
  }

  /// Why, in the order in which the reasons are tried; the first that applies is given.
  public enum Reason: String, Hashable, Sendable, CaseIterable {
    case invalidFix = "invalid_fix"
    case nullIsland = "null_island"
    case noFix = "no_fix"
    case fixFromFuture = "fix_from_future"
    case fixTooOld = "fix_too_old"
    case simulated
    case notAssigned = "not_assigned"
    case accuracyTooLow = "accuracy_too_low"
    case implausibleJump = "implausible_jump"
    case nearEdge = "near_edge"
    case outside
    case inside
  }

  public let isEligible: Bool
  /// Nil where the fix was refused.
  public let verdict: Verdict?
  public let reason: Reason
  /// What is wrong with the position, where the reason is `invalidFix`.
  public let problems: [FixProblem]
  /// To the center of a circle, or to the nearest edge of polygons, negative inside.
  public let distance: Distance?
  /// The distance up to which a fix is inside: 0 for polygons.
  public let radius: Distance
  public let accuracy: Distance?
  /// The probability that the subject is inside; an unknown accuracy counts as 100 m.
  public let confidence: Double?
  public let fixAgeSeconds: Double?
  /// How far the clock of the client that sent the fix is ahead of ours, where it told its time.
  public let clockSkewSeconds: Double?
}

extension Eligibility {
  /// A position as it was reported, good or not.
  public enum Report: Hashable, Sendable {
    case fix(Fix)
    case invalid([FixProblem])
    /// The source itself says that it has none.
    case noFix
  }

  /// What is known beside the report.
  public struct Circumstances: Hashable, Sendable {
    /// Our own clock.
    public var now: Timestamp
    /// The clock of the client at the moment it sent the report.
    public var sentAt: Timestamp?
    /// Whether the subject is assigned to the store.
    public var isAssigned: Bool
    /// The subject's last counted position, from which the fix may be an implausible jump.
    public var lastCounted: SubjectPresence.CountedFix?

    public init(
      now: Timestamp, sentAt: Timestamp? = nil, isAssigned: Bool = true,
      lastCounted: SubjectPresence.CountedFix? = nil
    ) {
      self.now = now
      self.sentAt = sentAt
      self.isAssigned = isAssigned
      self.lastCounted = lastCounted
    }
  }
}

extension FenceSet {
  /// Judges whether a report makes its subject eligible at the store `id`; nil where there is no
  /// such fence. Touches no state and takes no lock.
  public func eligibility(
    at id: Fence.ID, of report: Eligibility.Report, in circumstances: Eligibility.Circumstances,
    settings: EngineSettings = EngineSettings()
  ) -> Eligibility? {
    guard let entry = slot(of: id).flatMap({ self.entry(at: $0) }) else { return nil }
    let judge = EligibilityJudge(
      rules: PresenceRules(fences: self, settings: settings), entry: entry,
      circumstances: circumstances)
    return judge.judge(report)
  }
}

private struct EligibilityJudge {
  let rules: PresenceRules
  let entry: FenceSet.Entry
  let circumstances: Eligibility.Circumstances

  func judge(_ report: Eligibility.Report) -> Eligibility {
    switch report {
    case .invalid(let problems): answer(.invalidFix, problems: problems)
    case .noFix: answer(.noFix)
    case .fix(let fix): judge(fix)
    }
  }

  private func judge(_ fix: Fix) -> Eligibility {
    if rules.isNullIsland(fix.coordinate) { return answer(.nullIsland, fix: fix) }
    let settings = rules.settings
    // Where the client tells its own time, both times are by its clock, and its error cancels.
    let clock = circumstances.sentAt ?? circumstances.now
    let age = clock.milliseconds(since: fix.time)
    if age < -settings.futureToleranceMilliseconds { return answer(.fixFromFuture, fix: fix) }
    let distance = entry.area.distanceInMeters(to: fix.coordinate)
    let confidence = entry.area.confidence(
      at: fix.coordinate, distanceInMeters: distance,
      accuracyInMeters: rules.accuracyInMeters(fix.accuracy))
    func judged(_ reason: Eligibility.Reason, _ verdict: Eligibility.Verdict) -> Eligibility {
      answer(
        reason, verdict: verdict, fix: fix, distanceInMeters: distance, confidence: confidence)
    }
    if Double(age) / 1000 > settings.eligibleAgeSeconds { return judged(.fixTooOld, .uncertain) }
    if fix.isSimulated, !settings.allowsSimulated { return judged(.simulated, .uncertain) }
    let isCoarse = rules.isCoarse(fix)
    let isJump =
      circumstances.lastCounted.map { !rules.isPlausible(fix, after: $0) } ?? false
    let place = judgePlace(distance: distance, confidence: confidence, fix: fix)
    if !circumstances.isAssigned {
      return judged(.notAssigned, isCoarse || isJump ? .uncertain : place.verdict)
    }
    if isCoarse { return judged(.accuracyTooLow, .uncertain) }
    if isJump { return judged(.implausibleJump, .uncertain) }
    return judged(place.reason, place.verdict)
  }

  private func judgePlace(distance: Double, confidence: Double, fix: Fix)
    -> (reason: Eligibility.Reason, verdict: Eligibility.Verdict)
  {
    let radius = entry.area.radiusInMeters
    if distance <= radius {
      return confidence < entry.fence.settings.minimumConfidence
        ? (.nearEdge, .uncertain) : (.inside, .inside)
    }
    return distance - rules.accuracyInMeters(fix.accuracy) > radius
      ? (.outside, .outside) : (.nearEdge, .uncertain)
  }

  private func answer(
    _ reason: Eligibility.Reason, verdict: Eligibility.Verdict? = nil,
    problems: [FixProblem] = [], fix: Fix? = nil, distanceInMeters: Double? = nil,
    confidence: Double? = nil
  ) -> Eligibility {
    Eligibility(
      isEligible: reason == .inside, verdict: verdict, reason: reason, problems: problems,
      distance: distanceInMeters.map { .meters($0) },
      radius: .meters(entry.area.radiusInMeters), accuracy: fix?.accuracy,
      confidence: confidence,
      fixAgeSeconds: fix.map {
        (circumstances.sentAt ?? circumstances.now).seconds(since: $0.time)
      },
      clockSkewSeconds: circumstances.sentAt.map { $0.seconds(since: circumstances.now) })
  }
}
