import Geo

/// Where a simulated subject really is, second by second.
///
/// Straight legs between waypoints. On each the subject speeds up, cruises and slows down for the
/// next corner or pause, so that speed never jumps. Meant for ways within some tens of kilometers.
public struct Route: Sendable {
  /// A place on the way, how it is reached and how long the subject stays there.
  public struct Waypoint: Hashable, Sendable {
    public var coordinate: Coordinate
    public var pace: Pace
    public var pauseSeconds: Double

    public init(_ coordinate: Coordinate, by pace: Pace, pauseSeconds: Double = 0) {
      self.coordinate = coordinate
      self.pace = pace
      self.pauseSeconds = pauseSeconds
    }
  }

  /// A stretch of constant acceleration in one direction.
  private struct Phase {
    var start: Double
    var origin: SIMD2<Double>
    var direction: SIMD2<Double>
    var speed: Double
    var acceleration: Double
  }

  /// Where a subject is at one moment, on the plane of its route.
  struct State {
    var position: SIMD2<Double>
    /// Meters per second to the east and to the north.
    var velocity: SIMD2<Double>
  }

  /// How long the whole way takes, pauses included.
  public private(set) var durationSeconds = 0.0
  let plane: SimulationPlane
  private var phases: [Phase] = []

  /// Lays the way from `start`, where the subject first stays for `pauseSeconds`, over `waypoints`.
  public init(from start: Coordinate, pauseSeconds: Double = 0, over waypoints: [Waypoint]) {
    plane = SimulationPlane(anchor: start)
    rest(at: .zero, seconds: pauseSeconds)
    let legs = Leg.plan(waypoints, on: plane)
    for leg in legs {
      travel(leg)
      rest(at: leg.end, seconds: leg.pauseSeconds)
    }
    if phases.isEmpty { append(origin: .zero, direction: .zero, speed: 0, acceleration: 0, 0) }
  }

  /// The true state so many seconds after the start; before and after the way the subject rests at
  /// its ends. Cost: logarithmic in the number of waypoints.
  func state(at seconds: Double) -> State {
    let seconds = min(max(seconds, 0), durationSeconds)
    var low = 0
    var high = phases.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if phases[middle].start <= seconds { low = middle } else { high = middle }
    }
    let phase = phases[low]
    let elapsed = seconds - phase.start
    let length = elapsed * (phase.speed + phase.acceleration * elapsed / 2)
    let speed = max(phase.speed + phase.acceleration * elapsed, 0)
    return State(
      position: phase.origin + phase.direction * length, velocity: phase.direction * speed)
  }

  private mutating func append(
    origin: SIMD2<Double>, direction: SIMD2<Double>, speed: Double, acceleration: Double,
    _ seconds: Double
  ) {
    phases.append(
      Phase(
        start: durationSeconds, origin: origin, direction: direction, speed: speed,
        acceleration: acceleration))
    durationSeconds += seconds
  }

  private mutating func rest(at position: SIMD2<Double>, seconds: Double) {
    guard seconds > 0 else { return }
    append(origin: position, direction: .zero, speed: 0, acceleration: 0, seconds)
  }

  /// Gains speed to the leg's peak, holds it, and loses it down to the speed of its end.
  private mutating func travel(_ leg: Leg) {
    let acceleration = leg.acceleration
    let gaining = (leg.peak * leg.peak - leg.entry * leg.entry) / (2 * acceleration)
    let losing = (leg.peak * leg.peak - leg.exit * leg.exit) / (2 * acceleration)
    let holding = max(leg.length - gaining - losing, 0)
    func add(_ speed: Double, _ change: Double, from covered: Double, seconds: Double) {
      guard seconds > 0 else { return }
      append(
        origin: leg.start + leg.direction * covered, direction: leg.direction, speed: speed,
        acceleration: change, seconds)
    }
    add(leg.entry, acceleration, from: 0, seconds: (leg.peak - leg.entry) / acceleration)
    add(leg.peak, 0, from: gaining, seconds: holding / leg.peak)
    add(
      leg.peak, -acceleration, from: gaining + holding,
      seconds: (leg.peak - leg.exit) / acceleration)
  }
}
