import Geo
import Geofencing

/// The engine's rules once more, written plainly from their text and not from the engine.
///
/// It keeps every accepted fix of every subject and looks back over that list for each answer:
/// slow and obvious. It shares neither code nor geodesy with the product. Where a comparison turns
/// on less than the product's allowance (1 mm), `hadCloseCall` tells a caller that another answer
/// would have been as right.
struct ReferenceModel {
  /// An accepted fix as each fence saw it.
  struct Seen {
    let fix: Fix
    let isCounted: Bool
    let views: [Fence.ID: View]

    var accuracy: Double { fix.accuracy?.meters ?? 100 }
  }

  struct View {
    let distance: Double
    let isInside: Bool
    /// Beyond radius and buffer, its accuracy subtracted.
    let isBeyond: Bool
  }

  struct Visit {
    var fence: Fence
    let entry: Timestamp
    var hasDwelled = false
    /// The last fix before the silence that suspended the visit; nil while it is not suspended.
    var lastFixBeforeSilence: Timestamp?
  }

  struct Record {
    var accepted: [Seen] = []
    /// Every fix whose repetition is a duplicate: accepted ones, and older ones that came late.
    var track: [Fix] = []
    var held: Fix?
    var visits: [Fence.ID: Visit] = [:]
    /// Visits in removed fences, which end at the next accepted fix.
    var orphans: [Visit] = []
    /// Fences that are judged again at the next counted fix, and why.
    var toJudge: [Fence.ID: FenceEvent.Cause] = [:]
    /// Where in `accepted` runs at a fence may begin, if not at the start.
    var runsBeginAt: [Fence.ID: Int] = [:]

    var lastCounted: Seen? { accepted.last { $0.isCounted } }
  }

  private(set) var fences: [Fence]
  var records: [SubjectID: Record] = [:]
  private var clock: Timestamp?
  private(set) var hadCloseCall = false
  var allowsSimulated = false
  /// When a fence was created or changed after the start.
  var editedAt: [Fence.ID: Timestamp] = [:]

  init(fences: [Fence]) {
    self.fences = fences.sorted { $0.id < $1.id }
  }

  // MARK: Which fixes count

  /// Takes fixes of one time that stand together, and answers each with the reason code, or
  /// "accepted".
  mutating func receive(
    _ fixes: [Fix], from subject: SubjectID
  ) -> (outcomes: [String], events: [FenceEvent]) {
    var events = advance(to: fixes[0].time)
    var outcomes = fixes.map { fix in
      if isNullIsland(fix) { return "null_island" }
      if fix.isSimulated && !allowsSimulated { return "simulated" }
      return ""
    }
    let group = fixes.indices.filter { outcomes[$0].isEmpty }
    guard let decider = decider(of: group.map { fixes[$0] }).map({ group[$0] }) else {
      return (outcomes, events)
    }
    outcomes[decider] = decide(fixes[decider], from: subject, events: &events)
    for index in group where index != decider {
      let isRepeated = records[subject]!.track.contains { isSame($0, fixes[index]) }
      let isDecider = isSame(fixes[index], fixes[decider])
      outcomes[index] = isRepeated || isDecider ? "duplicate" : "same_time"
    }
    return (outcomes, events)
  }

  private func isSame(_ a: Fix, _ b: Fix) -> Bool {
    a.time == b.time && a.coordinate == b.coordinate
  }

  private func isNullIsland(_ fix: Fix) -> Bool {
    abs(fix.coordinate.latitude) <= 0.001 && abs(fix.coordinate.longitude) <= 0.001
      && !fences.contains {
        ModelGeodesy.distance(fix.coordinate, $0.area) <= ModelGeodesy.radius($0.area)
      }
  }

  /// The better accuracy, then the smaller distance to the nearest fence, then the first.
  private mutating func decider(of group: [Fix]) -> Int? {
    guard group.count > 1 else { return group.isEmpty ? nil : 0 }
    let accuracies = group.map { $0.accuracy?.meters ?? 100 }
    let best = accuracies.min()!
    let candidates = group.indices.filter { accuracies[$0] == best }
    let distances = candidates.map { index in
      fences.map { ModelGeodesy.distance(group[index].coordinate, $0.area) }.min() ?? 0
    }
    let nearest = distances.min()!
    let decider = candidates[distances.firstIndex(of: nearest)!]
    for (index, distance) in zip(candidates, distances)
    where !isSame(group[index], group[decider]) {
      noteCloseCall(distance - nearest < 0.0011)
    }
    return decider
  }

  private mutating func decide(
    _ fix: Fix, from subject: SubjectID, events: inout [FenceEvent]
  ) -> String {
    let record = records[subject, default: Record()]
    records[subject] = record
    let last = record.accepted.last?.fix
    if record.track.contains(where: { isSame($0, fix) }) { return "duplicate" }
    if let held = record.held, isSame(held, fix) { return "duplicate" }
    if fix.time == last?.time || fix.time == record.held?.time {
      return "same_time"
    }
    if let last, fix.time < last.time {
      records[subject]!.track.append(fix)
      return "out_of_order"
    }
    let reference = record.lastCounted?.fix
    let isFromReference = reference.map { isPlausible(from: $0, to: fix) } ?? true
    if let accuracy = fix.accuracy, accuracy.meters > 100 {
      guard isFromReference else { return "implausible_jump" }
      accept(fix, isCounted: false, from: subject, events: &events)
      return "accuracy_too_low"
    }
    if isFromReference {
      records[subject]!.held = nil
      accept(fix, isCounted: true, from: subject, events: &events)
      return "accepted"
    }
    if let held = record.held, isPlausible(from: held, to: fix) {
      records[subject]!.held = nil
      // Another fix took its place in the order of time meanwhile.
      let isOvertaken = last.map { $0.time > held.time } ?? false
      let both = isOvertaken ? [fix] : [held, fix].sorted { $0.time < $1.time }
      for fix in both { accept(fix, isCounted: true, from: subject, events: &events) }
      return "accepted"
    }
    records[subject]!.held = fix
    return "implausible_jump"
  }

  mutating func isPlausible(from a: Fix, to b: Fix) -> Bool {
    let distance = ModelGeodesy.meters(a.coordinate, b.coordinate)
    let accuracies = (a.accuracy?.meters ?? 100) + (b.accuracy?.meters ?? 100)
    let seconds = abs(b.time.seconds(since: a.time))
    return !isGreater(distance - accuracies, 70 * seconds)
  }

  private mutating func accept(
    _ fix: Fix, isCounted: Bool, from subject: SubjectID, events: inout [FenceEvent]
  ) {
    events += expire(subject, at: fix.time)
    let seen = Seen(fix: fix, isCounted: isCounted, views: views(of: fix))
    records[subject]!.accepted.append(seen)
    records[subject]!.track.append(fix)
    events += judge(seen, of: subject)
  }

  private mutating func views(of fix: Fix) -> [Fence.ID: View] {
    var views: [Fence.ID: View] = [:]
    for fence in fences { views[fence.id] = view(of: fix, fence) }
    return views
  }

  mutating func view(of fix: Fix, _ fence: Fence) -> View {
    let distance = ModelGeodesy.distance(fix.coordinate, fence.area)
    let radius = ModelGeodesy.radius(fence.area)
    let accuracy = fix.accuracy?.meters ?? 100
    let subtracted = accuracy > 200 ? accuracy : min(100, accuracy)
    return View(
      distance: distance, isInside: !isGreater(distance, radius),
      isBeyond: isGreater(distance - subtracted, radius + fence.settings.exitBuffer.meters))
  }

  /// `a > b`, of meters; a call is close where the product's allowance could turn it round.
  mutating func isGreater(_ a: Double, _ b: Double) -> Bool {
    let magnitude = max(abs(a), abs(b))
    let allowance = 0.0011 + (magnitude > 1000 ? 2e-4 * magnitude : 0)
    // A point on an edge of a polygon is at 0 in any arithmetic.
    if abs(a - b) < allowance && !(a == 0 && b == 0) { hadCloseCall = true }
    return a > b
  }

  mutating func noteCloseCall(_ isClose: Bool) { if isClose { hadCloseCall = true } }

  // MARK: Silence

  /// Tells what falls silent by `now`: 30 minutes after a subject's last accepted fix.
  mutating func advance(to now: Timestamp) -> [FenceEvent] {
    clock = max(clock ?? now, now)
    var events: [FenceEvent] = []
    for subject in records.keys { events += expire(subject, at: clock!) }
    return events.sorted { ($0.time, $0.subject, $0.fence) < ($1.time, $1.subject, $1.fence) }
  }

  private mutating func expire(_ subject: SubjectID, at now: Timestamp) -> [FenceEvent] {
    guard let last = records[subject]!.accepted.last?.fix.time,
      now.seconds(since: last) >= 30 * 60
    else { return [] }
    return suspend(
      subject, at: last.advanced(bySeconds: 30 * 60), rule: .silence, cause: nil)
  }

  /// Another subject takes over the device of this one.
  mutating func handOver(_ subject: SubjectID, at now: Timestamp) -> [FenceEvent] {
    guard records[subject] != nil else { return [] }
    records[subject]!.held = nil
    return suspend(subject, at: now, rule: .handedOver, cause: .handedOver)
  }

  private mutating func suspend(
    _ subject: SubjectID, at time: Timestamp, rule: FenceEvent.Rule, cause: FenceEvent.Cause?
  ) -> [FenceEvent] {
    var events: [FenceEvent] = []
    let last = records[subject]!.accepted.last?.fix.time
    func suspend(_ visit: inout Visit) {
      guard visit.lastFixBeforeSilence == nil else { return }
      visit.lastFixBeforeSilence = last
      events.append(
        FenceEvent(
          kind: .presenceExpired, subject: subject, fence: visit.fence.id,
          visit: VisitID(subject: subject, fence: visit.fence.id, entry: visit.entry),
          time: time, confirmedAt: time, rule: rule, cause: cause))
    }
    for id in records[subject]!.visits.keys
    where records[subject]!.visits[id]!.lastFixBeforeSilence == nil {
      suspend(&records[subject]!.visits[id]!)
      // An exit in a silence lies between its last fix before and the run after.
      records[subject]!.runsBeginAt[id] = records[subject]!.accepted.count
    }
    for index in records[subject]!.orphans.indices {
      suspend(&records[subject]!.orphans[index])
    }
    return events.sorted { $0.fence < $1.fence }
  }

  mutating func replaceFences(_ new: [Fence]) { fences = new.sorted { $0.id < $1.id } }
}
