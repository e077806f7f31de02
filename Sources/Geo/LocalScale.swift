import Glibc

// How far a coordinate is from a center that is asked about again and again.
//
// On a sphere of radius 1, with Δφ and Δλ the differences of latitude and longitude and m the middle
// latitude, the haversine formula is, without approximation,
//
//     sin²(d/2) = sin²(Δφ/2) cos²(Δλ/2) + cos²m sin²(Δλ/2)
//
// (put cos φ₁ cos φ₂ = cos²m - sin²(Δφ/2) into its usual form). With sin²(z/2) = z²/4 - z⁴/48 and
// x = Δλ cos m, y = Δφ this is, up to terms of the sixth degree,
//
//     d² = x² (1 - u (1 - cos²m)) + y² (1 - u (3 - 2 cos²m)),   u = Δλ²/12
//
// On the ellipsoid x and y are lengths: y = M(m) Δφ and x = N(m) cos m Δλ, where M and N are the
// meridional and transverse radii of curvature. Their Taylor polynomials at the center stand for
// them at the middle latitude:
//
//     dM/dφ = 3 M e² sin φ cos φ / w²,   d(N cos φ)/dφ = -M sin φ,   d²(N cos φ)/dφ² ≈ -M cos φ
//
// with w² = 1 - e² sin²φ. The small terms in u may use the sphere, and cos²φ of the center.
// That is a dozen multiplications and one root, several times faster than haversine. The terms
// in Δλ fail where meridians meet; within a degree of a pole the chord through the ground is taken.

/// The lengths of a degree around a center, made once to measure many distances from it.
public struct LocalScale: Sendable {
  public let center: Coordinate

  private let latitude: Double
  private let longitude: Double
  private let northPerDegree: Double
  private let northPerDegreeSlope: Double
  private let eastPerDegree: Double
  private let eastPerDegreeSlope: Double
  private let eastPerDegreeCurve: Double
  private let eastShrink: Double
  private let northShrink: Double
  /// The square of the distance up to which the series holds; below zero near a pole.
  private let squaredLimit: Double
  private let sine: Double
  private let cosine: Double
  private let earthPoint: EarthPoint

  /// Costs three trigonometric functions.
  public init(center: Coordinate) {
    let radians = WGS84.radiansPerDegree
    let squared = WGS84.eccentricitySquared
    self.center = center
    latitude = center.latitude
    longitude = center.longitude
    sine = sin(latitude * radians)
    cosine = cos(latitude * radians)
    let w2 = 1 - squared * sine * sine
    let transverse = WGS84.semiMajorAxis / w2.squareRoot()
    let meridional = transverse * (1 - squared) / w2
    northPerDegree = meridional * radians
    northPerDegreeSlope = 3 * meridional * squared * sine * cosine / w2 * radians * radians
    eastPerDegree = transverse * cosine * radians
    eastPerDegreeSlope = -meridional * sine * radians * radians
    eastPerDegreeCurve = -meridional * cosine / 2 * radians * radians * radians
    let twelfth = radians * radians / 12
    eastShrink = twelfth * sine * sine
    northShrink = twelfth * (3 - 2 * cosine * cosine)
    squaredLimit = abs(latitude) <= 89 ? 5000 * 5000 : -1
    earthPoint = EarthPoint(center)
  }

  /// The length of the geodesic from the center.
  ///
  /// Within 0.01 mm of it up to 1 km and 0.5 mm beyond, everywhere; about 4 ns up to 5 km.
  public func distance(to coordinate: Coordinate) -> Distance {
    .meters(
      distanceInMeters(toLatitude: coordinate.latitude, longitude: coordinate.longitude))
  }

  /// The same of plain degrees, which must be in range.
  public func distanceInMeters(toLatitude latitude: Double, longitude: Double) -> Double {
    let step = latitude - self.latitude
    let turn = foldedLongitudeDifference(longitude - self.longitude)
    let half = step * 0.5
    let north = step * (northPerDegree + half * northPerDegreeSlope)
    let east =
      turn * (eastPerDegree + half * (eastPerDegreeSlope + half * eastPerDegreeCurve))
    let turnSquared = turn * turn
    let squared =
      east * east * (1 - turnSquared * eastShrink)
      + north * north * (1 - turnSquared * northShrink)
    // Half around the world the shrunken sum could be small again; the plain one cannot.
    guard east * east + north * north <= squaredLimit else {
      return fartherDistanceInMeters(toLatitude: latitude, longitude: longitude)
    }
    return squared.squareRoot()
  }

  @inline(never)
  private func fartherDistanceInMeters(toLatitude latitude: Double, longitude: Double) -> Double {
    let chord = earthPoint.squaredChord(
      to: EarthPoint(latitude: latitude, longitude: longitude)
    ).squareRoot()
    if chord <= EarthPoint.longestChordInMeters { return EarthPoint.arc(ofChord: chord) }
    return Geodesic.between(
      latitude: self.latitude, longitude: self.longitude, latitude, longitude
    ).lengthInMeters
  }

  /// The coordinate in meters east and north of the center, on the plane that touches the ellipsoid
  /// there: right to 4 µm at 1 km and 4 mm at 10 km; at a pole north points along the center's own
  /// meridian.
  public func offset(of coordinate: Coordinate) -> (eastInMeters: Double, northInMeters: Double) {
    let difference = EarthPoint(coordinate) - earthPoint
    let lambda = longitude * WGS84.radiansPerDegree
    let outward = difference.x * cos(lambda) + difference.y * sin(lambda)
    return (
      eastInMeters: difference.y * cos(lambda) - difference.x * sin(lambda),
      northInMeters: difference.z * cosine - outward * sine
    )
  }
}
