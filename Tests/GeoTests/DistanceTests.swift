import Geo
import TestSupport
import Testing

/// Parts of the Earth that centers are drawn from.
enum Region: CaseIterable {
  case anywhere
  case within20KilometersOfAPole
  case aPole
  case whereTheScaleTurnsToChords
  case theAntimeridian

  func center(using generator: inout SeededGenerator) -> Coordinate {
    let sign: Double = Bool.random(using: &generator) ? 1 : -1
    let longitude = Double.random(in: -180...180, using: &generator)
    switch self {
    case .anywhere: return Coordinate(Double.random(in: -90...90, using: &generator), longitude)
    case .within20KilometersOfAPole:
      return Coordinate(sign * (90 - Double.random(in: 0...0.18, using: &generator)), longitude)
    case .aPole: return Coordinate(sign * 90, longitude)
    case .whereTheScaleTurnsToChords:
      return Coordinate(sign * Double.random(in: 88.99...89.01, using: &generator), longitude)
    case .theAntimeridian:
      return Coordinate(
        Double.random(in: -89...89, using: &generator),
        sign * (180 - Double.random(in: 0...0.01, using: &generator)))
    }
  }
}

@Suite struct DistanceTests {
  private let karney = Karney()

  @Test func `a million distances up to 1 km are the geodesic to a micrometer`() {
    var generator = SeededGenerator(seed: 1)
    var worstOfScale = 0.0
    var worstOfPair = 0.0
    var worstAtEdge = 0.0
    for region in Region.allCases {
      for _ in 0..<2000 * repetitions {
        let center = region.center(using: &generator)
        let scale = LocalScale(center: center)
        for index in 0..<100 {
          // One in four lies where a fence of 200 m ends.
          let isAtEdge = index % 4 == 0
          let meters =
            isAtEdge
            ? Double.random(in: 199.5...200.5, using: &generator)
            : Double.random(in: 0...1000, using: &generator)
          let azimuth = Double.random(in: -180...180, using: &generator)
          let point = karney.end(center, azimuth: azimuth, meters: meters)
          let truth = karney.meters(center, point)
          let ofScale = abs(
            scale.distanceInMeters(toLatitude: point.latitude, longitude: point.longitude) - truth)
          let ofPair = abs(center.distance(to: point).meters - truth)
          worstOfScale = max(worstOfScale, ofScale)
          worstOfPair = max(worstOfPair, ofPair)
          if isAtEdge { worstAtEdge = max(worstAtEdge, ofScale) }
        }
      }
    }
    print("worst of \(1_000_000 * repetitions) near distances, mm: scale \(worstOfScale * 1000),")
    print("at 200 m \(worstAtEdge * 1000), pair \(worstOfPair * 1000)")
    #expect(worstOfScale < 1e-6)
    #expect(worstAtEdge < 1e-7)
    #expect(worstOfPair < 1e-7)
  }

  @Test func `distances of kilometers from a scale are the geodesic to a tenth of a millimeter`() {
    var generator = SeededGenerator(seed: 2)
    var worst = 0.0
    for region in Region.allCases {
      for _ in 0..<400 * repetitions {
        let center = region.center(using: &generator)
        let scale = LocalScale(center: center)
        for _ in 0..<50 {
          let meters = Double.random(in: 1000...20_000, using: &generator)
          let azimuth = Double.random(in: -180...180, using: &generator)
          let point = karney.end(center, azimuth: azimuth, meters: meters)
          let error = abs(scale.distance(to: point).meters - karney.meters(center, point))
          worst = max(worst, error)
        }
      }
    }
    print("worst of \(100_000 * repetitions) distances of 1 to 20 km, mm: \(worst * 1000)")
    #expect(worst < 1e-4)
  }

  @Test(arguments: FarPairs.allCases)
  func `far distances are the geodesic to a tenth of a millimeter`(_ pairs: FarPairs) {
    var generator = SeededGenerator(seed: 3)
    var worst = 0.0
    var worstPair: (Coordinate, Coordinate)?
    for _ in 0..<pairs.count * repetitions {
      let (a, b) = pairs.pair(using: &generator)
      let meters = a.distance(to: b).meters
      let error = abs(meters - karney.meters(a, b))
      if !(error <= worst) {
        worst = error
        worstPair = (a, b)
      }
    }
    print("worst of \(pairs.count * repetitions) distances, \(pairs), mm: \(worst * 1000)")
    #expect(worst < 1e-4, "\(String(describing: worstPair))")
  }

  @Test(arguments: FarPairs.allCases)
  func `a distance is the same both ways`(_ pairs: FarPairs) {
    var generator = SeededGenerator(seed: 4)
    for _ in 0..<min(200, pairs.count) {
      let (a, b) = pairs.pair(using: &generator)
      #expect(a.distance(to: b) == b.distance(to: a))
      #expect(abs(a.haversineDistance(to: b).meters - b.haversineDistance(to: a).meters) < 1e-6)
    }
  }

  @Test(arguments: [
    (Coordinate(0, 0), Coordinate(0, -180), 20_003_931.4586),
    (Coordinate(0, 0), Coordinate(0.5, 179.5), 19_936_288.5790),
    (Coordinate(90, 0), Coordinate(-90, 77), 20_003_931.4586),
    (Coordinate(45, 10), Coordinate(-45, -170), 20_003_931.4586),
  ])
  func `opposite points are as far as the geodesic literature says`(
    _ a: Coordinate, _ b: Coordinate, _ meters: Double
  ) {
    #expect(abs(a.distance(to: b).meters - meters) < 1e-3)
  }

  @Test func `equal coordinates are no distance apart`() {
    for coordinate in [
      Coordinate(0, 0), Coordinate(90, 12), Coordinate(-90, -180), Coordinate(52.52, 13.405),
    ] {
      #expect(coordinate.distance(to: coordinate) == .zero)
      #expect(LocalScale(center: coordinate).distance(to: coordinate) == .zero)
      #expect(coordinate.haversineDistance(to: coordinate) == .zero)
      #expect(coordinate.initialBearing(to: coordinate) == nil)
    }
  }

  @Test func `a pole is the same place at every longitude`() {
    #expect(Coordinate(90, 0).distance(to: Coordinate(90, 123)).meters < 1e-8)
    #expect(
      LocalScale(center: Coordinate(-90, 5)).distance(to: Coordinate(-90, -123)).meters < 1e-8)
  }

  @Test func `haversine is within 0_57 percent of the geodesic`() {
    var generator = SeededGenerator(seed: 5)
    var worst = 0.0
    for _ in 0..<20_000 {
      let a = Region.anywhere.center(using: &generator)
      let b =
        Bool.random(using: &generator)
        ? Region.anywhere.center(using: &generator)
        : karney.end(a, azimuth: Double.random(in: 0...360, using: &generator), meters: 200)
      let truth = karney.meters(a, b)
      worst = max(worst, abs(a.haversineDistance(to: b).meters - truth) / truth)
    }
    #expect(worst < 0.0057)
    #expect(worst > 0.005)
  }

  @Test func `bearings and moves follow the geodesic`() {
    var generator = SeededGenerator(seed: 6)
    for index in 0..<20_000 {
      let start = Region.anywhere.center(using: &generator)
      let azimuth = Double.random(in: 0..<360, using: &generator)
      let meters =
        index % 2 == 0
        ? Double.random(in: 1...5000, using: &generator)
        : Double.random(in: 1...19_000_000, using: &generator)
      let truth = karney.end(start, azimuth: azimuth, meters: meters)
      let end = start.moved(toward: Bearing(degrees: azimuth)!, by: .meters(meters))
      #expect(karney.meters(end, truth) < 5e-4)
      let bearing = start.initialBearing(to: truth)!.degrees
      let expected = karney.azimuth(start, truth)
      let turn = (bearing - expected).remainder(dividingBy: 360)
      // What the angle means where the way ends.
      #expect(abs(turn) * 3.15 / 180 * min(meters, 6_400_000) < 0.1)
    }
  }

  @Test(arguments: FarPairs.allCases)
  func `who goes in the initial bearing as far as the distance arrives`(_ pairs: FarPairs) {
    var generator = SeededGenerator(seed: 8)
    for _ in 0..<200 {
      let (a, b) = pairs.pair(using: &generator)
      guard let bearing = a.initialBearing(to: b) else { continue }
      // Nearly opposite, the length hardly tells one direction from another.
      #expect(karney.meters(a.moved(toward: bearing, by: a.distance(to: b)), b) < 0.1)
    }
  }

  @Test func `a move east and north is told back by the offset`() {
    var generator = SeededGenerator(seed: 7)
    for region in Region.allCases where region != .aPole {
      for _ in 0..<500 {
        let center = region.center(using: &generator)
        let east = Double.random(in: -700...700, using: &generator)
        let north = Double.random(in: -700...700, using: &generator)
        let point = center.moved(east: .meters(east), north: .meters(north))
        let offset = LocalScale(center: center).offset(of: point)
        #expect(abs(offset.eastInMeters - east) < 1e-5)
        #expect(abs(offset.northInMeters - north) < 1e-5)
      }
    }
  }
}

/// Kinds of pairs that geodesics are hard or degenerate for.
enum FarPairs: CaseIterable {
  case anywhere, equatorial, meridional, nearlyOpposite, nearlyOppositeOnTheEquator, fromAPole
  case short

  var count: Int {
    switch self {
    case .anywhere: 100_000
    case .equatorial, .meridional, .short, .fromAPole: 30_000
    // Each costs a search.
    case .nearlyOpposite, .nearlyOppositeOnTheEquator: 1000
    }
  }

  func pair(using generator: inout SeededGenerator) -> (Coordinate, Coordinate) {
    func random(_ limit: Double) -> Double {
      Double.random(in: -limit...limit, using: &generator)
    }
    func fold(_ longitude: Double) -> Double { longitude.remainder(dividingBy: 360) }
    switch self {
    case .anywhere:
      return (Coordinate(random(90), random(180)), Coordinate(random(90), random(180)))
    case .equatorial:
      return (Coordinate(0, random(180)), Coordinate(random(1e-6), random(180)))
    case .meridional:
      let longitude = random(180)
      let other = Bool.random(using: &generator) ? longitude : fold(longitude + 180)
      return (Coordinate(random(90), longitude), Coordinate(random(90), other))
    case .nearlyOpposite:
      let latitude = random(89)
      let longitude = random(180)
      return (
        Coordinate(latitude, longitude),
        Coordinate(-latitude + random(0.7), fold(longitude + 180 + random(0.7)))
      )
    case .nearlyOppositeOnTheEquator:
      let longitude = random(180)
      return (Coordinate(0, longitude), Coordinate(0, fold(longitude + 180 + random(1))))
    case .fromAPole:
      return (
        Coordinate(Bool.random(using: &generator) ? 90 : -90, random(180)),
        Coordinate(random(90), random(180))
      )
    case .short:
      let (latitude, longitude) = (random(89), random(180))
      return (
        Coordinate(latitude, longitude),
        Coordinate(latitude + random(0.5), fold(longitude + random(0.5)))
      )
    }
  }
}
