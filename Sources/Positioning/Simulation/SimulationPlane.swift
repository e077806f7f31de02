import Geo

/// A flat map around an anchor, in meters: x to the east, y to the north.
///
/// Truth and error are both laid on the map before either becomes a coordinate. Directions and
/// lengths from the anchor are those of the ellipsoid; at ten kilometers from it the map tears by
/// less than a centimeter.
struct SimulationPlane: Sendable {
  private let anchor: Coordinate
  private let scale: LocalScale

  init(anchor: Coordinate) {
    self.anchor = anchor
    scale = LocalScale(center: anchor)
  }

  func point(of coordinate: Coordinate) -> SIMD2<Double> {
    let offset = scale.offset(of: coordinate)
    return SIMD2(offset.eastInMeters, offset.northInMeters)
  }

  /// The coordinate at a point, to the seventh decimal of a degree: a centimeter, as receivers give.
  ///
  /// Rounding also takes away what differs in the last bit between two machines' sines.
  func coordinate(at point: SIMD2<Double>) -> Coordinate {
    let moved = anchor.moved(east: .meters(point.x), north: .meters(point.y))
    return Coordinate(
      latitude: (moved.latitude * 1e7).rounded() / 1e7,
      longitude: (moved.longitude * 1e7).rounded() / 1e7) ?? moved
  }
}
