import Geo
import Geofencing
import TestSupport
import Testing

/// The engine is held to the independent model on random histories.
struct DifferentialTests {
  @Test(arguments: FieldCase.all)
  func `the engine tells of a case from the field what is right`(_ fieldCase: FieldCase) {
    let history = RandomHistory(
      fences: fieldCase.fences,
      steps: fieldCase.steps.map { step in
        switch step {
        case .fixes(let fixes): .fixes(FieldCase.subject, fixes)
        case .edit(let fences, let now): .edit(fences, now)
        }
      })
    let (events, _) = Self.engineReplay(history)
    #expect(events.map(FieldCase.row) == fieldCase.gives)
    #expect(EventInvariants.violations(in: events) == [])
  }

  @Test
  func `the engine tells what the model tells`() {
    var fixes = 0
    var closeCalls = 0
    var differences = 0
    // A few differences say as much as many.
    for seed in Self.seeds where differences < 10 {
      let history = RandomHistory(seed: seed)
      fixes += history.fixCount
      switch Self.compare(history) {
      case .same: break
      case .closeCall: closeCalls += 1
      case .different:
        let shrunk = Shrinking.shrink(history) {
          if case .different = Self.compare($0) { true } else { false }
        }
        guard case .different(let difference) = Self.compare(shrunk) else { continue }
        differences += 1
        Issue.record("seed \(seed)\n\(difference)\n\(shrunk.text)")
      }
    }
    if LongTests.areOn { print("\(fixes) fixes, \(closeCalls) histories with close calls apart") }
    // Close calls excuse little, or the comparison would be worth little.
    #expect(closeCalls * 50 < Self.seeds.count)
  }

  static let seeds: Range<UInt64> = LongTests.areOn ? 10_000..<110_000 : 10_000..<10_700

  enum Comparison {
    case same, closeCall
    case different(String)
  }

  static func compare(_ history: RandomHistory) -> Comparison {
    let (model, expected, outcomes) = ReferenceModel.replay(history)
    let (found, foundOutcomes) = engineReplay(history)
    var difference = firstDifference(found, expected)
    if difference == nil, !zip(foundOutcomes, outcomes).allSatisfy(isAlike) {
      difference = "outcomes: engine \(foundOutcomes), model \(outcomes)"
    }
    if difference == nil {
      difference =
        EventInvariants.violations(in: found, noFixBehindTheClock: history.isInOrder)
        .first
    }
    guard let difference else { return .same }
    return model.hadCloseCall ? .closeCall : .different(difference)
  }

  static func engineReplay(
    _ history: RandomHistory
  ) -> (events: [FenceEvent], outcomes: [String]) {
    var engine = PresenceEngine(
      fences: try! FenceSet(history.fences), pastLength: history.steps.count % 2 == 0 ? 0 : 1000)
    var events: [FenceEvent] = []
    var outcomes: [String] = []
    var clock = Timestamp.earliest
    func advance(to now: Timestamp) {
      clock = max(clock, now)
      engine.advance(to: clock, events: &events)
    }
    for step in history.steps {
      switch step {
      case .fixes(let subject, let fixes):
        advance(to: fixes[0].time)
        outcomes += engine.receive(together: fixes, from: subject, events: &events)
          .map(\.rawValue)
      case .edit(let fences, let now):
        advance(to: now)
        try! engine.replaceFences(by: fences, at: now, events: &events)
      case .handOver(let subject, let now):
        advance(to: now)
        engine.handOver(from: subject, at: now, events: &events)
      case .advance(let now): advance(to: now)
      }
    }
    // Late visits are another matter; what is live must not depend on them.
    return (events.filter { !$0.isLate }, outcomes)
  }

  static func firstDifference(_ engine: [FenceEvent], _ model: [FenceEvent]) -> String? {
    for index in 0..<max(engine.count, model.count) {
      let found = index < engine.count ? engine[index] : nil
      let expected = index < model.count ? model[index] : nil
      if let found, let expected, isAlike(found, expected) { continue }
      return """
        event \(index)
        engine: \(found.map(Self.text) ?? "nothing")
        model:  \(expected.map(Self.text) ?? "nothing")
        """
    }
    return nil
  }

  /// Equal, but what a fix that came late does to the past is a matter of its own.
  private static func isAlike(_ engine: String, _ model: String) -> Bool {
    let late = ["out_of_order", "duplicate"]
    return engine == model
      || late.contains(model) && (late + ["same_time", "implausible_jump"]).contains(engine)
  }

  /// Equal but for what the geodesies may differ by.
  private static func isAlike(_ a: FenceEvent, _ b: FenceEvent) -> Bool {
    var c = a
    let isInterpolated = a.kind == .passed
    let milliseconds: Int64 = isInterpolated ? 40 : 0
    let meters = isInterpolated ? 1 : 0.001
    if isInterpolated {
      guard abs(a.time.milliseconds(since: b.time)) <= milliseconds else { return false }
      c.time = b.time
    }
    if let x = a.interval, let y = b.interval {
      guard abs(x.start.milliseconds(since: y.start)) <= milliseconds,
        abs(x.end.milliseconds(since: y.end)) <= milliseconds
      else { return false }
      c.interval = b.interval
    }
    if let x = a.coordinate, let y = b.coordinate {
      guard ModelGeodesy.meters(x, y) <= meters else { return false }
      c.coordinate = y
    }
    if let x = a.distance, let y = b.distance {
      guard abs(x.meters - y.meters) <= max(meters, 1e-4 * abs(y.meters)) else { return false }
      c.distance = y
    }
    return c == b
  }

  static func text(_ event: FenceEvent) -> String {
    var text = "\(event.subject) \(FieldCase.row(event))"
    if let cause = event.cause { text += " cause \(cause.rawValue)" }
    if event.isInitial { text += " initial" }
    if event.isLate { text += " late" }
    text += " visit \(event.visit.map { String($0.description.suffix(4)) } ?? "nil")"
    text += " \(event.distance.map { "\($0.meters) m" } ?? "no distance")"
    return text + " \(event.coordinate.map { "\($0)" } ?? "no coordinate")"
  }
}
