import Geo

/// The last fixes of one subject, so that one that comes late can amend what was told of the past.
///
/// A late fix takes its place in the order of time, and the rules are run once more over the fixes
/// that are kept. A visit found so that was not told, and one whose begin or end turns out to be
/// another, is told with `isLate`. Live presence is never touched: a visit that, by the amended past,
/// would still be open is told only once later fixes close it.
struct RecentPast: Sendable {
  /// Some fixes in the order of time, and what was known before the first of them.
  fileprivate struct Chapter: Sendable {
    var before: SubjectPresence
    var fixes: [Fix] = []
  }

  /// A visit as it was told.
  private struct ToldVisit: Sendable {
    let id: VisitID
    let fence: Fence.ID
    var entry: Timestamp
    var exit: Timestamp?
  }

  private let length: Int
  private var older: Chapter?
  private var newer: Chapter?
  private var told: [ToldVisit] = []
  /// Whether the amended past leaves a visit open that live presence does not know.
  private var isUnsettled = false

  init(length: Int) { self.length = length }

  /// Takes a fix that has been judged live, with what was known before and is known now, and returns
  /// its outcome: a late one is a duplicate or a jump where the past says so.
  mutating func take(
    _ fix: Fix, outcome: FixOutcome, of subject: SubjectID, before: SubjectPresence,
    now: SubjectPresence, rules: PresenceRules, firstEvent: Int, events: inout [FenceEvent]
  ) -> FixOutcome {
    switch outcome {
    case .accepted, .accuracyTooLow, .implausibleJump:
      append(fix, before: before, fences: rules.fences)
      for event in events[firstEvent...] { note(event) }
      if isUnsettled { amend(of: subject, now: now, rules: rules, events: &events) }
      return outcome
    case .outOfOrder:
      return takeLate(fix, of: subject, now: now, rules: rules, events: &events)
    case .duplicate, .sameTime, .simulated, .nullIsland, .fixFromFuture, .invalidFix, .noFix:
      return outcome
    }
  }

  // MARK: Keeping

  private mutating func append(_ fix: Fix, before: SubjectPresence, fences: FenceSet) {
    // The chapters are changed in place: binding one would copy all its fixes with the next.
    let count = newer?.fixes.count
    if count == nil {
      newer = Chapter(before: before)
      told = before.fences.compactMap { presence in
        presence.visit.map {
          ToldVisit(id: $0.id, fence: fences.id(at: presence.slot), entry: $0.entry, exit: nil)
        }
      }
    } else if let count, count >= length {
      older = newer
      newer = Chapter(before: before)
      if let start = older?.fixes.first?.time {
        told.removeAll { $0.exit.map { $0 < start } ?? false }
      }
    }
    newer?.insert(fix)
  }

  private mutating func note(_ event: FenceEvent) {
    guard let visit = event.visit else { return }
    if event.kind == .entered {
      told.append(ToldVisit(id: visit, fence: event.fence, entry: event.time, exit: nil))
    } else if event.kind == .exited, let index = told.firstIndex(where: { $0.id == visit }) {
      told[index].exit = event.time
    }
  }

  // MARK: Amending

  private mutating func takeLate(
    _ fix: Fix, of subject: SubjectID, now: SubjectPresence, rules: PresenceRules,
    events: inout [FenceEvent]
  ) -> FixOutcome {
    let fixes = (older?.fixes ?? []) + (newer?.fixes ?? [])
    if let same = fixes.first(where: { $0.time == fix.time }) {
      return same.coordinate == fix.coordinate ? .duplicate : .sameTime
    }
    let neighbors = [
      fixes.last { $0.time < fix.time && !rules.isCoarse($0) },
      fixes.first { $0.time > fix.time && !rules.isCoarse($0) },
    ]
    for case let neighbor? in neighbors
    where !rules.isPlausible(fix, after: SubjectPresence.CountedFix(neighbor)) {
      return .implausibleJump
    }
    if let start = newer?.before.lastAccepted?.time, fix.time <= start {
      // Older than all that is kept, it is part of the track and nothing more.
      guard let first = older?.before.lastAccepted?.time, fix.time > first else {
        return .outOfOrder
      }
      older?.insert(fix)
    } else {
      newer?.insert(fix)
    }
    amend(of: subject, now: now, rules: rules, events: &events)
    return .outOfOrder
  }

  private mutating func amend(
    of subject: SubjectID, now: SubjectPresence, rules: PresenceRules, events: inout [FenceEvent]
  ) {
    guard var presence = older?.before ?? newer?.before else { return }
    var found: [FenceEvent] = []
    for fix in (older?.fixes ?? []) + (newer?.fixes ?? []) {
      _ = rules.receive(fix, of: subject, presence: &presence, events: &found)
    }
    for exit in found where exit.kind == .exited {
      let entered = found.first { $0.kind == .entered && $0.visit == exit.visit }
      tell(entered: entered, exited: exit, among: found, events: &events)
    }
    isUnsettled = presence.fences.contains { amended in
      amended.visit != nil
        && !now.fences.contains { $0.slot == amended.slot && $0.visit != nil }
    }
  }

  /// Tells a visit of the amended past, as far as it was not told so.
  private mutating func tell(
    entered: FenceEvent?, exited: FenceEvent, among found: [FenceEvent],
    events: inout [FenceEvent]
  ) {
    // A visit that began before what is kept has its entry from then.
    let entry = entered?.time ?? told.first { $0.id == exited.visit }?.entry
    guard let entry else { return }
    let overlapping = told.indices.filter { index in
      told[index].fence == exited.fence && told[index].entry <= exited.time
        && told[index].exit.map { $0 >= entry } ?? true
    }
    if overlapping.isEmpty {
      guard var first = entered, let visit = exited.visit else { return }
      var last = exited
      first.isLate = true
      last.isLate = true
      events += [first, last]
      told.append(ToldVisit(id: visit, fence: exited.fence, entry: entry, exit: exited.time))
      return
    }
    guard overlapping.count == 1, let exit = told[overlapping[0]].exit else { return }
    let known = told[overlapping[0]]
    let rivals = found.filter { other in
      other.kind == .exited && other.fence == known.fence && other.visit != exited.visit
        && other.time >= known.entry && other.time <= exit
    }
    guard rivals.isEmpty else { return }
    if var first = entered, first.time != known.entry {
      first.isLate = true
      first.visit = known.id
      events.append(first)
      told[overlapping[0]].entry = first.time
    }
    if exited.time != exit {
      var last = exited
      last.isLate = true
      last.visit = known.id
      events.append(last)
      told[overlapping[0]].exit = last.time
    }
  }
}

extension RecentPast.Chapter {
  fileprivate mutating func insert(_ fix: Fix) {
    let index = fixes.lastIndex { $0.time < fix.time }.map { $0 + 1 } ?? 0
    fixes.insert(fix, at: index)
  }
}
