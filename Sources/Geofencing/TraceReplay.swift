import Geo

/// Runs a recorded trace through an engine, with the trace's own time as the clock.
///
/// Fixes of one time that stand together are one decision for each subject; silence is told by the
/// trace's clock, for all its subjects together.
public struct TraceReplay: Sendable {
  public private(set) var engine: PresenceEngine
  /// The fixes of one time that came last, not yet judged.
  private var pending: [SubjectFix] = []
  private var clock: Timestamp?

  /// So many fixes of one time are weighed together; what follows them comes too late for that.
  private static let mostTogether = 1024

  /// Starts a replay on an engine, which may hold presence from before.
  public init(engine: PresenceEngine) { self.engine = engine }

  /// What a fix of the trace led to.
  public typealias Judged = (fix: SubjectFix, outcome: FixOutcome)

  /// Takes the next fix of the trace; appends the events that it, or what came before it, confirms,
  /// and calls `judged` for each fix whose outcome is now known.
  public mutating func receive(
    _ fix: SubjectFix, events: inout [FenceEvent], judged: (Judged) -> Void = { _ in }
  ) {
    if let first = pending.first,
      first.fix.time != fix.fix.time || pending.count == TraceReplay.mostTogether
    {
      judgePending(events: &events, judged: judged)
    }
    pending.append(fix)
  }

  /// Takes the end of the trace.
  public mutating func finish(
    events: inout [FenceEvent], judged: (Judged) -> Void = { _ in }
  ) {
    judgePending(events: &events, judged: judged)
    engine.settle(events: &events)
  }

  private mutating func judgePending(
    events: inout [FenceEvent], judged: (Judged) -> Void
  ) {
    guard let time = pending.first?.fix.time else { return }
    if clock.map({ time > $0 }) ?? true {
      clock = time
      engine.advance(to: time, events: &events)
    }
    let tick = pending
    pending.removeAll(keepingCapacity: true)
    if tick.count == 1 {
      let outcome = engine.receive(tick[0].fix, from: tick[0].subject, events: &events)
      return judged((tick[0], outcome))
    }
    // Each subject by its first fix, in the order of arrival.
    var groups: [[SubjectFix]] = []
    var places: [SubjectID: Int] = [:]
    for fix in tick {
      if let place = places[fix.subject] {
        groups[place].append(fix)
      } else {
        places[fix.subject] = groups.count
        groups.append([fix])
      }
    }
    for together in groups {
      let subject = together[0].subject
      let outcomes = engine.receive(
        together: together.map(\.fix), from: subject, events: &events)
      for (fix, outcome) in zip(together, outcomes) { judged((fix, outcome)) }
    }
  }
}
