import Foundation
import Geo
import Geofencing
import TestSupport
import Testing

@testable import Positioning

struct ScenarioTests {
  /// The true meters to a store at each sample of a scenario.
  private func distances(_ scenario: Scenario, to store: Coordinate) -> [(seconds: Double, Double)]
  {
    let plane = SimulationPlane(anchor: store)
    return scenario.simulation(seed: 1).map { sample in
      let way = plane.point(of: sample.truth)
      return (sample.time.seconds(since: Scenario.start), (way * way).sum().squareRoot())
    }
  }

  /// How often the truth comes to within 200 m of a store.
  private func visits(_ scenario: Scenario, to store: Coordinate) -> Int {
    let inside = distances(scenario, to: store).map { $0.1 <= 200 }
    return zip([false] + inside, inside).filter { !$0 && $1 }.count
  }

  @Test func `the start is half past seven on the second of March 2026 in Ottawa`() throws {
    #expect(Scenario.start.description == "2026-03-02T12:30:00.000Z")
  }

  @Test(arguments: [
    ("ottawa-store", Scenario.ottawaStore), ("gatineau-store", Scenario.gatineauStore),
  ])
  func `the stores are where the fences that ship have them`(
    _ file: String, _ center: Coordinate
  ) throws {
    let url = SharedFiles.checkout.appending(path: "fences/\(file).geojson")
    let fences = try FenceGeoJSON.read(Array(Data(contentsOf: url))).get()
    #expect(fences.map(\.area) == [.circle(center: center, radius: .meters(200))])
  }

  @Test func `the stores are farther apart than their fences reach`() {
    let way = SimulationPlane(anchor: Scenario.ottawaStore).point(of: Scenario.gatineauStore)
    #expect((way * way).sum().squareRoot() > 600)
  }

  @Test func `the commute visits each store once, ends at home and is over within the hour`() throws
  {
    #expect(visits(.commute, to: Scenario.ottawaStore) == 1)
    #expect(visits(.commute, to: Scenario.gatineauStore) == 1)
    let samples = Array(Scenario.commute.simulation(seed: 1))
    #expect(samples.first?.truth == samples.last?.truth)
    let seconds = try #require(samples.last).time.seconds(since: Scenario.start)
    #expect((2400...3600).contains(seconds))
    #expect(samples.contains { $0.fix == nil })
  }

  @Test func `the edge walk stays within twelve meters of the edge once it is there`() {
    let walk = distances(.edgeWalk, to: Scenario.ottawaStore).drop { $0.1 > 210 }
    #expect(walk.count > 600)
    #expect(walk.allSatisfy { abs($0.1 - 200) <= 12 })
    #expect(visits(.edgeWalk, to: Scenario.ottawaStore) > 10)
  }

  @Test func `the drive and the tunnel cut the fence once and leave it`() {
    for scenario in [Scenario.driveBy, .tunnel] {
      #expect(visits(scenario, to: Scenario.ottawaStore) == 1)
      let way = distances(scenario, to: Scenario.ottawaStore)
      #expect(way.first.map { $0.1 > 500 } == true && way.last.map { $0.1 > 500 } == true)
    }
  }

  @Test func `a stay indoors has worse accuracy than the way there`() throws {
    let fixes = Array(Scenario.indoorDrift.simulation(seed: 1).fixes)
    let first = try #require(fixes.first?.accuracy)
    let worst = try #require(fixes.compactMap(\.accuracy).max())
    #expect(first < .meters(8))
    #expect(worst > .meters(25))
  }

  @Test func `the sparse receiver reports once in 90 s`() {
    let times = Scenario.sparse.simulation(seed: 1).fixes.map(\.time)
    #expect(zip(times, times.dropFirst()).allSatisfy { $1.milliseconds(since: $0) == 90_000 })
  }

  @Test func `every scenario is found by its name`() {
    let names = ["commute", "edge-walk", "drive-by", "indoor-drift", "tunnel", "sparse"]
    #expect(names.map { Scenario(rawValue: $0) } == Scenario.allCases)
  }
}
