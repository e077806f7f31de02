extension Coordinate {
  /// The coordinate at a fraction of the way to another, straight in longitude and latitude, the
  /// short way round: 0 is this one, 1 the other.
  public func interpolated(to other: Coordinate, fraction: Double) -> Coordinate {
    if fraction == 1 { return other }
    let point = StraightWay(from: self, to: other).point(at: fraction)
    return Coordinate(
      latitude: max(-90, min(90, point.latitude)),
      longitude: foldedLongitudeDifference(point.longitude)) ?? self
  }
}
