extension LocalScale {
  /// The fractions of the straight way between two coordinates that are within `radius` of the
  /// center; nil where it does not touch the circle.
  ///
  /// The way is straight in longitude and latitude. For ways and radii of some kilometers, which
  /// enter the circle at most once; the fractions are those where the distance is the radius to
  /// within 0.1 mm.
  public func chord(
    from start: Coordinate, to end: Coordinate, radius: Distance
  ) -> ClosedRange<Double>? {
    let way = StraightWay(from: start, to: end)
    func distance(_ fraction: Double) -> Double {
      let point = way.point(at: fraction)
      return distanceInMeters(
        toLatitude: point.latitude, longitude: foldedLongitudeDifference(point.longitude))
    }
    let atStart = distance(0)
    let atEnd = distance(1)
    let startsInside = atStart <= radius.meters
    let endsInside = atEnd <= radius.meters
    if startsInside && endsInside { return 0...1 }
    var nearest = minimizer(from: 0, through: 1, of: distance)
    if startsInside { nearest = 0 }
    if endsInside { nearest = 1 }
    guard distance(nearest) <= radius.meters else { return nil }
    func edge(outside: Double) -> Double {
      var outside = outside
      var inside = nearest
      for _ in 0..<48 {
        let middle = (outside + inside) / 2
        if distance(middle) <= radius.meters { inside = middle } else { outside = middle }
      }
      return inside
    }
    return (startsInside ? 0 : edge(outside: 0))...(endsInside ? 1 : edge(outside: 1))
  }
}
