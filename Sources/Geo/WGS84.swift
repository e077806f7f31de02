/// The ellipsoid of WGS 84 (NIMA TR8350.2): two defined constants and what follows from them.
package enum WGS84 {
  /// The radius of the equator in meters.
  package static let semiMajorAxis = 6_378_137.0
  package static let flattening = 1 / 298.257_223_563
  /// The distance from the center to a pole in meters.
  package static let semiMinorAxis = semiMajorAxis * (1 - flattening)
  /// The square of the first eccentricity.
  package static let eccentricitySquared = flattening * (2 - flattening)
  package static let radiansPerDegree = Double.pi / 180
}

/// The difference of two longitudes in degrees, the short way round: in [-180, 180].
///
/// Half a turn exactly keeps its sign, so that it does not cross the antimeridian.
@inlinable package func foldedLongitudeDifference(_ difference: Double) -> Double {
  if difference > 180 { return difference - 360 }
  if difference < -180 { return difference + 360 }
  return difference
}
