import Geo

/// The last fixes of one subject, so that one that comes late can amend what was told of the past.
///
/// A late fix takes its place in the order of time, and the rules are run once more over the fixes
/// that are kept. A visit found so that was not told, and one whose begin or end turns out to be
/// another, is told with `isLate`. Live presence is never touched: a visit that, by the amended past,
/// would still be open is told only once later fixes close it.
///
/// While a backlog comes in, the rules are run for every so many of its fixes, so that each costs a
/// few steps and not one for every fix that is kept.
struct RecentPast: Sendable {
  /// A visit as it was told.
  private struct ToldVisit: Sendable {
    let id: VisitID
    let fence: Fence.ID
    var entry: Timestamp
    var exit: Timestamp?
  }

  private let length: Int
  /// What was known before the first of the kept fixes; nil where none has come yet.
  private var before: SubjectPresence?
  /// In the order of time; those before `start` are part of `before` already.
  private var fixes: [Fix] = []
  private var start = 0
  private var told: [ToldVisit] = []
  /// Late fixes since the rules were run.
  private var lateCount = 0
  /// Whether the amended past leaves a visit open that live presence does not know.
  private var isUnsettled = false

  /// The rules are run again once this part of the kept fixes is new.
  private static let amendedShare = 32

  /// Keeps so many fixes.
  init(length: Int) { self.length = length }

  /// Whether late fixes have come by which the past was not yet judged.
  var awaitsAmending: Bool { lateCount > 0 }

  /// Whether a fix is kept, or was: what was known before the first is asked for only until then.
  var hasBegun: Bool { before != nil }

  /// Takes a fix that has been judged live, and returns its outcome: a late one is a duplicate or a
  /// jump where the past says so.
  ///
  /// `known` is what was known of the subject before the fix; it counts until the past has begun.
  mutating func take(
    _ fix: Fix, outcome: FixOutcome, of subject: SubjectID, known: SubjectPresence?,
    now: SubjectPresence, rules: PresenceRules, firstEvent: Int, events: inout [FenceEvent]
  ) -> FixOutcome {
    switch outcome {
    case .accepted, .accuracyTooLow, .implausibleJump:
      if !hasBegun, let known { begin(with: known, fences: rules.fences) }
      insert(fix, of: subject, rules: rules)
      for event in events[firstEvent...] { note(event) }
      if isUnsettled || awaitsAmending {
        amend(of: subject, now: now, rules: rules, events: &events)
      }
      return outcome
    case .outOfOrder:
      return takeLate(fix, of: subject, now: now, rules: rules, events: &events)
    case .duplicate, .sameTime, .simulated, .nullIsland, .fixFromFuture, .invalidFix, .noFix:
      return outcome
    }
  }

  // MARK: Keeping

  private mutating func begin(with presence: SubjectPresence, fences: FenceSet) {
    before = presence
    told = presence.fences.compactMap { tracked in
      tracked.visit.map {
        ToldVisit(id: $0.id, fence: fences.id(at: tracked.slot), entry: $0.entry, exit: nil)
      }
    }
  }

  /// Puts a fix in its place, and takes the oldest into `before` where there are too many.
  private mutating func insert(_ fix: Fix, of subject: SubjectID, rules: PresenceRules) {
    fixes.insert(fix, at: place(of: fix.time))
    guard fixes.count - start > length, var presence = before else { return }
    before = nil
    var ignored: [FenceEvent] = []
    _ = rules.receive(fixes[start], of: subject, presence: &presence, events: &ignored)
    before = presence
    start += 1
    guard start >= length else { return }
    fixes.removeFirst(start)
    start = 0
    if let oldest = fixes.first?.time {
      told.removeAll { $0.exit.map { $0 < oldest } ?? false }
    }
  }

  /// The index of the first kept fix that is not before `time`.
  private func place(of time: Timestamp) -> Int {
    var low = start
    var high = fixes.count
    while low < high {
      let middle = (low + high) / 2
      if fixes[middle].time < time { low = middle + 1 } else { high = middle }
    }
    return low
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
    // Older than all that is kept, it is part of the track and nothing more.
    guard let before, before.lastAccepted.map({ fix.time > $0.time }) ?? true else {
      return .outOfOrder
    }
    let place = place(of: fix.time)
    if place < fixes.count, fixes[place].time == fix.time {
      return fixes[place].coordinate == fix.coordinate ? .duplicate : .sameTime
    }
    let neighbors = [
      fixes[start..<place].last { !rules.isCoarse($0) },
      fixes[place...].first { !rules.isCoarse($0) },
    ]
    for case let neighbor? in neighbors
    where !rules.isPlausible(fix, after: SubjectPresence.CountedFix(neighbor)) {
      return .implausibleJump
    }
    insert(fix, of: subject, rules: rules)
    lateCount += 1
    if lateCount * RecentPast.amendedShare >= fixes.count - start {
      amend(of: subject, now: now, rules: rules, events: &events)
    }
    return .outOfOrder
  }

  /// Tells what the kept fixes, late ones included, make of the past.
  mutating func amend(
    of subject: SubjectID, now: SubjectPresence, rules: PresenceRules, events: inout [FenceEvent]
  ) {
    guard var presence = before else { return }
    lateCount = 0
    var found: [FenceEvent] = []
    for fix in fixes[start...] {
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
