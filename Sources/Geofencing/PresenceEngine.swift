import Geo

/// Takes fixes, holds the presence of every subject, and returns the events that fixes, time and
/// edits of the fences confirm.
///
/// Time comes in with the fixes and with `advance(to:)`, never from a clock, so that the same input
/// gives the same events in a replay as it gave live.
public struct PresenceEngine: Sendable {
  public private(set) var fences: FenceSet
  public let settings: EngineSettings
  private var subjects: [SubjectID: SubjectPresence] = [:]
  private var silences = SilenceQueue()
  private var pasts: [SubjectID: RecentPast] = [:]
  /// Whose past awaits amending.
  private var unsettledPasts: Set<SubjectID> = []
  /// How many fixes of each subject are kept so that one that comes late can amend the past.
  private let pastLength: Int

  /// Makes an engine that knows no subject yet.
  ///
  /// With a `pastLength` above zero it keeps that many of each subject's last fixes, and
  /// fixes that come out of order amend past visits; with zero they change nothing.
  public init(
    fences: FenceSet, settings: EngineSettings = EngineSettings(), pastLength: Int = 0
  ) {
    self.fences = fences
    self.settings = settings
    self.pastLength = pastLength
  }

  /// What is held for a subject; nil where it was never seen.
  public func presence(of subject: SubjectID) -> SubjectPresence? { subjects[subject] }

  /// Puts back what was known of a subject, as it was saved or before a step that is not to count;
  /// nil forgets it.
  public mutating func restore(_ presence: SubjectPresence?, of subject: SubjectID) {
    subjects[subject] = presence
    pasts[subject] = nil
    if let presence { watchForSilence(of: subject, presence) }
  }

  /// The slot of a fence, or one that stands for a fence that was removed.
  mutating func slotReserved(for id: Fence.ID) -> Int32 {
    if let slot = fences.slot(of: id) { return slot }
    let (reserved, slot) = fences.reservingSlot(ofRemoved: id)
    fences = reserved
    return slot
  }

  /// Judges one fix and appends the events that it confirms to `events`, in order.
  @discardableResult
  public mutating func receive(
    _ fix: Fix, from subject: SubjectID, events: inout [FenceEvent]
  ) -> FixOutcome {
    let rules = PresenceRules(fences: fences, settings: settings)
    let firstEvent = events.count
    // Taken out and put back, so that it is changed in place.
    var presence = subjects[subject] ?? SubjectPresence()
    subjects[subject] = nil
    let needsKnown = pastLength > 0 && pasts[subject]?.hasBegun != true
    let known = needsKnown ? presence : nil
    let outcome = rules.receive(fix, of: subject, presence: &presence, events: &events)
    watchForSilence(of: subject, presence)
    subjects[subject] = presence
    guard pastLength > 0 else { return outcome }
    let judged = pasts[subject, default: RecentPast(length: pastLength)].take(
      fix, outcome: outcome, of: subject, known: known, now: presence, rules: rules,
      firstEvent: firstEvent, events: &events)
    if outcome == .outOfOrder, pasts[subject]?.awaitsAmending == true {
      unsettledPasts.insert(subject)
    }
    return judged
  }

  /// Tells what late fixes make of the past, where that was put off while more of them came; to be
  /// called when nothing comes for a moment, and at the end.
  public mutating func settle(events: inout [FenceEvent]) {
    if unsettledPasts.isEmpty { return }
    let rules = PresenceRules(fences: fences, settings: settings)
    for subject in unsettledPasts.sorted() {
      guard let presence = subjects[subject], pasts[subject]?.awaitsAmending == true else {
        continue
      }
      pasts[subject]?.amend(of: subject, now: presence, rules: rules, events: &events)
    }
    unsettledPasts.removeAll()
  }

  /// Judges fixes of one subject and one time that stand together in a trace or batch: one of them
  /// decides, and the others are only kept.
  ///
  /// The better accuracy decides, then the smaller distance to the nearest fence, then the order.
  /// The outcomes are in the order of `fixes`.
  @discardableResult
  public mutating func receive(
    together fixes: [Fix], from subject: SubjectID, events: inout [FenceEvent]
  ) -> [FixOutcome] {
    guard fixes.count > 1, let decider = decider(among: fixes) else {
      return fixes.map { receive($0, from: subject, events: &events) }
    }
    let decision = receive(fixes[decider], from: subject, events: &events)
    return fixes.indices.map { index in
      if index == decider { return decision }
      // What is no report is refused as it would be alone.
      guard countsAsReport(fixes[index]) else {
        return receive(fixes[index], from: subject, events: &events)
      }
      return fixes[index].coordinate == fixes[decider].coordinate ? .duplicate : .sameTime
    }
  }

  private func countsAsReport(_ fix: Fix) -> Bool {
    let rules = PresenceRules(fences: fences, settings: settings)
    return !rules.isNullIsland(fix.coordinate) && (!fix.isSimulated || settings.allowsSimulated)
  }

  private func decider(among fixes: [Fix]) -> Int? {
    let rules = PresenceRules(fences: fences, settings: settings)
    var best: (index: Int, accuracy: Double, distance: Double)?
    for (index, fix) in fixes.enumerated() where countsAsReport(fix) {
      let accuracy = rules.accuracyInMeters(fix.accuracy)
      if let best, accuracy > best.accuracy { continue }
      let distance = fences.distanceInMetersToNearest(from: fix.coordinate) ?? 0
      if let best, accuracy == best.accuracy, distance >= best.distance { continue }
      best = (index, accuracy, distance)
    }
    return best?.index
  }

  /// Tells the clock: returns `presence_expired` for every visit whose subject has been silent for
  /// too long at `now`, soonest first. Calls `willChange` with what was known of each subject that
  /// is concerned.
  public mutating func advance(
    to now: Timestamp, events: inout [FenceEvent],
    willChange: (SubjectID, SubjectPresence) -> Void = { _, _ in }
  ) {
    let rules = PresenceRules(fences: fences, settings: settings)
    while let (subject, deadline) = silences.popDue(at: now) {
      guard var presence = subjects[subject], let last = presence.lastAccepted else { continue }
      // A later fix has moved the deadline: the subject takes its new place in the order.
      if last.time.advanced(byMilliseconds: settings.silenceMilliseconds) > deadline {
        watchForSilence(of: subject, presence)
        continue
      }
      willChange(subject, presence)
      subjects[subject] = nil
      rules.expire(at: now, of: subject, presence: &presence, events: &events)
      subjects[subject] = presence
    }
  }

  /// Suspends a subject's open visits because another took over its device at `now`; no exit is
  /// invented.
  public mutating func handOver(
    from subject: SubjectID, at now: Timestamp, events: inout [FenceEvent]
  ) {
    guard var presence = subjects[subject] else { return }
    PresenceRules(fences: fences, settings: settings).suspend(
      at: now, rule: .handedOver, cause: .handedOver, of: subject, presence: &presence,
      events: &events)
    // What the next fix of this subject agrees with is not from before the hand-over.
    presence.held = nil
    subjects[subject] = presence
  }

  /// Puts `fences` in the place of the present ones from `now` on.
  ///
  /// Subjects whose last counted fix is fresh are judged again by it at once; the others are judged
  /// at their next fix. `revision` numbers the edit where edits are numbered elsewhere. Calls
  /// `willChange` with what was known of each that is judged at once.
  public mutating func replaceFences(
    by newFences: [Fence], at now: Timestamp, revision: Int? = nil, events: inout [FenceEvent],
    willChange: (SubjectID, SubjectPresence) -> Void = { _, _ in }
  ) throws(FenceSet.DuplicateID) {
    let old = fences
    let (replaced, edit) = try old.replaced(by: newFences, at: now, revision: revision)
    fences = replaced
    if edit.isEmpty { return }
    let judgement = FenceEditJudgement(
      rules: PresenceRules(fences: fences, settings: settings), old: old, edit: edit, now: now)
    let fresh = subjects.filter { $0.value.isFresh(at: now, settings: settings) }.keys.sorted()
    for subject in fresh {
      guard var presence = subjects[subject] else { continue }
      willChange(subject, presence)
      judgement.judge(subject, &presence, events: &events)
      watchForSilence(of: subject, presence)
      subjects[subject] = presence
    }
    // The past was judged by fences that are no more.
    pasts.removeAll(keepingCapacity: true)
  }

  private mutating func watchForSilence(of subject: SubjectID, _ presence: SubjectPresence) {
    guard presence.hasActiveVisit, let last = presence.lastAccepted else { return }
    silences.insert(
      subject,
      deadline: last.time.advanced(byMilliseconds: settings.silenceMilliseconds))
  }
}

extension SubjectPresence {
  /// Whether a visit is open and its presence known.
  var hasActiveVisit: Bool {
    fences.contains { $0.visit.map { $0.lastBeforeSilence == nil } ?? false }
  }

  /// Whether the last counted fix is fresh enough to judge a changed fence by.
  func isFresh(at now: Timestamp, settings: EngineSettings) -> Bool {
    lastCounted.map { now.milliseconds(since: $0.time) <= settings.freshMilliseconds } ?? false
  }
}
