import Geo
import Geofencing
import Testing

@testable import Positioning

/// Holds the engine's arrivals against where the simulated subject really was.
struct ArrivalScoringTests {
  private static let stores = [
    Fence(
      id: Fence.ID("ottawa"),
      area: .circle(center: Scenario.ottawaStore, radius: Fence.defaultRadius)),
    Fence(
      id: Fence.ID("gatineau"),
      area: .circle(center: Scenario.gatineauStore, radius: Fence.defaultRadius)),
  ]

  private func events(of simulation: Simulation) throws -> [FenceEvent] {
    var replay = TraceReplay(
      engine: PresenceEngine(fences: try FenceSet(ArrivalScoringTests.stores)))
    var events: [FenceEvent] = []
    for fix in simulation.fixes {
      replay.receive(SubjectFix(subject: SubjectID("D1"), fix: fix), events: &events)
    }
    replay.finish(events: &events)
    return events
  }

  /// When the truth first came to within a store's radius, and when it last was.
  private func trueStay(_ simulation: Simulation, at store: Coordinate) -> ClosedRange<Timestamp>? {
    let inside = simulation.filter { $0.truth.distance(to: store) <= Fence.defaultRadius }
    guard let first = inside.first, let last = inside.last else { return nil }
    return first.time...last.time
  }

  struct Expected: CustomTestStringConvertible, Sendable {
    let scenario: Scenario
    let visits: [Fence.ID]
    /// Between the truth's arrival and the event's, either way.
    let toleranceSeconds: Double
    var stays = false
    var testDescription: String { scenario.rawValue }
  }

  @Test(arguments: [
    // A receiver that is some meters off meets a pedestrian's edge some seconds early or late.
    Expected(
      scenario: .commute, visits: [.init("ottawa"), .init("gatineau")], toleranceSeconds: 20),
    Expected(scenario: .edgeWalk, visits: [.init("ottawa")], toleranceSeconds: 60, stays: true),
    Expected(scenario: .driveBy, visits: [.init("ottawa")], toleranceSeconds: 3),
    Expected(scenario: .indoorDrift, visits: [.init("ottawa")], toleranceSeconds: 20),
    Expected(scenario: .tunnel, visits: [], toleranceSeconds: 0),
    Expected(scenario: .sparse, visits: [.init("ottawa")], toleranceSeconds: 110),
  ])
  func `there is one arrival for each true visit, close to when it was`(
    _ expected: Expected
  ) throws {
    for seed in 1...8 as ClosedRange<UInt64> {
      let simulation = expected.scenario.simulation(seed: seed)
      let events = try events(of: simulation)
      let arrivals = events.filter { $0.kind == .entered }
      let departures = events.filter { $0.kind == .exited }
      #expect(arrivals.map(\.fence) == expected.visits, "seed \(seed)")
      #expect(departures.map(\.fence) == (expected.stays ? [] : expected.visits), "seed \(seed)")
      for event in events {
        let store =
          event.fence == Fence.ID("ottawa") ? Scenario.ottawaStore : Scenario.gatineauStore
        let stay = try #require(trueStay(simulation, at: store))
        switch event.kind {
        case .entered:
          let off = abs(event.time.seconds(since: stay.lowerBound))
          #expect(off <= expected.toleranceSeconds, "\(off) s, seed \(seed)")
        case .exited:
          // The line of leaving is 50 m and an accuracy beyond the edge.
          #expect(event.time > stay.upperBound, "seed \(seed)")
          #expect(event.time.seconds(since: stay.upperBound) < 200, "seed \(seed)")
        default: Issue.record("\(event.kind), seed \(seed)")
        }
      }
    }
  }
}
