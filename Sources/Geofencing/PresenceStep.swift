import Geo

/// One accepted fix judged at every fence that it concerns: those that its subject is tracked at,
/// and, where it counts, those that contain it.
struct PresenceStep {
  let rules: PresenceRules
  let fix: Fix
  let isCoarse: Bool
  let subject: SubjectID
  /// The counted fix before this one.
  let previous: SubjectPresence.CountedFix?
  /// The revision of the fences by which that fix was judged.
  let judgedRevision: Int
  var told = EventOrder()

  private var settings: EngineSettings { rules.settings }
  private var isFirst: Bool { previous == nil }

  mutating func judge(_ presence: inout SubjectPresence) {
    var index = 0
    while index < presence.fences.count {
      if judgeTracked(&presence.fences[index]) {
        index += 1
      } else {
        presence.fences.remove(at: index)
      }
    }
    if isCoarse { return }
    judgeContaining(&presence)
    judgePassing(presence)
  }

  // MARK: Fences where the subject is tracked

  /// Judges a tracked fence; false where nothing is left to track.
  private mutating func judgeTracked(_ tracked: inout FencePresence) -> Bool {
    guard let entry = rules.fences.entry(at: tracked.slot) else {
      if let visit = tracked.visit { tellRemoval(of: visit, at: rules.fences.id(at: tracked.slot)) }
      return false
    }
    let distance = entry.area.distanceInMeters(to: fix.coordinate)
    let isInside = distance <= entry.area.radiusInMeters
    guard var visit = tracked.visit else {
      return isCoarse || (isInside && !isNotJudged(since: entry.change))
    }
    let evidence = Evidence(fix, distanceInMeters: distance)
    if isNotJudged(since: entry.change, visit: visit) {
      // A run that began by the old fence counts for nothing by the new one.
      visit.exitRun = nil
      if !isCoarse {
        if isBeyond(entry, distance: distance) {
          tell(
            .exited, at: entry, visit: visit, time: fix.time, rule: .fenceChanged,
            cause: .fenceChanged, evidence: evidence)
          return false
        }
        visit.isChangePending = false
      }
    }
    if !isCoarse, isInside, let lastBeforeSilence = visit.lastBeforeSilence {
      return endSilence(
        &tracked, visit: visit, lastBeforeSilence: lastBeforeSilence, entry: entry,
        evidence: evidence)
    }
    return continueVisit(&tracked, visit: visit, entry: entry, evidence: evidence)
  }

  /// A counted fix inside after a silence resumes the visit, or closes it where it comes too late.
  private mutating func endSilence(
    _ tracked: inout FencePresence, visit: Visit, lastBeforeSilence: Timestamp,
    entry: FenceSet.Entry, evidence: Evidence
  ) -> Bool {
    if fix.time.milliseconds(since: lastBeforeSilence) > settings.resumptionMilliseconds {
      // A visit that an edit of the fence opened may be younger than the fix before it.
      tell(
        .exited, at: entry, visit: visit, time: max(visit.entry, lastBeforeSilence),
        rule: .silence, cause: .silent, evidence: nil)
      closedBySilence.insert(tracked.slot)
      return false
    }
    var resumed = visit
    resumed.lastBeforeSilence = nil
    resumed.exitRun = nil
    tell(
      .presenceResumed, at: entry, visit: resumed, time: fix.time, rule: .insideAfterSilence,
      evidence: evidence)
    tellDwelling(&resumed, at: entry, evidence: evidence)
    tracked.visit = resumed
    return true
  }

  private mutating func continueVisit(
    _ tracked: inout FencePresence, visit: Visit, entry: FenceSet.Entry, evidence: Evidence
  ) -> Bool {
    var visit = visit
    if isBeyond(entry, distance: evidence.distanceInMeters) {
      if var run = visit.exitRun {
        run.last = fix.time
        run.countedFixes += isCoarse ? 0 : 1
        visit.exitRun = run
      } else if !isCoarse {
        visit.exitRun = ExitRun(first: evidence, last: fix.time, countedFixes: 1)
      }
    } else if !isCoarse {
      visit.exitRun = nil
    }
    let isExit = visit.exitRun.map(isLongEnough) ?? false
    if !isCoarse, visit.lastBeforeSilence == nil {
      tellDwelling(&visit, at: entry, evidence: evidence, beforeItsExit: isExit)
    }
    if isExit, let run = visit.exitRun {
      tell(
        .exited, at: entry, visit: visit, time: run.first.time, rule: .exitRun,
        evidence: run.first,
        interval: visit.lastBeforeSilence.map { .init(start: $0, end: run.first.time) })
      return false
    }
    tracked.visit = visit
    return true
  }

  private func isLongEnough(_ run: ExitRun) -> Bool {
    run.countedFixes >= settings.exitFixCount
      && run.last.milliseconds(since: run.first.time) >= settings.exitRunMilliseconds
  }

  /// Whether the fix is beyond the exit buffer even if its error points away from the fence.
  private func isBeyond(_ entry: FenceSet.Entry, distance: Double) -> Bool {
    rules.isBeyond(entry, distance: distance, accuracy: fix.accuracy)
  }

  /// Whether a fence was changed since the subject was judged last, so that this fix, the first
  /// since, is judged on its own.
  private func isNotJudged(since change: FenceSet.Change?, visit: Visit? = nil) -> Bool {
    guard previous != nil, let change else { return false }
    return change.revision > judgedRevision || (visit?.isChangePending ?? false)
  }

  private mutating func tellRemoval(of visit: Visit, at fence: Fence.ID) {
    told.add(
      .exited, fence: fence,
      FenceEvent(
        kind: .exited, subject: subject, fence: fence, visit: visit.id, time: fix.time,
        confirmedAt: fix.time, rule: .fenceRemoved, cause: .fenceRemoved))
  }

  private mutating func tellDwelling(
    _ visit: inout Visit, at entry: FenceSet.Entry, evidence: Evidence, beforeItsExit: Bool = false
  ) {
    guard let dwell = entry.fence.settings.dwellSeconds, !visit.hasDwelled else { return }
    let due = visit.entry.advanced(bySeconds: dwell)
    guard fix.time >= due else { return }
    if let run = visit.exitRun, run.first.time < due { return }
    visit.hasDwelled = true
    tell(
      .dwelled, at: entry, visit: visit, time: due, rule: .dwell, evidence: evidence,
      beforeItsExit: beforeItsExit)
  }

  // MARK: Fences that contain the fix

  private mutating func judgeContaining(_ presence: inout SubjectPresence) {
    var containing: [(slot: Int32, distance: Double)] = []
    rules.fences.forEachContaining(fix.coordinate) { containing.append(($0, $1)) }
    for (slot, distance) in containing {
      guard let entry = rules.fences.entry(at: slot) else { continue }
      let evidence = Evidence(fix, distanceInMeters: distance)
      if let index = presence.fences.firstIndex(where: { $0.slot == slot }) {
        guard presence.fences[index].visit == nil, let first = presence.fences[index].entryRun
        else { continue }
        enter(
          &presence.fences[index], entry: entry, rule: .twoFixes, first: first, evidence: evidence)
        continue
      }
      var entering = FencePresence(slot: slot, visit: nil, entryRun: evidence)
      if fix.accuracy != nil {
        if isFirst {
          enter(&entering, entry: entry, rule: .firstFix, first: evidence, evidence: evidence)
        } else if !closedBySilence.contains(slot), isNotJudged(since: entry.change),
          let cause = entry.change?.cause
        {
          enter(
            &entering, entry: entry, rule: FenceEvent.Rule(cause), cause: cause, first: evidence,
            evidence: evidence)
        } else if isConfident(entry, distance: distance) {
          enter(
            &entering, entry: entry, rule: .confidentFix, first: evidence, evidence: evidence)
        }
      }
      presence.fences.append(entering)
    }
  }

  private func isConfident(_ entry: FenceSet.Entry, distance: Double) -> Bool {
    guard let accuracy = fix.accuracy else { return false }
    return entry.area.isConfident(
      at: fix.coordinate, distanceInMeters: distance, accuracyInMeters: accuracy.meters,
      threshold: settings.entryConfidence)
  }

  private mutating func enter(
    _ tracked: inout FencePresence, entry: FenceSet.Entry, rule: FenceEvent.Rule,
    cause: FenceEvent.Cause? = nil, first: Evidence, evidence: Evidence
  ) {
    var visit = Visit(
      id: VisitID(subject: subject, fence: entry.fence.id, entry: first.time), entry: first.time)
    tell(
      .entered, at: entry, visit: visit, time: first.time, rule: rule, cause: cause,
      evidence: first, distanceNow: evidence.distanceInMeters)
    tellDwelling(&visit, at: entry, evidence: evidence)
    tracked.visit = visit
    tracked.entryRun = nil
  }

  // MARK: Fences passed since the fix before

  private mutating func judgePassing(_ presence: SubjectPresence) {
    guard rules.fences.tellsPassing, let previous,
      fix.time.milliseconds(since: previous.time) <= settings.passingMilliseconds,
      rules.isPlausible(fix, after: previous)
    else { return }
    let milliseconds = Double(fix.time.milliseconds(since: previous.time))
    var candidates: Set<Int32> = []
    rules.fences.forEachCandidate(between: previous.coordinate, and: fix.coordinate) {
      candidates.insert($0)
    }
    for slot in candidates {
      guard !presence.fences.contains(where: { $0.slot == slot }),
        let entry = rules.fences.entry(at: slot), entry.fence.settings.passed,
        !exitedNow.contains(entry.fence.id),
        entry.change.map({ $0.time <= previous.time }) ?? true,
        let inside = entry.area.crossing(from: previous.coordinate, to: fix.coordinate),
        entry.area.distanceInMeters(to: previous.coordinate) > entry.area.radiusInMeters
      else { continue }
      let start = previous.time.advanced(
        byMilliseconds: Int64((inside.lowerBound * milliseconds).rounded()))
      let end = previous.time.advanced(
        byMilliseconds: Int64((inside.upperBound * milliseconds).rounded()))
      let coordinate = previous.coordinate.interpolated(
        to: fix.coordinate, fraction: inside.lowerBound)
      let distance = entry.area.distanceInMeters(to: coordinate)
      told.add(
        .passed, fence: entry.fence.id,
        normalizedDistance: entry.area.normalizedDistance(
          entry.area.distanceInMeters(to: fix.coordinate)),
        FenceEvent(
          kind: .passed, subject: subject, fence: entry.fence.id, visit: nil, time: start,
          confirmedAt: fix.time, rule: .straightWay, coordinate: coordinate,
          distance: .meters(distance), interval: .init(start: start, end: end)))
    }
  }

  /// The fences whose visit this fix closed: they were not left by passing them.
  private var exitedNow: Set<Fence.ID> = []
  /// The fences whose visit ended in a silence: the next visit is entered by the usual rules.
  private var closedBySilence: Set<Int32> = []

  // MARK: Telling

  private mutating func tell(
    _ kind: FenceEvent.Kind, at entry: FenceSet.Entry, visit: Visit, time: Timestamp,
    rule: FenceEvent.Rule, cause: FenceEvent.Cause? = nil, evidence: Evidence?,
    interval: FenceEvent.Interval? = nil, beforeItsExit: Bool = false, distanceNow: Double? = nil
  ) {
    if kind == .exited { exitedNow.insert(entry.fence.id) }
    var nearness = 0.0
    if kind != .exited, !beforeItsExit,
      let distance = distanceNow ?? evidence?.distanceInMeters
    {
      nearness = entry.area.normalizedDistance(distance)
    }
    told.add(
      kind, fence: entry.fence.id, normalizedDistance: nearness, beforeItsExit: beforeItsExit,
      FenceEvent(
        kind: kind, subject: subject, fence: entry.fence.id, visit: visit.id, time: time,
        confirmedAt: fix.time, rule: rule, isInitial: rule == .firstFix, cause: cause,
        coordinate: evidence?.coordinate, distance: evidence.map { .meters($0.distanceInMeters) },
        interval: interval))
  }

  init(
    rules: PresenceRules, fix: Fix, isCoarse: Bool, subject: SubjectID,
    previous: SubjectPresence.CountedFix?, judgedRevision: Int
  ) {
    self.rules = rules
    self.fix = fix
    self.isCoarse = isCoarse
    self.subject = subject
    self.previous = previous
    self.judgedRevision = judgedRevision
  }
}
