import Geo
import Testing

@testable import Positioning

struct SimulationTests {
  private let start = Coordinate(latitude: 45.42, longitude: -75.7)!

  private func standing(
    hours: Double, seed: UInt64 = 7, _ change: (inout ReceiverModel) -> Void = { _ in }
  ) -> Simulation {
    var receiver = ReceiverModel()
    change(&receiver)
    return Simulation(
      route: Route(from: start, pauseSeconds: hours * 3600, over: []), receiver: receiver,
      start: Scenario.start, seed: seed)
  }

  /// The meters from truth to fix, on the plane of the simulation.
  private func error(of sample: Simulation.Sample, in simulation: Simulation) -> SIMD2<Double>? {
    guard let fix = sample.fix else { return nil }
    return simulation.route.plane.point(of: fix.coordinate)
      - simulation.route.plane.point(of: sample.truth)
  }

  /// The share of fixes whose true error is within the accuracy that they state.
  private func shareWithinStatedAccuracy(_ simulations: [Simulation]) -> Double {
    var within = 0
    var all = 0
    for simulation in simulations {
      for sample in simulation {
        guard let error = error(of: sample, in: simulation), let accuracy = sample.fix?.accuracy
        else { continue }
        all += 1
        if (error * error).sum().squareRoot() <= accuracy.meters { within += 1 }
      }
    }
    return Double(within) / Double(all)
  }

  struct Honesty: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let reception: Reception
  }

  @Test(arguments: [
    Honesty(testDescription: "open sky", reception: .openSky),
    Honesty(
      testDescription: "beside buildings, biased by as much as it spreads",
      reception: .besideBuildings(toward: Bearing(degrees: 60))),
    Honesty(
      testDescription: "a bias of three times the spread",
      reception: .besideBuildings(bias: .meters(42), toward: Bearing(degrees: 250))),
    Honesty(testDescription: "indoors", reception: .indoors),
  ])
  func `68 % of all fixes are within the accuracy that they state`(_ honesty: Honesty) {
    // Thinned to a fix in a correlation time or so, and with many seeds, fixes are nearly
    // independent: with 20,000 of them one deviation of the share is 0.4 %.
    let interval = Int64(honesty.reception.correlationSeconds * 1000)
    let simulations = (1...40 as ClosedRange<UInt64>).map { seed in
      standing(hours: 500 * Double(interval) / 3_600_000, seed: seed) { receiver in
        receiver.reception = honesty.reception
        receiver.intervalMilliseconds = interval
      }
    }
    let share = shareWithinStatedAccuracy(simulations)
    #expect(abs(share - 0.68) < 0.015, "\(share)")
  }

  @Test func `a moving receiver that passes through zones is honest on the whole`() {
    let simulations = (1...60 as ClosedRange<UInt64>).map { seed in
      let commute = Scenario.commute.simulation(seed: seed)
      var receiver = commute.receiver
      receiver.intervalMilliseconds = 10_000
      return Simulation(
        route: commute.route, receiver: receiver, start: commute.start, seed: seed)
    }
    let share = shareWithinStatedAccuracy(simulations)
    #expect(abs(share - 0.68) < 0.05, "\(share)")
  }

  @Test func `a liar's share is far below`() {
    let liars = (1...20 as ClosedRange<UInt64>).map { seed in
      standing(hours: 8, seed: seed) { receiver in
        receiver.intervalMilliseconds = 60_000
        receiver.statedShare = 0.2
      }
    }
    // 1 - 0.32^(0.2 * 0.2) of a Rayleigh distribution.
    #expect(abs(shareWithinStatedAccuracy(liars) - 0.045) < 0.02)
  }

  @Test func `the error wanders: neighbors are alike, fixes far apart are not`() {
    let simulation = standing(hours: 20)
    let errors = simulation.compactMap { error(of: $0, in: simulation)?.x }
    func correlation(lag: Int) -> Double {
      var products = 0.0
      var squares = 0.0
      for index in 0..<(errors.count - lag) {
        products += errors[index] * errors[index + lag]
        squares += errors[index] * errors[index]
      }
      return products / squares
    }
    // 0.9 of the variance wanders with 60 s: 0.9 * exp(-lag / 60).
    #expect(abs(correlation(lag: 1) - 0.885) < 0.05)
    #expect(abs(correlation(lag: 60) - 0.331) < 0.12)
    #expect(abs(correlation(lag: 600)) < 0.15)
  }

  @Test func `a bias pushes the positions to its side`() throws {
    let simulation = standing(hours: 200) { receiver in
      receiver.reception = .besideBuildings(bias: .meters(15), toward: Bearing(degrees: 90))
      receiver.intervalMilliseconds = 180_000
    }
    let errors = simulation.compactMap { error(of: $0, in: simulation) }
    let mean = errors.reduce(SIMD2<Double>.zero, +) / Double(errors.count)
    #expect(abs(mean.x - 15) < 1.5)
    #expect(abs(mean.y) < 1.5)
  }

  @Test func `the approximate radius holds 68 % of a biased Gaussian`() {
    var random = SimulationRandom(seed: 3)
    let count = 40_000
    for bias in [0.0, 0.5, 1, 2, 5, 20] {
      let radius = WanderingError.radius(deviation: 1, bias: bias)
      var within = 0
      for _ in 0..<count {
        let point = random.normalPair() + SIMD2(bias, 0)
        if (point * point).sum() <= radius * radius { within += 1 }
      }
      let share = Double(within) / Double(count)
      #expect(abs(share - 0.68) < 0.012, "bias \(bias): \(share)")
    }
  }

  @Test func `the same seed gives the same samples, another one others`() {
    let once = Array(Scenario.commute.simulation(seed: 1))
    #expect(once == Array(Scenario.commute.simulation(seed: 1)))
    let other = Array(Scenario.commute.simulation(seed: 2))
    #expect(once.map(\.truth) == other.map(\.truth))
    #expect(once.compactMap(\.fix) != other.compactMap(\.fix))
  }

  @Test func `normal values have the moments of the normal distribution`() {
    var random = SimulationRandom(seed: 11)
    var moments = SIMD4<Double>.zero
    let count = 100_000
    for _ in 0..<(count / 2) {
      let pair = random.normalPair()
      for value in [pair.x, pair.y] {
        moments += SIMD4(value, value * value, value * value * value, value * value * value * value)
      }
    }
    moments /= Double(count)
    #expect(abs(moments.x) < 0.015)
    #expect(abs(moments.y - 1) < 0.02)
    #expect(abs(moments.z) < 0.04)
    #expect(abs(moments.w - 3) < 0.12)
  }

  @Test(arguments: [1000, 200, 100] as [Int64])
  func `reports come at the receiver's rate`(_ interval: Int64) {
    let simulation = standing(hours: 0.02) { $0.intervalMilliseconds = interval }
    let times = simulation.map { $0.time.milliseconds(since: Scenario.start) }
    #expect(times == Array(stride(from: Int64(0), through: 72_000, by: Int(interval))))
  }

  @Test func `a resting receiver that saves power reports more rarely`() {
    let simulation = standing(hours: 0.1) { $0.restingIntervalMilliseconds = 10_000 }
    let times = simulation.map { $0.time.milliseconds(since: Scenario.start) }
    #expect(times == Array(stride(from: 0, through: 360_000, by: 10_000)))
  }

  @Test func `a dropout has no fix, from its first instant to just before its end`() {
    let simulation = standing(hours: 0.1) { $0.dropouts = [20..<50, 100..<101] }
    let silent = simulation.filter { $0.fix == nil }
    let seconds = silent.map { Int($0.time.seconds(since: Scenario.start)) }
    #expect(seconds == Array(20...49) + [100])
  }

  @Test func `a zone without reception has no fix in it and fixes around it`() {
    for sample in Scenario.tunnel.simulation(seed: 1) {
      let plane = SimulationPlane(anchor: Scenario.ottawaStore)
      let way = plane.point(of: sample.truth)
      let distance = (way * way).sum().squareRoot()
      if abs(distance - 320) > 0.5 { #expect((sample.fix == nil) == (distance < 320)) }
    }
  }

  @Test func `stated speeds are close to the truth and a resting receiver states no course`() {
    for sample in Scenario.driveBy.simulation(seed: 5) {
      guard let fix = sample.fix, let speed = fix.speed else { continue }
      #expect(abs(speed.metersPerSecond - sample.trueSpeed.metersPerSecond) < 0.6)
      #expect((fix.course == nil) == (speed.metersPerSecond < 0.5))
    }
  }

  @Test(arguments: Scenario.allCases)
  func `no two fixes of a scenario make an implausible jump`(_ scenario: Scenario) {
    for seed in 1...5 as ClosedRange<UInt64> {
      let simulation = scenario.simulation(seed: seed)
      var last: (position: SIMD2<Double>, fix: Fix)?
      for fix in simulation.fixes {
        let position = simulation.route.plane.point(of: fix.coordinate)
        if let last, let accuracy = fix.accuracy, let lastAccuracy = last.fix.accuracy {
          let way = position - last.position
          let distance =
            (way * way).sum().squareRoot() - accuracy.meters - lastAccuracy.meters
          #expect(distance / fix.time.seconds(since: last.fix.time) <= 70)
        }
        last = (position, fix)
      }
    }
  }

  @Test func `coordinates stay valid across the antimeridian`() {
    let start = Coordinate(latitude: -17.8, longitude: 179.9995)!
    let end = Coordinate(latitude: -17.8, longitude: -179.9995)!
    let simulation = Simulation(
      route: Route(from: start, over: [.init(end, by: .walking)]), receiver: ReceiverModel(),
      start: Scenario.start, seed: 1)
    let longitudes = simulation.map(\.truth.longitude)
    #expect(longitudes.allSatisfy { abs($0) > 179.999 })
    #expect(longitudes.count < 120)
    #expect(longitudes.contains { $0 < 0 } && longitudes.contains { $0 > 0 })
  }
}
