import Geo
import Testing

@testable import Positioning

struct RouteTests {
  private let start = Coordinate(latitude: 45.42, longitude: -75.7)!

  private func place(east: Double, north: Double) -> Coordinate {
    SimulationPlane(anchor: start).coordinate(at: SIMD2(east, north))
  }

  @Test func `a leg takes its length at cruising speed and the time to gain and lose that`() {
    let pace = Pace(
      cruise: .metersPerSecond(10), turning: .metersPerSecond(2),
      accelerationMetersPerSecondSquared: 2)
    let route = Route(from: start, over: [.init(place(east: 0, north: 200), by: pace)])
    // 5 s and 25 m at either end, 150 m at 10 m/s between.
    #expect(abs(route.durationSeconds - 25) < 0.01)
    #expect(abs(route.state(at: 5).velocity.y - 10) < 0.01)
    #expect(abs(route.state(at: 5).position.y - 25) < 0.05)
    #expect(abs(route.state(at: 12.5).position.y - 100) < 0.05)
  }

  @Test func `a leg too short for its cruising speed speeds up and slows down at once`() {
    let pace = Pace(
      cruise: .metersPerSecond(10), turning: .metersPerSecond(2),
      accelerationMetersPerSecondSquared: 2)
    let route = Route(from: start, over: [.init(place(east: 8, north: 0), by: pace)])
    #expect(abs(route.durationSeconds - 4) < 0.01)
    #expect(abs(route.state(at: 2).velocity.x - 4) < 0.01)
  }

  @Test func `a subject rests where it pauses and before and after its way`() {
    let corner = place(east: 100, north: 0)
    let route = Route(
      from: start, pauseSeconds: 10,
      over: [.init(corner, by: .walking, pauseSeconds: 30)])
    #expect(route.state(at: -5).position == .zero)
    #expect(route.state(at: 9.9).position == .zero)
    #expect(route.state(at: route.durationSeconds - 29.9).velocity == .zero)
    let end = route.state(at: route.durationSeconds + 1e6)
    #expect(route.plane.coordinate(at: end.position) == corner)
    #expect(end.velocity == .zero)
  }

  @Test func `a route without waypoints stays where it begins`() {
    let route = Route(from: start, over: [])
    #expect(route.durationSeconds == 0)
    #expect(route.state(at: 7).position == .zero)
  }

  @Test func `a place given twice in a row costs nothing`() {
    let once = Route(from: start, over: [.init(place(east: 50, north: 0), by: .walking)])
    let twice = Route(
      from: start,
      over: [
        .init(start, by: .walking), .init(place(east: 50, north: 0), by: .walking),
        .init(place(east: 50, north: 0), by: .walking),
      ])
    #expect(abs(once.durationSeconds - twice.durationSeconds) < 0.2)
    #expect(twice.durationSeconds.isFinite)
  }

  @Test func `corners are slower the sharper they are`() {
    func speed(atTurnTo east: Double, _ north: Double) -> Double {
      let corner = place(east: 0, north: 1000)
      let route = Route(
        from: start,
        over: [
          .init(corner, by: .driving()),
          .init(place(east: east, north: 1000 + north), by: .driving()),
        ])
      var slowest = Double.infinity
      for step in 0..<Int(route.durationSeconds * 10) {
        let state = route.state(at: Double(step) / 10)
        if abs(state.position.y - 1000) < 20, abs(state.position.x) < 20 {
          slowest = min(slowest, (state.velocity * state.velocity).sum().squareRoot())
        }
      }
      return slowest
    }
    let straight = speed(atTurnTo: 0, 1000)
    let slight = speed(atTurnTo: 500, 1000)
    let right = speed(atTurnTo: 1000, 0)
    #expect(straight > 13.8)
    #expect(slight < straight)
    #expect(right < slight)
    #expect(abs(right - 4) < 0.2)
  }

  @Test(arguments: Scenario.allCases)
  func `speed and place never jump`(_ scenario: Scenario) {
    let route = scenario.simulation(seed: 1).route
    let step = 0.25
    var fastest = 0.0
    var hardest = 0.0
    var farthest = 0.0
    var before = route.state(at: 0)
    for index in 1...Int(route.durationSeconds / step) {
      let now = route.state(at: Double(index) * step)
      let way = now.position - before.position
      let speed = (now.velocity * now.velocity).sum().squareRoot()
      let speedBefore = (before.velocity * before.velocity).sum().squareRoot()
      fastest = max(fastest, speed)
      hardest = max(hardest, abs(speed - speedBefore) / step)
      farthest = max(
        farthest, (way * way).sum().squareRoot() / step - max(speed, speedBefore))
      before = now
    }
    #expect(fastest > 1.3 && fastest < 19.5)
    // Up to a car's 1.8 m/s²; a step over a change of sign or of pace is no more than that.
    #expect(hardest <= 1.801)
    // No farther than speed explains: within a step it changes by at most 1.8 m/s² for 0.25 s.
    #expect(farthest <= 1.8 * step)
  }
}
