import Glibc

/// A point in Earth-centered, Earth-fixed meters: x through Greenwich, z through the north pole.
///
/// Here neither the poles nor the antimeridian are special. Between points of the ellipsoid that are
/// near each other the straight line through the ground (the chord) is nearly the geodesic.
struct EarthPoint {
  var x: Double
  var y: Double
  var z: Double

  init(x: Double, y: Double, z: Double) {
    self.x = x
    self.y = y
    self.z = z
  }

  /// The point of the ellipsoid at a latitude and longitude in degrees; right to some nanometers.
  init(latitude: Double, longitude: Double) {
    let phi = latitude * WGS84.radiansPerDegree
    let lambda = longitude * WGS84.radiansPerDegree
    let sine = sin(phi)
    let transverse =
      WGS84.semiMajorAxis / (1 - WGS84.eccentricitySquared * sine * sine).squareRoot()
    let parallel = transverse * cos(phi)
    x = parallel * cos(lambda)
    y = parallel * sin(lambda)
    z = transverse * (1 - WGS84.eccentricitySquared) * sine
  }

  init(_ coordinate: Coordinate) {
    self.init(latitude: coordinate.latitude, longitude: coordinate.longitude)
  }

  static func - (a: EarthPoint, b: EarthPoint) -> EarthPoint {
    EarthPoint(x: a.x - b.x, y: a.y - b.y, z: a.z - b.z)
  }

  func dot(_ other: EarthPoint) -> Double { x * other.x + y * other.y + z * other.z }

  func squaredChord(to other: EarthPoint) -> Double {
    let difference = self - other
    return difference.dot(difference)
  }

  /// Chords up to this length stand for geodesics.
  static let longestChordInMeters = 10_000.0

  /// The geodesic whose chord this is, up to `longestChordInMeters`, right to 0.02 mm.
  ///
  /// An arc of radius R exceeds its chord c by c³ / (24 R²): 1 mm in 10 km. The normal curvature of
  /// the ellipsoid stays within 0.6 % of that of the mean sphere, so the mean radius will do.
  static func arc(ofChord chord: Double) -> Double {
    chord * (1 + chord * chord / (24 * 6_371_008.8 * 6_371_008.8))
  }
}
