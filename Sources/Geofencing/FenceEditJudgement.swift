import Geo

/// Judges subjects with a fresh fix by fences that were just created, changed or removed.
///
/// One fix alone decides here: the subject did not move, the fence did.
struct FenceEditJudgement {
  let rules: PresenceRules
  /// The set before the edit.
  let old: FenceSet
  let edit: FenceSet.Edit
  let now: Timestamp

  func judge(
    _ subject: SubjectID, _ presence: inout SubjectPresence, events: inout [FenceEvent]
  ) {
    guard let fix = presence.lastCounted else { return }
    var told = EventOrder()
    for slot in edit.removed {
      guard let index = presence.fences.firstIndex(where: { $0.slot == slot }),
        let entry = old.entry(at: slot)
      else { continue }
      if let visit = presence.fences[index].visit {
        // The next fix closes what a silence suspended.
        if visit.lastBeforeSilence != nil { continue }
        tell(.exited, subject, visit.id, fix, entry, cause: .fenceRemoved, to: &told)
      }
      presence.fences.remove(at: index)
    }
    for slot in edit.changed + edit.created {
      guard let entry = rules.fences.entry(at: slot), let change = entry.change else { continue }
      judge(subject, &presence, fix, slot: slot, entry, cause: change.cause, told: &told)
    }
    told.append(to: &events)
    presence.judgedRevision = rules.fences.revision
  }

  private func judge(
    _ subject: SubjectID, _ presence: inout SubjectPresence, _ fix: SubjectPresence.CountedFix,
    slot: Int32, _ entry: FenceSet.Entry, cause: FenceEvent.Cause, told: inout EventOrder
  ) {
    let distance = entry.area.distanceInMeters(to: fix.coordinate)
    let index = presence.fences.firstIndex { $0.slot == slot }
    if let index, let visit = presence.fences[index].visit {
      presence.fences[index].visit?.exitRun = nil
      if visit.lastBeforeSilence != nil {
        presence.fences[index].visit?.isChangePending = true
        return
      }
      if rules.isBeyond(entry, distance: distance, accuracy: fix.accuracy) {
        tell(.exited, subject, visit.id, fix, entry, cause: cause, to: &told)
        presence.fences.remove(at: index)
      }
      return
    }
    if let index { presence.fences.remove(at: index) }
    guard distance <= entry.area.radiusInMeters, fix.accuracy != nil else { return }
    let visit = Visit(id: VisitID(subject: subject, fence: entry.fence.id, entry: now), entry: now)
    tell(.entered, subject, visit.id, fix, entry, cause: cause, to: &told)
    presence.fences.append(FencePresence(slot: slot, visit: visit, entryRun: nil))
  }

  private func tell(
    _ kind: FenceEvent.Kind, _ subject: SubjectID, _ visit: VisitID,
    _ fix: SubjectPresence.CountedFix, _ entry: FenceSet.Entry, cause: FenceEvent.Cause,
    to told: inout EventOrder
  ) {
    told.add(
      kind, fence: entry.fence.id,
      FenceEvent(
        kind: kind, subject: subject, fence: entry.fence.id, visit: visit, time: now,
        confirmedAt: now, rule: FenceEvent.Rule(cause), cause: cause, coordinate: fix.coordinate,
        distance: .meters(entry.area.distanceInMeters(to: fix.coordinate))))
  }
}

extension FenceSet.Edit {
  var isEmpty: Bool { removed.isEmpty && created.isEmpty && changed.isEmpty }
}
