import Geo
import TestSupport
import Testing

@Suite struct CrossingTests {
  private let karney = Karney()

  @Test(arguments: Region.allCases)
  func `a way is within the circle between the fractions and nowhere else`(_ region: Region) throws
  {
    var generator = SeededGenerator(seed: 41)
    var cuts = 0
    for _ in 0..<150 * repetitions {
      let center = region.center(using: &generator)
      // Near a pole a straight way in longitude and latitude goes around it.
      let scale = LocalScale(center: center)
      let radius = Double.random(in: 50...500, using: &generator)
      func end() -> Coordinate {
        karney.end(
          center, azimuth: Double.random(in: 0...360, using: &generator),
          meters: Double.random(in: 0...1500, using: &generator))
      }
      let (start, end) = (end(), end())
      guard abs(center.latitude) < 89.5 else { continue }
      let chord = scale.chord(from: start, to: end, radius: .meters(radius))
      cuts += chord == nil ? 0 : 1
      for step in 0...60 {
        let fraction = Double(step) / 60
        let meters = karney.meters(start.interpolated(to: end, fraction: fraction), center)
        if meters < radius - 1e-3 {
          #expect(chord?.contains(fraction) == true)
        } else if meters > radius + 1e-3 {
          #expect(chord?.contains(fraction) != true)
        }
      }
      guard let chord else { continue }
      for fraction in [chord.lowerBound, chord.upperBound] where fraction > 0 && fraction < 1 {
        let meters = karney.meters(start.interpolated(to: end, fraction: fraction), center)
        #expect(abs(meters - radius) < 1e-4)
      }
    }
    #expect(cuts > 20 || region == .aPole || region == .within20KilometersOfAPole)
  }

  @Test func `a way past the circle touches it or not`() {
    let scale = LocalScale(center: Coordinate(0, 180))
    let north = karney.end(Coordinate(0, 180), azimuth: 0, meters: 200).latitude
    func way(_ latitude: Double) -> ClosedRange<Double>? {
      scale.chord(
        from: Coordinate(latitude, 179.99), to: Coordinate(latitude, -179.99), radius: .meters(200))
    }
    #expect(way(north + 1e-8) == nil)
    #expect(way(north - 1e-8) != nil)
    #expect(way(0).map { abs($0.lowerBound + $0.upperBound - 1) < 1e-9 } == true)
  }

  @Test func `a way that stands still is inside or not`() {
    let scale = LocalScale(center: Coordinate(50, 8))
    let place = Coordinate(50.001, 8)
    #expect(scale.chord(from: place, to: place, radius: .meters(200)) == 0...1)
    #expect(scale.chord(from: place, to: place, radius: .meters(100)) == nil)
  }

  @Test(arguments: RingWorld.allCases)
  func `a way is out of the polygon before its first and after its last fraction`(
    _ world: RingWorld
  ) throws {
    var generator = SeededGenerator(seed: 42)
    for _ in 0..<40 * repetitions {
      let ring = try Ring(corners: world.corners(using: &generator))
      let area = try #require(MultiPolygon(polygons: [Polygon(outer: ring)]))
      let start = world.point(using: &generator)
      let end = world.point(using: &generator)
      let crossing = area.crossing(from: start, to: end)
      for step in 0...100 {
        let fraction = Double(step) / 100
        let inside = area.contains(start.interpolated(to: end, fraction: fraction))
        if inside { #expect(crossing?.contains(fraction) == true) }
      }
      guard let crossing else { continue }
      for fraction in [crossing.lowerBound, crossing.upperBound] where fraction > 0 && fraction < 1
      {
        let edge = start.interpolated(to: end, fraction: fraction)
        #expect(abs(area.signedDistance(to: edge).meters) < 1e-6)
      }
    }
  }

  @Test func `a way through a square enters at a third and leaves at two thirds`() throws {
    for longitude in [10.0, 180] {
      func fold(_ longitude: Double) -> Double { longitude.remainder(dividingBy: 360) }
      let square = try Ring(corners: [
        Coordinate(0, fold(longitude)), Coordinate(0, fold(longitude + 1)),
        Coordinate(1, fold(longitude + 1)), Coordinate(1, fold(longitude)),
      ])
      let area = try #require(MultiPolygon(polygons: [Polygon(outer: square)]))
      let west = Coordinate(0.5, fold(longitude - 1))
      let east = Coordinate(0.5, fold(longitude + 2))
      let crossing = try #require(area.crossing(from: west, to: east))
      #expect(abs(crossing.lowerBound - 1.0 / 3) < 1e-12)
      #expect(abs(crossing.upperBound - 2.0 / 3) < 1e-12)
      let along = try #require(
        area.crossing(
          from: Coordinate(1, fold(longitude - 1)), to: Coordinate(1, fold(longitude + 2)))
      )
      #expect(abs(along.lowerBound - 1.0 / 3) < 1e-12 && abs(along.upperBound - 2.0 / 3) < 1e-12)
      #expect(
        area.crossing(
          from: Coordinate(1.000_001, fold(longitude - 1)),
          to: Coordinate(1.000_001, fold(longitude + 2))) == nil)
    }
  }

  @Test func `interpolation goes the short way and ends where it should`() {
    let (a, b) = (Coordinate(10, 170), Coordinate(20, -160))
    #expect(a.interpolated(to: b, fraction: 0) == a)
    #expect(a.interpolated(to: b, fraction: 1) == b)
    let middle = a.interpolated(to: b, fraction: 0.5)
    #expect(middle.latitude == 15 && middle.longitude == -175)
    #expect(b.interpolated(to: a, fraction: 0.5) == middle)
  }
}
