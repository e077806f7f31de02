import Geo
import Geofencing

extension ReferenceModel {
  /// The events of one fix, each kind in its own list until they are put in order.
  struct Told {
    /// An exit, before it the `dwelled` of its visit where that is told at the same fix.
    var exits: [(fence: Fence.ID, events: [FenceEvent])] = []
    var others: [FenceEvent] = []
  }

  /// Judges the fix that was accepted last at every fence.
  mutating func judge(_ seen: Seen, of subject: SubjectID) -> [FenceEvent] {
    var told = Told()
    closeOrphans(subject, told: &told)
    for fence in fences {
      if seen.isCounted, let cause = records[subject]!.toJudge.removeValue(forKey: fence.id),
        let event = judgeAlone(
          seen, view: seen.views[fence.id]!, subject, fence, at: seen.fix.time, cause)
      {
        if event.kind == .exited {
          told.exits.append((fence.id, [event]))
        } else {
          told.others.append(event)
          tellDwell(seen, subject, fence, told: &told)
        }
        continue
      }
      if records[subject]!.visits[fence.id] != nil {
        judgeVisit(seen, subject, fence, told: &told)
      } else if seen.isCounted {
        judgeOutside(seen, subject, fence, told: &told)
      }
    }
    return inOrder(told, at: seen)
  }

  // MARK: A visit is open

  private mutating func judgeVisit(
    _ seen: Seen, _ subject: SubjectID, _ fence: Fence, told: inout Told
  ) {
    let visit = records[subject]!.visits[fence.id]!
    let view = seen.views[fence.id]!
    let run = exitRun(subject, fence)
    if view.isBeyond, let first = run.first, run.count(where: \.isCounted) >= 2,
      seen.fix.time.seconds(since: first.fix.time) >= 15
    {
      var exit = event(.exited, subject, fence, first, confirmedBy: seen, rule: .exitRun)
      if let last = visit.lastFixBeforeSilence {
        exit.interval = FenceEvent.Interval(start: last, end: first.fix.time)
      }
      var events = [exit]
      if let dwell = fence.settings.dwellSeconds, !visit.hasDwelled,
        visit.lastFixBeforeSilence == nil,
        first.fix.time >= visit.entry.advanced(bySeconds: dwell)
      {
        events.insert(dwelled(seen, subject, fence, visit, dwell), at: 0)
      }
      records[subject]!.visits[fence.id] = nil
      told.exits.append((fence.id, events))
      return
    }
    guard seen.isCounted else { return }
    if let last = visit.lastFixBeforeSilence {
      guard view.isInside else { return }
      if seen.fix.time.seconds(since: last) > 4 * 3600 {
        told.exits.append(
          (
            fence.id,
            [
              FenceEvent(
                kind: .exited, subject: subject, fence: fence.id, visit: id(visit, subject),
                time: max(visit.entry, last), confirmedAt: seen.fix.time, rule: .silence,
                cause: .silent)
            ]
          ))
        records[subject]!.visits[fence.id] = nil
        judgeOutside(seen, subject, fence, told: &told)
        return
      }
      records[subject]!.visits[fence.id]!.lastFixBeforeSilence = nil
      told.others.append(
        event(.presenceResumed, subject, fence, seen, confirmedBy: seen, rule: .insideAfterSilence))
    }
    tellDwell(seen, subject, fence, told: &told)
  }

  private mutating func tellDwell(
    _ seen: Seen, _ subject: SubjectID, _ fence: Fence, told: inout Told
  ) {
    guard let visit = records[subject]!.visits[fence.id], !visit.hasDwelled,
      let dwell = fence.settings.dwellSeconds
    else { return }
    let due = visit.entry.advanced(bySeconds: dwell)
    guard seen.fix.time >= due else { return }
    if let leaving = exitRun(subject, fence).first, leaving.fix.time < due { return }
    records[subject]!.visits[fence.id]!.hasDwelled = true
    told.others.append(dwelled(seen, subject, fence, visit, dwell))
  }

  // MARK: No visit is open

  private mutating func judgeOutside(
    _ seen: Seen, _ subject: SubjectID, _ fence: Fence, told: inout Told
  ) {
    let record = records[subject]!
    let view = seen.views[fence.id]!
    guard view.isInside else {
      if let event = passed(seen, subject, fence) { told.others.append(event) }
      return
    }
    let isFirst = record.accepted.count(where: \.isCounted) == 1
    let run = entryRun(subject, fence)
    let entry: FenceEvent
    if isFirst && seen.fix.accuracy != nil {
      var first = event(.entered, subject, fence, seen, confirmedBy: seen, rule: .firstFix)
      first.isInitial = true
      entry = first
    } else if run.count >= 2 {
      entry = event(.entered, subject, fence, run[0], confirmedBy: seen, rule: .twoFixes)
    } else if isConfident(seen.fix, fence) {
      entry = event(.entered, subject, fence, seen, confirmedBy: seen, rule: .confidentFix)
    } else {
      return
    }
    open(entry, subject, fence, told: &told)
    tellDwell(seen, subject, fence, told: &told)
  }

  private mutating func open(
    _ entry: FenceEvent, _ subject: SubjectID, _ fence: Fence, told: inout Told
  ) {
    records[subject]!.visits[fence.id] = Visit(fence: fence, entry: entry.time)
    var entry = entry
    entry.visit = VisitID(subject: subject, fence: fence.id, entry: entry.time)
    told.others.append(entry)
  }

  private mutating func isConfident(_ fix: Fix, _ fence: Fence) -> Bool {
    guard let accuracy = fix.accuracy?.meters else { return false }
    let probability = ModelProbability.inside(fence.area, at: fix.coordinate, accuracy: accuracy)
    if case .circle = fence.area {
      noteCloseCall(abs(probability - 0.95) < 1e-6)
    } else {
      noteCloseCall(abs(probability - 0.95) < 3e-3)
    }
    return probability >= 0.95
  }

  private mutating func passed(
    _ seen: Seen, _ subject: SubjectID, _ fence: Fence
  ) -> FenceEvent? {
    let accepted = records[subject]!.accepted
    guard fence.settings.passed,
      let index = accepted.dropLast().lastIndex(where: \.isCounted),
      !view(of: accepted[index].fix, fence).isInside
    else { return nil }
    let before = accepted[index].fix
    // Nobody passes a fence that was not there, or was another, when they set out.
    if let edited = editedAt[fence.id], edited > before.time { return nil }
    let seconds = seen.fix.time.seconds(since: before.time)
    guard seconds <= 120, isPlausible(from: before, to: seen.fix),
      let cut = ModelGeodesy.cut(
        from: before.coordinate, to: seen.fix.coordinate, fence.area)
    else { return nil }
    noteCloseCall(cut.depth < 0.05)
    let enters = before.time.advanced(bySeconds: cut.enters * seconds)
    let leaves = before.time.advanced(bySeconds: cut.leaves * seconds)
    return FenceEvent(
      kind: .passed, subject: subject, fence: fence.id, visit: nil, time: enters,
      confirmedAt: seen.fix.time, rule: .straightWay,
      coordinate: ModelGeodesy.between(before.coordinate, seen.fix.coordinate, cut.enters),
      distance: .meters(ModelGeodesy.radius(fence.area)),
      interval: FenceEvent.Interval(start: enters, end: leaves))
  }

  // MARK: Runs, by looking back

  /// The accepted fixes, newest first, back to where a run at this fence may begin, or to 30
  /// minutes without one.
  private func newestFirst(_ subject: SubjectID, _ fence: Fence) -> [Seen] {
    let accepted = records[subject]!.accepted
    let from = records[subject]!.runsBeginAt[fence.id] ?? 0
    var back: [Seen] = []
    for seen in accepted[min(from, accepted.count)...].reversed() {
      if let later = back.last, later.fix.time.seconds(since: seen.fix.time) >= 30 * 60 { break }
      back.append(seen)
    }
    return back
  }

  /// The counted fixes inside since the last one outside, in order of time.
  private func entryRun(_ subject: SubjectID, _ fence: Fence) -> [Seen] {
    newestFirst(subject, fence).filter(\.isCounted)
      .prefix { $0.views[fence.id]!.isInside }.reversed()
  }

  /// The fixes beyond the buffer since the last counted one that was not, in order of time; a
  /// coarse one does not begin it.
  private func exitRun(_ subject: SubjectID, _ fence: Fence) -> [Seen] {
    let run = newestFirst(subject, fence)
      .prefix { !$0.isCounted || $0.views[fence.id]!.isBeyond }
      .filter { $0.views[fence.id]!.isBeyond }
    return Array(run.reversed().drop { !$0.isCounted })
  }

  // MARK: Events

  private func id(_ visit: Visit, _ subject: SubjectID) -> VisitID {
    VisitID(subject: subject, fence: visit.fence.id, entry: visit.entry)
  }

  func event(
    _ kind: FenceEvent.Kind, _ subject: SubjectID, _ fence: Fence, _ first: Seen,
    confirmedBy last: Seen, rule: FenceEvent.Rule
  ) -> FenceEvent {
    FenceEvent(
      kind: kind, subject: subject, fence: fence.id,
      visit: records[subject]!.visits[fence.id].map { id($0, subject) },
      time: first.fix.time, confirmedAt: last.fix.time, rule: rule,
      coordinate: first.fix.coordinate, distance: .meters(first.views[fence.id]!.distance))
  }

  private func dwelled(
    _ seen: Seen, _ subject: SubjectID, _ fence: Fence, _ visit: Visit, _ dwell: Double
  ) -> FenceEvent {
    FenceEvent(
      kind: .dwelled, subject: subject, fence: fence.id, visit: id(visit, subject),
      time: visit.entry.advanced(bySeconds: dwell), confirmedAt: seen.fix.time, rule: .dwell,
      coordinate: seen.fix.coordinate, distance: .meters(seen.views[fence.id]!.distance))
  }

  /// Exits by fence; then resumed, entered, dwelled and passed, each nearest first.
  private mutating func inOrder(_ told: Told, at seen: Seen) -> [FenceEvent] {
    let exits = told.exits.sorted { $0.fence < $1.fence }.flatMap(\.events)
    let kinds: [FenceEvent.Kind] = [.presenceResumed, .entered, .dwelled, .passed]
    var others: [FenceEvent] = []
    for kind in kinds {
      let ofKind = told.others.filter { $0.kind == kind }.map { event in
        let area = fences.first { $0.id == event.fence }!.area
        let normalized = ModelGeodesy.normalizedDistance(
          seen.views[event.fence]!.distance, area)
        return (normalized: normalized, area: area, event: event)
      }.sorted { ($0.normalized, $0.event.fence) < ($1.normalized, $1.event.fence) }
      for (a, b) in zip(ofKind, ofKind.dropFirst()) where a.area != b.area {
        noteCloseCall(b.normalized - a.normalized < 1e-4)
      }
      others += ofKind.map(\.event)
    }
    return exits + others
  }
}
