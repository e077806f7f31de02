import Foundation
import TestSupport
import Testing

@testable import Geo

@Suite struct PolygonTests {
  private let karney = Karney()

  // MARK: Inside and outside

  @Test(arguments: RingWorld.allCases)
  func `rings hold what their winding numbers say`(_ world: RingWorld) throws {
    var generator = SeededGenerator(seed: 31)
    var asked = 0
    var insides = 0
    for _ in 0..<25 * repetitions {
      let ring = try Ring(corners: world.corners(using: &generator))
      #expect(ring.pole == world.pole)
      let projected = ProjectedRing(ring)
      for _ in 0..<60 {
        let point = world.point(using: &generator)
        guard let inside = projected.holds(point) else { continue }
        asked += 1
        insides += inside ? 1 : 0
        #expect((ring.side(of: point) == .inside) == inside, "\(point) \(ring.corners)")
      }
    }
    // Both answers came often.
    #expect(asked > 1000 * repetitions)
    #expect(insides > asked / 20 && insides < asked * 19 / 20)
  }

  @Test(arguments: RingWorld.allCases)
  func `corners and points on edges are on the edge`(_ world: RingWorld) throws {
    var generator = SeededGenerator(seed: 32)
    for _ in 0..<20 * repetitions {
      let ring = try Ring(corners: world.corners(using: &generator))
      for (index, corner) in ring.corners.enumerated() {
        #expect(ring.side(of: corner) == .edge)
        let next = ring.corners[(index + 1) % ring.corners.count]
        let fraction = Double.random(in: 0...1, using: &generator)
        #expect(ring.side(of: corner.interpolated(to: next, fraction: fraction)) == .edge)
      }
    }
  }

  @Test func `just beside an edge is a side`() throws {
    let square = try Ring(corners: [
      Coordinate(10, 20), Coordinate(10, 21), Coordinate(11, 21), Coordinate(11, 20),
    ])
    let step = 1e-9
    for (latitude, longitude, side) in [
      (10 + step, 20.5, Ring.Side.inside), (10, 20.5, .edge), (10 - step, 20.5, .outside),
      (10.5, 20 + step, .inside), (10.5, 20, .edge), (10.5, 20 - step, .outside),
      (10.5, 21 - step, .inside), (10.5, 21, .edge), (10.5, 21 + step, .outside),
      (11 - step, 20.5, .inside), (11, 20.5, .edge), (11 + step, 20.5, .outside),
      (10, 20, .edge), (11, 21, .edge), (10, 19.5, .outside), (11, 21.5, .outside),
    ] {
      #expect(square.side(of: Coordinate(latitude, longitude)) == side, "\(latitude) \(longitude)")
    }
  }

  @Test func `an edge is straight in longitude and latitude`() throws {
    // On the ground the parallel is no shortest way: the geodesic passes 0.66 degrees north of it.
    let ring = try Ring(corners: [Coordinate(50, 0), Coordinate(50, 30), Coordinate(40, 15)])
    #expect(ring.side(of: Coordinate(50, 15)) == .edge)
    #expect(ring.side(of: Coordinate(49.999_999, 15)) == .inside)
    #expect(ring.side(of: Coordinate(50.000_001, 15)) == .outside)
  }

  @Test func `a ring across the antimeridian holds both sides of it`() throws {
    let fiji = try Ring(corners: [
      Coordinate(-19, 177), Coordinate(-19, -178), Coordinate(-16, -178), Coordinate(-16, 177),
    ])
    #expect(fiji.side(of: Coordinate(-17, 179.9)) == .inside)
    #expect(fiji.side(of: Coordinate(-17, 180)) == .inside)
    #expect(fiji.side(of: Coordinate(-17, -179.9)) == .inside)
    #expect(fiji.side(of: Coordinate(-17, -177.9)) == .outside)
    #expect(fiji.side(of: Coordinate(-17, 0)) == .outside)
    #expect(fiji.pole == nil)
  }

  @Test func `a ring that ends at the antimeridian has its edge there under both its names`() throws
  {
    let east = try Ring(corners: [
      Coordinate(0, 170), Coordinate(0, 180), Coordinate(10, 180), Coordinate(10, 170),
    ])
    let west = try Ring(corners: [
      Coordinate(0, -170), Coordinate(0, -180), Coordinate(10, -180), Coordinate(10, -170),
    ])
    for ring in [east, west] {
      #expect(ring.side(of: Coordinate(5, 180)) == .edge)
      #expect(ring.side(of: Coordinate(5, -180)) == .edge)
    }
    #expect(east.side(of: Coordinate(5, 179.999)) == .inside)
    #expect(east.side(of: Coordinate(5, -179.999)) == .outside)
    #expect(west.side(of: Coordinate(5, -179.999)) == .inside)
    #expect(west.side(of: Coordinate(5, 179.999)) == .outside)
  }

  @Test(arguments: [false, true])
  func `a ring around a pole holds it, whatever its direction`(_ reversed: Bool) throws {
    var corners = [Coordinate(80, 0), Coordinate(75, 120), Coordinate(78, -120)]
    if reversed { corners.reverse() }
    let ring = try Ring(corners: corners)
    #expect(ring.pole == .north)
    #expect(ring.side(of: Coordinate(90, 45)) == .inside)
    #expect(ring.side(of: Coordinate(89, -170)) == .inside)
    #expect(ring.side(of: Coordinate(79, 60)) == .inside)
    #expect(ring.side(of: Coordinate(70, 60)) == .outside)
    #expect(ring.side(of: Coordinate(-90, 0)) == .outside)
  }

  @Test func `a corner at a pole is the pole under every longitude`() throws {
    let wedge = try Ring(corners: [Coordinate(80, 0), Coordinate(80, 60), Coordinate(90, 30)])
    #expect(wedge.pole == nil)
    #expect(wedge.side(of: Coordinate(90, 30)) == .edge)
    #expect(wedge.side(of: Coordinate(90, -150)) == .edge)
    #expect(wedge.side(of: Coordinate(-90, 30)) == .outside)
  }

  @Test func `a hole is not in the polygon, its edge is`() throws {
    let outer = try Ring(corners: [
      Coordinate(0, 0), Coordinate(0, 10), Coordinate(10, 10), Coordinate(10, 0),
    ])
    let hole = try Ring(corners: [
      Coordinate(4, 4), Coordinate(6, 4), Coordinate(6, 6), Coordinate(4, 6),
    ])
    let area = try #require(MultiPolygon(polygons: [Polygon(outer: outer, holes: [hole])]))
    #expect(area.contains(Coordinate(2, 2)))
    #expect(!area.contains(Coordinate(5, 5)))
    #expect(area.contains(Coordinate(4, 5)))
    #expect(!area.contains(Coordinate(4.000_000_1, 5)))
    #expect(area.contains(Coordinate(0, 5)))
    #expect(area.signedDistance(to: Coordinate(5, 5)).meters > 0)
    #expect(area.signedDistance(to: Coordinate(3.9, 5)).meters < 0)
    let toHole = karney.meters(Coordinate(3.9, 5), Coordinate(4, 5))
    #expect(abs(area.signedDistance(to: Coordinate(3.9, 5)).meters + toHole) < 0.1)
  }

  // MARK: Distance

  @Test(arguments: RingWorld.allCases)
  func `the distance to the edge is that of the nearest of many points on it`(_ world: RingWorld)
    throws
  {
    var generator = SeededGenerator(seed: 33)
    var worst = 0.0
    for index in 0..<12 * repetitions {
      let ring = try Ring(corners: world.corners(using: &generator))
      let area = try #require(MultiPolygon(polygons: [Polygon(outer: ring)]))
      for _ in 0..<4 {
        var point = world.point(using: &generator)
        if index % 2 == 0 {
          let corner = ring.corners.randomElement(using: &generator)!
          point = karney.end(
            corner, azimuth: Double.random(in: 0...360, using: &generator),
            meters: Double.random(in: 0...1000, using: &generator))
        }
        let truth = nearestBySampling(ring, point)
        let found = abs(area.signedDistance(to: point).meters)
        let error = abs(found - truth)
        let allowed = truth <= 1000 ? 1e-4 : truth * 1e-4
        #expect(error <= allowed, "\(found) \(truth) \(point) \(ring.corners)")
        if truth <= 1000 { worst = max(worst, error) }
        #expect((area.signedDistance(to: point).meters < 0) == (ring.side(of: point) == .inside))
      }
    }
    print("worst distance to an edge within 1 km, \(world), mm: \(worst * 1000)")
  }

  @Test(arguments: RingWorld.allCases)
  func `from the other side of the Earth the distance is right to a ten thousandth`(
    _ world: RingWorld
  ) throws {
    var generator = SeededGenerator(seed: 35)
    for index in 0..<10 * repetitions {
      let ring = try Ring(corners: world.corners(using: &generator))
      let area = try #require(MultiPolygon(polygons: [Polygon(outer: ring)]))
      var point = Region.anywhere.center(using: &generator)
      if index % 2 == 0 {
        let corner = ring.corners[0]
        point = Coordinate(
          -corner.latitude, (corner.longitude + 179.9).remainder(dividingBy: 360))
      }
      let truth = nearestBySampling(ring, point)
      let found = abs(area.signedDistance(to: point).meters)
      #expect(abs(found - truth) <= max(1e-3, truth * 1e-4), "\(found) \(truth) \(point)")
    }
  }

  @Test func `a long parallel is followed on the ground`() throws {
    let ring = try Ring(corners: [Coordinate(60, 0), Coordinate(60, 90), Coordinate(70, 45)])
    let area = try #require(MultiPolygon(polygons: [Polygon(outer: ring)]))
    for longitude in [1.0, 30, 44.5, 89] {
      let point = Coordinate(59.995, longitude)
      let truth = karney.meters(point, Coordinate(60, longitude))
      #expect(abs(area.signedDistance(to: point).meters - truth) < 1e-4)
    }
  }

  /// Edges that first come nearer, then go away and come nearer again, or the other way about.
  @Test(arguments: [
    (-31.0, -86.0, 158.0, 0.25), (-88, 9, 160, 0.75), (83, 52, 167, 0.75), (63, -84, 173, 0.25),
    (-18, 86, 164, 0.25), (71, -47, 171, 0.75),
  ])
  func `an edge with two valleys is nearest at its own point`(
    _ start: Double, _ end: Double, _ turn: Double, _ fraction: Double
  ) throws {
    let (first, last) = (Coordinate(start, 0), Coordinate(end, turn))
    let ring = try Ring(corners: [first, last, Coordinate((start + end) / 2, turn / 2 + 10)])
    let area = try #require(MultiPolygon(polygons: [Polygon(outer: ring)]))
    let point = first.interpolated(to: last, fraction: fraction)
    #expect(abs(area.signedDistance(to: point).meters) < 1e-4)
  }

  @Test func `every point of a parallel is equally far from its pole`() throws {
    let ring = try Ring(
      corners: (0..<36).map { Coordinate(89.991, Double($0) * 10 - 180) })
    let area = try #require(MultiPolygon(polygons: [Polygon(outer: ring)]))
    let truth = karney.meters(Coordinate(90, 0), Coordinate(89.991, 0))
    #expect(abs(area.signedDistance(to: Coordinate(90, 0)).meters + truth) < 1e-4)
  }

  @Test func `on a corner the distance is nothing`() throws {
    let ring = try Ring(corners: [Coordinate(52, 13), Coordinate(52, 13.01), Coordinate(52.01, 13)])
    let area = try #require(MultiPolygon(polygons: [Polygon(outer: ring)]))
    for corner in ring.corners { #expect(area.signedDistance(to: corner).meters == 0) }
  }

  private func nearestBySampling(_ ring: Ring, _ point: Coordinate) -> Double {
    var best = Double.infinity
    for (index, corner) in ring.corners.enumerated() {
      let next = ring.corners[(index + 1) % ring.corners.count]
      let turn = (next.longitude - corner.longitude).remainder(dividingBy: 360)
      let rise = next.latitude - corner.latitude
      func meters(_ fraction: Double) -> Double {
        karney.meters(
          corner.latitude + fraction * rise, corner.longitude + fraction * turn, point.latitude,
          point.longitude)
      }
      let samples = 100
      var nearest = 0
      var least = Double.infinity
      for sample in 0...samples {
        let value = meters(Double(sample) / Double(samples))
        if value < least { (nearest, least) = (sample, value) }
      }
      var low = Double(max(0, nearest - 1)) / Double(samples)
      var high = Double(min(samples, nearest + 1)) / Double(samples)
      for _ in 0..<60 {
        let (a, b) = (low + (high - low) / 3, high - (high - low) / 3)
        if meters(a) < meters(b) { high = b } else { low = a }
      }
      best = min(best, least, meters((low + high) / 2))
    }
    return best
  }

  // MARK: Area

  @Test(arguments: RingWorld.allCases)
  func `areas are those of the geodesic polygon through many points of the edges`(
    _ world: RingWorld
  ) throws {
    var generator = SeededGenerator(seed: 34)
    for _ in 0..<6 {
      let ring = try Ring(corners: world.corners(using: &generator))
      let truth = karney.area(densified(ring, pieces: 500))
      #expect(abs(ring.areaInSquareMeters - truth) < truth * 1e-4)
    }
  }

  @Test func `a hole is subtracted, polygons are added`() throws {
    let outer = try Ring(corners: [
      Coordinate(0, 0), Coordinate(0, 0.02), Coordinate(0.02, 0.02), Coordinate(0.02, 0),
    ])
    let hole = try Ring(corners: [
      Coordinate(0.005, 0.005), Coordinate(0.005, 0.015), Coordinate(0.015, 0.015),
      Coordinate(0.015, 0.005),
    ])
    let polygon = Polygon(outer: outer, holes: [hole])
    let expected = outer.areaInSquareMeters * 0.75
    #expect(abs(polygon.areaInSquareMeters - expected) < expected * 1e-6)
    let double = try #require(MultiPolygon(polygons: [polygon, Polygon(outer: outer)]))
    #expect(abs(double.areaInSquareMeters - expected / 0.75 * 1.75) < expected * 1e-6)
  }

  @Test func `the Earth has 510 million square kilometers`() throws {
    #expect(abs(AuthalicSphere.wholeArea - 510_065_621_724_088) < 10)
    let north = try Ring(corners: [Coordinate(0, 0), Coordinate(0, 120), Coordinate(0, -120)])
    #expect(abs(north.areaInSquareMeters - 510_065_621_724_088 / 2) < 10)
  }

  private func densified(_ ring: Ring, pieces: Int) -> [(latitude: Double, longitude: Double)] {
    ring.corners.indices.flatMap { index in
      let corner = ring.corners[index]
      let next = ring.corners[(index + 1) % ring.corners.count]
      let turn = (next.longitude - corner.longitude).remainder(dividingBy: 360)
      return (0..<pieces).map { piece in
        let fraction = Double(piece) / Double(pieces)
        return (
          corner.latitude + fraction * (next.latitude - corner.latitude),
          corner.longitude + fraction * turn
        )
      }
    }
  }
}

/// Kinds of rings, drawn around a center so that they do not cross themselves.
enum RingWorld: CaseIterable {
  case shop, country, acrossTheAntimeridian, besideAPole, aroundTheNorthPole, aroundTheSouthPole
  case aroundThePoleWithinSight

  var pole: Ring.Pole? {
    switch self {
    case .aroundTheNorthPole, .aroundThePoleWithinSight: .north
    case .aroundTheSouthPole: .south
    default: nil
    }
  }

  private var center: (latitude: Double, longitude: Double, height: Double, width: Double) {
    switch self {
    case .shop: (48.2, 16.37, 0.001, 0.0015)
    case .country: (47, 14, 20, 30)
    case .acrossTheAntimeridian: (-17, 179.9, 1, 2)
    case .besideAPole: (88, 20, 1.9, 80)
    case .aroundTheNorthPole: (70, 0, 15, 0)
    case .aroundTheSouthPole: (-60, 0, 25, 0)
    case .aroundThePoleWithinSight: (89.995, 0, 0.003, 0)
    }
  }

  func corners(using generator: inout SeededGenerator) -> [Coordinate] {
    let (latitude, longitude, height, width) = center
    let count = Int.random(in: 5...14, using: &generator)
    var corners = (0..<count).map { index in
      let share = (Double(index) + Double.random(in: 0...0.8, using: &generator)) / Double(count)
      let reach = Double.random(in: 0.2...1, using: &generator)
      if width == 0 {
        return Coordinate(
          latitude + height * Double.random(in: -1...1, using: &generator), share * 360 - 180)
      }
      return Coordinate(
        latitude + height * reach * sin(share * 2 * .pi),
        (longitude + width * reach * cos(share * 2 * .pi)).remainder(dividingBy: 360))
    }
    if Bool.random(using: &generator) { corners.reverse() }
    return corners
  }

  func point(using generator: inout SeededGenerator) -> Coordinate {
    let (latitude, longitude, height, width) = center
    func random(_ limit: Double) -> Double {
      Double.random(in: -limit...limit, using: &generator)
    }
    return Coordinate(
      max(-90, min(90, latitude + 1.4 * random(height))),
      (longitude + random(width == 0 ? 180 : 1.4 * width)).remainder(dividingBy: 360))
  }
}

/// Another way to know what is inside: many points of the edges on a plane that touches the Earth at
/// a pole, and the sum of the angles that they turn by around the asked point there. The opposite
/// pole, at infinity, is outside of all but a ring that holds it.
private struct ProjectedRing {
  private let points: [(x: Double, y: Double)]
  private let pole: Ring.Pole?

  init(_ ring: Ring) {
    pole = ring.pole
    var points: [(x: Double, y: Double)] = []
    for (index, corner) in ring.corners.enumerated() {
      let next = ring.corners[(index + 1) % ring.corners.count]
      let turn = (next.longitude - corner.longitude).remainder(dividingBy: 360)
      for piece in 0..<50 {
        let fraction = Double(piece) / 50
        points.append(
          ProjectedRing.plane(
            corner.latitude + fraction * (next.latitude - corner.latitude),
            corner.longitude + fraction * turn))
      }
    }
    self.points = points
  }

  private static func plane(_ latitude: Double, _ longitude: Double) -> (x: Double, y: Double) {
    let radius = tan((90 - latitude) * .pi / 360)
    return (radius * cos(longitude * .pi / 180), radius * sin(longitude * .pi / 180))
  }

  /// Nil where the point is too near to the line for pieces to tell.
  func holds(_ coordinate: Coordinate) -> Bool? {
    let (x, y) = ProjectedRing.plane(coordinate.latitude, coordinate.longitude)
    var sum = 0.0
    for (index, point) in points.enumerated() {
      let next = points[(index + 1) % points.count]
      let (ax, ay, bx, by) = (point.x - x, point.y - y, next.x - x, next.y - y)
      let angle = atan2(ax * by - ay * bx, ax * bx + ay * by)
      if abs(angle) > 1 { return nil }
      sum += angle
    }
    let windings = Int((sum / (2 * .pi)).rounded())
    return (windings % 2 != 0) != (pole == .south)
  }
}
