import Geo
import Glibc

/// A flat map around an anchor, in meters: x to the east, y to the north.
///
/// One scale for each axis serves the whole map, so a length on it differs from that on the Earth by
/// some parts in ten thousand at ten kilometers from the anchor. Truth and error are both laid on
/// the map before either becomes a coordinate, so this bends the way a little and no error at all.
struct SimulationPlane: Sendable {
  private let anchor: Coordinate
  private let metersPerDegree: SIMD2<Double>

  init(anchor: Coordinate) {
    self.anchor = anchor
    // The radii of curvature of WGS 84 at the anchor's latitude.
    let eccentricitySquared = 0.006_694_379_990_141_316
    let latitude = anchor.latitude * .pi / 180
    let flattened = 1 - eccentricitySquared * sin(latitude) * sin(latitude)
    let transverse = 6_378_137 / flattened.squareRoot()
    let meridional = transverse * (1 - eccentricitySquared) / flattened
    metersPerDegree = SIMD2(transverse * cos(latitude), meridional) * (.pi / 180)
  }

  func point(of coordinate: Coordinate) -> SIMD2<Double> {
    let eastward = coordinate.longitude - anchor.longitude
    let shortWay = eastward - 360 * (eastward / 360).rounded()
    return SIMD2(shortWay, coordinate.latitude - anchor.latitude) * metersPerDegree
  }

  /// The coordinate at a point, to the seventh decimal of a degree: a centimeter, as receivers give.
  ///
  /// Rounding also takes away what differs in the last bit between two machines' sines.
  func coordinate(at point: SIMD2<Double>) -> Coordinate {
    let moved = point / metersPerDegree + SIMD2(anchor.longitude, anchor.latitude)
    let rounded = (moved * 1e7).rounded(.toNearestOrEven) / 1e7
    let longitude = rounded.x - 360 * (rounded.x / 360).rounded()
    let latitude = min(max(rounded.y, -90), 90)
    return Coordinate(latitude: latitude, longitude: longitude) ?? anchor
  }
}
