import Geo

/// A straight stretch between two waypoints with the speeds at which it is entered and left.
struct Leg {
  let start: SIMD2<Double>
  let end: SIMD2<Double>
  let direction: SIMD2<Double>
  let length: Double
  let cruise: Double
  let turning: Double
  let acceleration: Double
  let pauseSeconds: Double
  fileprivate(set) var entry = 0.0
  fileprivate(set) var exit = 0.0

  /// The highest speed on the leg: its cruising speed, or less where it is too short to reach that.
  var peak: Double {
    min(cruise, ((2 * acceleration * length + entry * entry + exit * exit) / 2).squareRoot())
  }

  private init(from start: SIMD2<Double>, to waypoint: Route.Waypoint, on plane: SimulationPlane) {
    self.start = start
    end = plane.point(of: waypoint.coordinate)
    let way = end - start
    length = (way * way).sum().squareRoot()
    direction = length > 0 ? way / length : .zero
    cruise = waypoint.pace.cruise.metersPerSecond
    turning = min(waypoint.pace.turning.metersPerSecond, cruise)
    acceleration = waypoint.pace.accelerationMetersPerSecondSquared
    pauseSeconds = waypoint.pauseSeconds
  }

  /// The legs over `waypoints` from the plane's anchor.
  ///
  /// First every corner gets the speed that its angle allows; then a pass forwards and one backwards
  /// take from it what cannot be gained, or lost again, within the legs' lengths.
  static func plan(_ waypoints: [Route.Waypoint], on plane: SimulationPlane) -> [Leg] {
    var legs: [Leg] = []
    for waypoint in waypoints {
      legs.append(Leg(from: legs.last?.end ?? .zero, to: waypoint, on: plane))
    }
    for index in legs.indices.dropFirst() {
      legs[index].entry = legs[index - 1].speed(into: legs[index])
      legs[index - 1].exit = legs[index].entry
    }
    for index in legs.indices {
      legs[index].exit = min(legs[index].exit, legs[index].reachable(from: legs[index].entry))
      if index + 1 < legs.count { legs[index + 1].entry = legs[index].exit }
    }
    for index in legs.indices.reversed() {
      legs[index].entry = min(legs[index].entry, legs[index].reachable(from: legs[index].exit))
      if index > 0 { legs[index - 1].exit = legs[index].entry }
    }
    return legs
  }

  /// The speed at the corner between this leg and the next: none where the subject pauses, the lower
  /// cruising speed straight ahead, the turning speed at a right angle.
  private func speed(into next: Leg) -> Double {
    guard pauseSeconds <= 0 else { return 0 }
    let straightness = max((direction * next.direction).sum(), 0)
    let turning = min(turning, next.turning)
    return turning + (min(cruise, next.cruise) - turning) * straightness
  }

  private func reachable(from speed: Double) -> Double {
    (speed * speed + 2 * acceleration * length).squareRoot()
  }
}
