import Geo
import Geofencing

/// What holds of any list of events in order of confirmation, whatever the fixes were.
enum EventInvariants {
  ///
  /// A clock that is ahead of a fix, or of one that was held, has told of a silence, or judged an
  /// edited fence, before the fix: then an event may be confirmed before the one before it.
  static func violations(
    in events: [FenceEvent], noFixBehindTheClock: Bool = true
  ) -> [String] {
    var found: [String] = []
    let places = Dictionary(grouping: events) { Place(subject: $0.subject, fence: $0.fence) }
    for (place, events) in places {
      found += visitViolations(in: events, noFixBehindTheClock: noFixBehindTheClock)
        .map { "\(place.subject) at \(place.fence): \($0)" }
    }
    for (subject, events) in Dictionary(grouping: events, by: \.subject)
    where noFixBehindTheClock {
      for (before, after) in zip(events, events.dropFirst())
      where after.confirmedAt < before.confirmedAt {
        found.append("\(subject): \(after.kind) is confirmed before the \(before.kind) before it")
      }
    }
    for event in events where event.confirmedAt < event.time {
      found.append("\(event.subject): \(event.kind) is confirmed before it happened")
    }
    let entries = events.filter { $0.kind == .entered }.compactMap(\.visit)
    if Set(entries).count != entries.count { found.append("a visit's id is not unique") }
    return found
  }

  private struct Place: Hashable {
    let subject: SubjectID
    let fence: Fence.ID
  }

  private static func visitViolations(
    in events: [FenceEvent], noFixBehindTheClock: Bool
  ) -> [String] {
    var found: [String] = []
    var open: FenceEvent?
    var hasDwelled = false
    var isSuspended = false
    func expect(_ condition: Bool, _ violation: String) {
      if !condition { found.append(violation) }
    }
    for event in events {
      if event.kind == .passed {
        expect(event.visit == nil, "passed carries a visit")
        expect(open == nil, "passed during a visit")
        continue
      }
      expect(event.visit != nil, "\(event.kind) without a visit")
      if event.kind == .entered {
        expect(open == nil, "entered twice")
        expect(
          event.visit == VisitID(subject: event.subject, fence: event.fence, entry: event.time),
          "the visit's id is not that of its entry")
        open = event
        hasDwelled = false
        isSuspended = false
        continue
      }
      guard let entered = open else {
        found.append("\(event.kind) without a visit that is open")
        continue
      }
      expect(event.visit == entered.visit, "\(event.kind) carries another visit")
      // The last fix before a silence may be older than an entry that an edit of the fence gave.
      if noFixBehindTheClock && event.cause != .silent {
        expect(event.time >= entered.time, "\(event.kind) before the entry")
      }
      switch event.kind {
      case .exited: open = nil
      case .dwelled:
        expect(!hasDwelled, "dwelled twice")
        expect(!isSuspended, "dwelled in a silence")
        hasDwelled = true
      case .presenceExpired:
        expect(!isSuspended, "expired twice")
        isSuspended = true
      case .presenceResumed:
        expect(isSuspended, "resumed without a silence")
        isSuspended = false
      case .entered, .passed: break
      }
    }
    found += dwellsAfterExit(in: events)
    return found
  }

  /// A visit's `dwelled` lies within the visit: not after the time of its exit.
  private static func dwellsAfterExit(in events: [FenceEvent]) -> [String] {
    events.filter { $0.kind == .dwelled }.compactMap { dwelled in
      let exit = events.first { $0.kind == .exited && $0.visit == dwelled.visit }
      guard let exit, exit.cause != .silent, exit.time < dwelled.time else { return nil }
      return "dwelled after the exit"
    }
  }
}
