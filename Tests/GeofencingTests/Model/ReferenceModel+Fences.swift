import Geo
import Geofencing

extension ReferenceModel {
  /// Replaces the fences, and judges again those who were seen a moment ago.
  mutating func setFences(_ new: [Fence], at now: Timestamp) -> [FenceEvent] {
    let old = Dictionary(uniqueKeysWithValues: fences.map { ($0.id, $0) })
    let kept = Set(new.map(\.id))
    let removed = fences.filter { !kept.contains($0.id) }
    let edited = new.compactMap { fence -> (Fence, FenceEvent.Cause)? in
      guard let before = old[fence.id] else { return (fence, .fenceCreated) }
      let isSame = before.area == fence.area && before.settings == fence.settings
      return isSame ? nil : (fence, .fenceChanged)
    }
    replaceFences(new)
    for (fence, _) in edited { editedAt[fence.id] = now }
    var events: [FenceEvent] = []
    for subject in records.keys.sorted() {
      var told: [FenceEvent] = []
      for fence in removed { told += remove(fence, subject, at: now) }
      for (fence, cause) in edited { told += edit(fence, subject, at: now, cause) }
      events += told.sorted {
        ($0.kind == .exited ? 0 : 1, $0.fence) < ($1.kind == .exited ? 0 : 1, $1.fence)
      }
    }
    return events
  }

  private func isFresh(_ subject: SubjectID, at now: Timestamp) -> Bool {
    guard let last = records[subject]!.lastCounted else { return false }
    return now.seconds(since: last.fix.time) <= 120
  }

  private mutating func remove(
    _ fence: Fence, _ subject: SubjectID, at now: Timestamp
  ) -> [FenceEvent] {
    records[subject]!.toJudge[fence.id] = nil
    guard var visit = records[subject]!.visits.removeValue(forKey: fence.id) else { return [] }
    visit.fence = fence
    guard visit.lastFixBeforeSilence == nil, isFresh(subject, at: now) else {
      records[subject]!.orphans.append(visit)
      return []
    }
    return [removal(of: visit, fence, subject, at: now)]
  }

  private mutating func edit(
    _ fence: Fence, _ subject: SubjectID, at now: Timestamp, _ cause: FenceEvent.Cause
  ) -> [FenceEvent] {
    records[subject]!.runsBeginAt[fence.id] = records[subject]!.accepted.count
    records[subject]!.toJudge[fence.id] = nil
    guard let last = records[subject]!.lastCounted else { return [] }
    let isSuspended = records[subject]!.visits[fence.id]?.lastFixBeforeSilence != nil
    guard !isSuspended, isFresh(subject, at: now) else {
      records[subject]!.toJudge[fence.id] = cause
      return []
    }
    let view = view(of: last.fix, fence)
    return judgeAlone(last, view: view, subject, fence, at: now, cause).map { [$0] } ?? []
  }

  /// What one counted fix alone decides about a fence that is new or another than before.
  mutating func judgeAlone(
    _ seen: Seen, view: View, _ subject: SubjectID, _ fence: Fence, at time: Timestamp,
    _ cause: FenceEvent.Cause
  ) -> FenceEvent? {
    var event = FenceEvent(
      kind: .exited, subject: subject, fence: fence.id, visit: nil, time: time, confirmedAt: time,
      rule: cause == .fenceCreated ? .fenceCreated : .fenceChanged, cause: cause,
      coordinate: seen.fix.coordinate, distance: .meters(view.distance))
    if let visit = records[subject]!.visits[fence.id] {
      guard view.isBeyond else { return nil }
      records[subject]!.visits[fence.id] = nil
      event.visit = VisitID(subject: subject, fence: fence.id, entry: visit.entry)
    } else {
      guard view.isInside, seen.fix.accuracy != nil else { return nil }
      records[subject]!.visits[fence.id] = Visit(fence: fence, entry: time)
      event.kind = .entered
      event.visit = VisitID(subject: subject, fence: fence.id, entry: time)
    }
    return event
  }

  /// Ends the visits in fences that were removed while their subject was not fresh.
  mutating func closeOrphans(_ subject: SubjectID, told: inout Told) {
    let now = records[subject]!.accepted.last!.fix.time
    for visit in records[subject]!.orphans {
      told.exits.append(
        (visit.fence.id, [removal(of: visit, nil, subject, at: now)]))
    }
    records[subject]!.orphans = []
  }

  private func removal(
    of visit: Visit, _ fence: Fence?, _ subject: SubjectID, at time: Timestamp
  ) -> FenceEvent {
    // A fix that came after the removal has no distance from what is no more.
    let last = fence == nil ? nil : records[subject]!.lastCounted?.fix
    return FenceEvent(
      kind: .exited, subject: subject, fence: visit.fence.id,
      visit: VisitID(subject: subject, fence: visit.fence.id, entry: visit.entry),
      time: time, confirmedAt: time, rule: .fenceRemoved, cause: .fenceRemoved,
      coordinate: last?.coordinate,
      distance: last.map { .meters(ModelGeodesy.distance($0.coordinate, visit.fence.area)) })
  }
}
