import Foundation
import Geo
import Geofencing
import TestSupport
import Testing

/// The model is held to the written cases and to its own invariants before it judges the engine.
struct ReferenceModelTests {
  @Test(arguments: FieldCase.all)
  func `the model tells of a case from the field what is right`(_ fieldCase: FieldCase) {
    var model = ReferenceModel(fences: fieldCase.fences)
    var events: [FenceEvent] = []
    for step in fieldCase.steps {
      switch step {
      case .fixes(let fixes): events += model.receive(fixes, from: FieldCase.subject).events
      case .edit(let fences, let now): events += model.setFences(fences, at: now)
      }
    }
    #expect(events.map(FieldCase.row) == fieldCase.gives)
    #expect(EventInvariants.violations(in: events) == [])
  }

  @Test
  func `random histories bring about every kind, rule, cause and outcome, and break no invariant`()
  {
    var found: [String: Int] = [:]
    for seed in 0..<UInt64(LongTests.areOn ? 20_000 : 400) {
      let history = RandomHistory(seed: seed)
      let (_, events, outcomes) = ReferenceModel.replay(history)
      for outcome in outcomes { found["outcome \(outcome)", default: 0] += 1 }
      for event in events {
        found["kind \(event.kind)", default: 0] += 1
        found["rule \(event.rule)", default: 0] += 1
        if let cause = event.cause { found["cause \(cause)", default: 0] += 1 }
        if event.kind == .exited, event.interval != nil { found["interval", default: 0] += 1 }
      }
      let violations = EventInvariants.violations(
        in: events, noFixBehindTheClock: history.isInOrder && !outcomes.contains("implausible_jump")
      )
      #expect(violations == [], "seed \(seed)")
    }
    let outcomes = [
      "accepted", "null_island", "simulated", "duplicate", "same_time", "out_of_order",
      "accuracy_too_low", "implausible_jump",
    ]
    let expected =
      FenceEvent.Kind.allCases.map { "kind \($0)" } + FenceEvent.Rule.allCases.map { "rule \($0)" }
      + FenceEvent.Cause.allCases.map { "cause \($0)" } + outcomes.map { "outcome \($0)" }
      + ["interval"]
    for name in expected { #expect(found[name, default: 0] >= 5, "\(name)") }
    if LongTests.areOn {
      for (name, count) in found.sorted(by: { $0.key < $1.key }) { print(name, count) }
    }
  }

  @Test
  func `the model's probability agrees with closed forms`() {
    // At the center the radius is Rayleigh distributed; 0.68 lies within the accuracy itself.
    let center = Coordinate(latitude: 48, longitude: 11)!
    let circle = Fence.Area.circle(center: center, radius: .meters(50))
    let atCenter = ModelProbability.inside(circle, at: center, accuracy: 50)
    #expect(abs(atCenter - 0.68) < 1e-9)
    // Far from its ends, an edge is a straight line: a fix on it is inside with half.
    let corners = [(-0.1, -0.1), (-0.1, 0.1), (0, 0.1), (0, -0.1)].map {
      Coordinate(latitude: 48 + $0.0, longitude: 11 + $0.1)!
    }
    let square = Fence.Area.polygons(
      MultiPolygon(polygons: [Polygon(outer: try! Ring(corners: corners))])!)
    #expect(abs(ModelProbability.inside(square, at: center, accuracy: 10) - 0.5) < 1e-6)
  }

  @Test
  func `the invariants find what is wrong`() {
    let fence = Fence.ID("S")
    let visit = VisitID(subject: FieldCase.subject, fence: fence, entry: FieldCase.start)
    func event(_ kind: FenceEvent.Kind, _ seconds: Double, confirmed: Double? = nil) -> FenceEvent {
      FenceEvent(
        kind: kind, subject: FieldCase.subject, fence: fence, visit: visit,
        time: FieldCase.start.advanced(bySeconds: seconds),
        confirmedAt: FieldCase.start.advanced(bySeconds: confirmed ?? seconds), rule: .twoFixes)
    }
    let wrong: [[FenceEvent]] = [
      [event(.entered, 0), event(.entered, 0)],
      [event(.exited, 0)],
      [event(.entered, 0), event(.exited, 20), event(.exited, 40)],
      [event(.entered, 0), event(.dwelled, 5), event(.dwelled, 6)],
      [event(.entered, 0), event(.exited, 20), event(.dwelled, 30)],
      [event(.entered, 0), event(.presenceExpired, 20), event(.presenceExpired, 40)],
      [event(.entered, 0), event(.presenceResumed, 20)],
      [event(.entered, 0), event(.exited, 20, confirmed: 10)],
      [event(.entered, 0), event(.dwelled, 5, confirmed: 30), event(.exited, 6, confirmed: 20)],
      [event(.entered, 10)],
    ]
    for events in wrong { #expect(EventInvariants.violations(in: events) != []) }
    let right = [
      event(.entered, 0), event(.dwelled, 5), event(.presenceExpired, 50),
      event(.presenceResumed, 60), event(.exited, 80, confirmed: 100),
    ]
    #expect(EventInvariants.violations(in: right) == [])
  }
}

/// Whether the sizes are those for an hour rather than for every run.
enum LongTests {
  static let areOn = ProcessInfo.processInfo.environment["DOORSTEP_LONG_TESTS"] == "1"
}
