import Geo
import Glibc

/// A subject's way as it truly was and as a receiver saw it, made as it is asked for.
///
/// The same route, receiver, start and seed give the same samples on every machine and in every
/// iteration. Fixes are not marked as simulated: they are to take the way of real ones.
public struct Simulation: Sequence, Sendable {
  /// One moment: the truth, and the receiver's word on it.
  public struct Sample: Hashable, Sendable {
    public let time: Timestamp
    /// Where the subject really is.
    public let truth: Coordinate
    public let trueSpeed: Speed
    /// What the receiver reports; nil where it has no fix.
    public let fix: Fix?
  }

  public let route: Route
  public let receiver: ReceiverModel
  public let start: Timestamp
  public let seed: UInt64

  public init(route: Route, receiver: ReceiverModel, start: Timestamp, seed: UInt64) {
    self.route = route
    self.receiver = receiver
    self.start = start
    self.seed = seed
  }

  /// All fixes of the way, in order of time.
  public var fixes: some Sequence<Fix> { lazy.compactMap(\.fix) }

  public func makeIterator() -> Iterator { Iterator(self) }

  /// Walks through time in steps of the receiver's interval.
  public struct Iterator: IteratorProtocol {
    private let simulation: Simulation
    private let zones: [PlaneZone]
    private var random: SimulationRandom
    private var error: WanderingError
    private var elapsedMilliseconds: Int64 = 0
    private var lastReportMilliseconds: Int64?

    /// A zone on the route's plane.
    private struct PlaneZone {
      var center: SIMD2<Double>
      var radiusSquared: Double
      var reception: Reception?
    }

    fileprivate init(_ simulation: Simulation) {
      self.simulation = simulation
      zones = simulation.receiver.zones.map { zone in
        PlaneZone(
          center: simulation.route.plane.point(of: zone.center),
          radiusSquared: zone.radius.meters * zone.radius.meters, reception: zone.reception)
      }
      random = SimulationRandom(seed: simulation.seed)
      error = WanderingError(in: simulation.receiver.reception, random: &random)
    }

    public mutating func next() -> Sample? {
      while Double(elapsedMilliseconds) <= simulation.route.durationSeconds * 1000 {
        let now = elapsedMilliseconds
        elapsedMilliseconds += Swift.max(simulation.receiver.intervalMilliseconds, 1)
        let state = simulation.route.state(at: Double(now) / 1000)
        let reception = reception(at: state.position)
        if now > 0 {
          error.advance(
            bySeconds: Double(elapsedMilliseconds - now) / 1000,
            in: reception ?? simulation.receiver.reception, random: &random)
        }
        if isDue(now, moving: state.velocity != .zero) {
          lastReportMilliseconds = now
          return sample(of: state, at: now, isHeard: reception != nil)
        }
      }
      return nil
    }

    /// The reception at a place; nil where there is none.
    private func reception(at position: SIMD2<Double>) -> Reception? {
      for zone in zones.reversed() {
        let way = position - zone.center
        if (way * way).sum() <= zone.radiusSquared { return zone.reception }
      }
      return simulation.receiver.reception
    }

    private func isDue(_ now: Int64, moving: Bool) -> Bool {
      guard !moving, let resting = simulation.receiver.restingIntervalMilliseconds,
        let last = lastReportMilliseconds
      else { return true }
      return now - last >= resting
    }

    private mutating func sample(
      of state: Route.State, at milliseconds: Int64, isHeard: Bool
    ) -> Sample {
      let time = simulation.start.advanced(byMilliseconds: milliseconds)
      let speed = (state.velocity * state.velocity).sum().squareRoot()
      let seconds = Double(milliseconds) / 1000
      let isDroppedOut = simulation.receiver.dropouts.contains { $0.contains(seconds) }
      return Sample(
        time: time, truth: simulation.route.plane.coordinate(at: state.position),
        trueSpeed: .metersPerSecond(speed),
        fix: isHeard && !isDroppedOut ? fix(of: state, at: time) : nil)
    }

    /// A report with the digits that receivers give, which hide what libraries' last bits do.
    private mutating func fix(of state: Route.State, at time: Timestamp) -> Fix {
      let draw = error.draw(random: &random)
      // Doppler gives the velocity to a decimeter a second, far better than positions would.
      let velocity = state.velocity + random.normalPair() * 0.1
      let speed = (velocity * velocity).sum().squareRoot()
      let degrees = atan2(velocity.x, velocity.y) * 180 / .pi
      let stated = draw.honestRadiusInMeters * simulation.receiver.statedShare
      return Fix(
        coordinate: simulation.route.plane.coordinate(at: state.position + draw.offset),
        time: time, accuracy: .meters(Swift.max((stated * 10).rounded() / 10, 0.1)),
        speed: .metersPerSecond((speed * 100).rounded() / 100),
        // A receiver at rest has no direction to report.
        course: speed < 0.5 ? nil : Bearing(degrees: (degrees * 10).rounded() / 10),
        source: .gps)
    }
  }
}
