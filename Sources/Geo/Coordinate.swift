/// A WGS 84 position in degrees that cannot be invalid.
///
/// Latitude is in [-90, 90]; longitude is accepted in [-180, 180] and kept in [-180, 180), so that
/// the two names of the antimeridian are equal.
public struct Coordinate: Hashable, Sendable {
  /// Degrees north of the equator, in [-90, 90].
  public let latitude: Double
  /// Degrees east of Greenwich, in [-180, 180).
  public let longitude: Double

  /// Makes a coordinate, or nil where either value is not finite or out of range.
  public init?(latitude: Double, longitude: Double) {
    guard abs(latitude) <= 90, abs(longitude) <= 180 else { return nil }
    self.latitude = latitude
    self.longitude = longitude == 180 ? -180 : longitude
  }
}

extension Coordinate: CustomStringConvertible {
  /// Latitude and longitude in that order, as people write them.
  public var description: String { "\(latitude), \(longitude)" }
}
