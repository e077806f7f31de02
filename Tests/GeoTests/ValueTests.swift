import Geo
import TestSupport
import Testing

@Suite struct ValueTests {
  @Test(arguments: [
    (90.0, 0.0, true), (90.000_000_000_000_02, 0, false), (-90, 0, true),
    (-90.000_000_000_000_02, 0, false), (0, 180, true), (0, 180.000_000_1, false),
    (0, -180, true), (0, -180.000_000_1, false), (.nan, 0, false), (0, .nan, false),
    (.infinity, 0, false), (0, -.infinity, false),
  ])
  func `a coordinate is in range or is not made`(
    _ latitude: Double, _ longitude: Double, _ isMade: Bool
  ) {
    #expect((Coordinate(latitude: latitude, longitude: longitude) != nil) == isMade)
  }

  @Test func `the antimeridian has two names and is one place`() {
    #expect(Coordinate(12, 180) == Coordinate(12, -180))
    #expect(Coordinate(12, 180).hashValue == Coordinate(12, -180).hashValue)
    #expect(Coordinate(12, 180).longitude == -180)
    #expect(Coordinate(12, 179.999_999_999_999_97) != Coordinate(12, 180))
  }

  @Test(arguments: [
    (0.0, 0.0), (360, 0), (-360, 0), (-90, 270), (450, 90), (359.999, 359.999), (-1e-20, 0),
    (720.5, 0.5), (-0.0, 0),
  ])
  func `a bearing is folded into a turn`(_ degrees: Double, _ folded: Double) {
    let bearing = Bearing(degrees: degrees)
    #expect(bearing?.degrees == folded)
    #expect(bearing?.degrees.sign == .plus)
  }

  @Test func `a bearing is finite`() {
    #expect(Bearing(degrees: .nan) == nil)
    #expect(Bearing(degrees: .infinity) == nil)
  }

  @Test func `speeds are what their units say`() {
    #expect(Speed.knots(1).metersPerSecond == 1852.0 / 3600)
    #expect(Speed.kilometersPerHour(36).metersPerSecond == 10)
    #expect(abs(Speed.metersPerSecond(10).knots - 19.438_444_924_406) < 1e-9)
  }

  @Test(arguments: [(0.0, true), (-1, true), (.infinity, true), (.nan, true), (1e-3, false)])
  func `an accuracy that is not a radius is unknown`(_ meters: Double, _ isUnknown: Bool) {
    let fix = Fix(
      coordinate: Coordinate(0, 0), time: .earliest, accuracy: .meters(meters))
    #expect((fix.accuracy == nil) == isUnknown)
  }

  @Test(
    arguments: [
      (48.2, 16.4, 10.0, []),
      (nil, 16.4, nil, [.latitudeMissing]),
      (48.2, nil, nil, [.longitudeMissing]),
      (nil, nil, -1, [.latitudeMissing, .longitudeMissing, .accuracyNegative]),
      (.nan, .infinity, .nan, [.latitudeNotANumber, .longitudeNotANumber, .accuracyNotANumber]),
      (90, 180, 0, []),
      (90.1, 180.1, nil, [.latitudeOutOfRange, .longitudeOutOfRange]),
      (-90.1, -180.1, nil, [.latitudeOutOfRange, .longitudeOutOfRange]),
      (151.2, -33.9, nil, [.latitudeOutOfRange, .looksSwapped]),
      (151.2, 90.1, nil, [.latitudeOutOfRange]),
      (180, 90, nil, [.latitudeOutOfRange, .looksSwapped]),
      (180.1, 10, nil, [.latitudeOutOfRange]),
    ] as [(Double?, Double?, Double?, [FixProblem])])
  func `every wrong field is named`(
    _ latitude: Double?, _ longitude: Double?, _ accuracy: Double?, _ problems: [FixProblem]
  ) {
    #expect(
      FixProblem.problems(latitude: latitude, longitude: longitude, accuracyMeters: accuracy)
        == problems)
  }
}
