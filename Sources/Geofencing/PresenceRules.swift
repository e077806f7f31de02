import Geo

/// How one fix of one subject moves its presence: the rules themselves, without state of their own.
struct PresenceRules: Sendable {
  let fences: FenceSet
  let settings: EngineSettings

  /// Judges a fix against what was known of its subject, changes that, and appends the events it
  /// confirms to `events`, in order.
  func receive(
    _ fix: Fix, of subject: SubjectID, presence: inout SubjectPresence,
    events: inout [FenceEvent]
  ) -> FixOutcome {
    if isNullIsland(fix.coordinate) { return .nullIsland }
    if fix.isSimulated, !settings.allowsSimulated { return .simulated }
    if let last = presence.lastAccepted {
      if fix.time == last.time {
        return fix.coordinate == last.coordinate ? .duplicate : .sameTime
      }
      if let held = presence.held, fix.time == held.time {
        return fix.coordinate == held.coordinate ? .duplicate : .sameTime
      }
      if fix.time < last.time { return .outOfOrder }
    }
    guard let reference = presence.lastCounted else {
      return accept(fix, of: subject, presence: &presence, events: &events)
    }
    if isPlausible(fix, after: reference) {
      if !isCoarse(fix) { presence.held = nil }
      return accept(fix, of: subject, presence: &presence, events: &events)
    }
    if isCoarse(fix) { return .implausibleJump }
    guard let held = presence.held, isPlausible(fix, after: SubjectPresence.CountedFix(held)) else {
      presence.held = fix
      return .implausibleJump
    }
    presence.held = nil
    for agreed in held.time < fix.time ? [held, fix] : [fix, held] {
      // A coarse fix accepted meanwhile may have taken the held one's place in the order of time.
      if let last = presence.lastAccepted, agreed.time <= last.time { continue }
      _ = accept(agreed, of: subject, presence: &presence, events: &events)
    }
    return .accepted
  }

  /// Suspends the visits of a subject that has had no fix for so long that its presence is unknown.
  func expire(
    at now: Timestamp, of subject: SubjectID, presence: inout SubjectPresence,
    events: inout [FenceEvent]
  ) {
    guard let last = presence.lastAccepted,
      now.milliseconds(since: last.time) >= settings.silenceMilliseconds
    else { return }
    suspend(
      at: last.time.advanced(byMilliseconds: settings.silenceMilliseconds), rule: .silence,
      cause: nil, of: subject, presence: &presence, events: &events)
  }

  /// Suspends every open visit of a subject at `time`.
  func suspend(
    at time: Timestamp, rule: FenceEvent.Rule, cause: FenceEvent.Cause?, of subject: SubjectID,
    presence: inout SubjectPresence, events: inout [FenceEvent]
  ) {
    guard let last = presence.lastAccepted else { return }
    var told = EventOrder()
    for index in presence.fences.indices {
      guard var visit = presence.fences[index].visit, visit.lastBeforeSilence == nil else {
        continue
      }
      let fence = fences.id(at: presence.fences[index].slot)
      visit.lastBeforeSilence = last.time
      visit.exitRun = nil
      presence.fences[index].visit = visit
      told.add(
        .presenceExpired, fence: fence,
        FenceEvent(
          kind: .presenceExpired, subject: subject, fence: fence, visit: visit.id,
          time: time, confirmedAt: time, rule: rule, cause: cause))
    }
    told.append(to: &events)
  }

  func isCoarse(_ fix: Fix) -> Bool {
    fix.accuracy.map { $0 > settings.coarseAccuracy } ?? false
  }

  func isNullIsland(_ coordinate: Coordinate) -> Bool {
    abs(coordinate.latitude) <= settings.nullIslandDegrees
      && abs(coordinate.longitude) <= settings.nullIslandDegrees
      && !fences.contains(coordinate)
  }

  /// Whether the way from `reference` takes no more than a plausible speed, once both accuracies are
  /// subtracted. Their order in time does not matter.
  func isPlausible(_ fix: Fix, after reference: SubjectPresence.CountedFix) -> Bool {
    let milliseconds = abs(fix.time.milliseconds(since: reference.time))
    let reach =
      settings.plausibleSpeed.metersPerSecond * Double(milliseconds) / 1000
      + accuracyInMeters(fix.accuracy) + accuracyInMeters(reference.accuracy)
    return reference.coordinate.distance(to: fix.coordinate).meters <= reach
  }

  /// An unknown accuracy counts as the worst that still counts.
  func accuracyInMeters(_ accuracy: Distance?) -> Double {
    (accuracy ?? settings.coarseAccuracy).meters
  }

  /// Whether a position is beyond a fence's exit buffer even if its error points away from it.
  ///
  /// Up to `wholeAccuracy` the error is capped, so that an honest but middling receiver can still
  /// leave; beyond, the whole of it counts.
  func isBeyond(_ entry: FenceSet.Entry, distance: Double, accuracy: Distance?) -> Bool {
    let error = accuracyInMeters(accuracy)
    let counted =
      error <= settings.wholeAccuracy.meters ? min(error, settings.coarseAccuracy.meters) : error
    return distance - counted
      > entry.area.radiusInMeters + entry.fence.settings.exitBuffer.meters
  }

  private func accept(
    _ fix: Fix, of subject: SubjectID, presence: inout SubjectPresence,
    events: inout [FenceEvent]
  ) -> FixOutcome {
    if let last = presence.lastAccepted,
      fix.time.milliseconds(since: last.time) >= settings.silenceMilliseconds
    {
      expire(at: fix.time, of: subject, presence: &presence, events: &events)
      presence.forgetRuns()
    }
    var step = PresenceStep(
      rules: self, fix: fix, isCoarse: isCoarse(fix), subject: subject,
      previous: presence.lastCounted, judgedRevision: presence.judgedRevision)
    step.judge(&presence)
    step.told.append(to: &events)
    presence.lastAccepted = SubjectPresence.CountedFix(fix)
    if step.isCoarse { return .accuracyTooLow }
    presence.lastCounted = presence.lastAccepted
    presence.judgedRevision = fences.revision
    return .accepted
  }
}

extension SubjectPresence {
  /// Drops every run that has not become an entry or an exit.
  fileprivate mutating func forgetRuns() {
    fences.removeAll { $0.visit == nil }
    for index in fences.indices { fences[index].visit?.exitRun = nil }
  }
}
