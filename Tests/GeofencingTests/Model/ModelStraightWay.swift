import Geo
import Geofencing

extension ModelGeodesy {
  /// The shares of the straight way from `a` to `b` at which it first enters the area and at which
  /// it last leaves it, and the depth in meters that it reaches; nil where it stays outside.
  static func cut(
    from a: Coordinate, to b: Coordinate, _ area: Fence.Area
  ) -> (enters: Double, leaves: Double, depth: Double)? {
    switch area {
    case .circle(let center, let radius):
      return cutOfCircle(from: a, to: b, center: center, radius: radius.meters)
    case .polygons(let polygons):
      return cutOfPolygons(from: a, to: b, polygons)
    }
  }

  /// Golden section for the nearest point, then bisection on either side of it.
  private static func cutOfCircle(
    from a: Coordinate, to b: Coordinate, center: Coordinate, radius: Double
  ) -> (enters: Double, leaves: Double, depth: Double)? {
    func d(_ share: Double) -> Double { meters(between(a, b, share), center) }
    guard min(d(0), d(1)) < radius + meters(a, b) else { return nil }
    let ratio = (5.0.squareRoot() - 1) / 2
    var low = 0.0
    var high = 1.0
    for _ in 0..<60 {
      let left = high - ratio * (high - low)
      let right = low + ratio * (high - low)
      if d(left) < d(right) { high = right } else { low = left }
    }
    let nearest = (low + high) / 2
    guard d(nearest) < radius else { return nil }
    func crossing(outside: Double) -> Double {
      var outside = outside
      var inside = nearest
      for _ in 0..<50 {
        let middle = (outside + inside) / 2
        if d(middle) < radius { inside = middle } else { outside = middle }
      }
      return inside
    }
    return (crossing(outside: 0), crossing(outside: 1), radius - d(nearest))
  }

  /// Every crossing with an edge, then the pieces whose middle is inside.
  private static func cutOfPolygons(
    from a: Coordinate, to b: Coordinate, _ polygons: MultiPolygon
  ) -> (enters: Double, leaves: Double, depth: Double)? {
    let way = (x: b.longitude - a.longitude, y: b.latitude - a.latitude)
    var shares = [0.0, 1.0]
    for (from, to) in polygons.polygons.flatMap({ edges(of: $0) }) {
      let edge = (x: to.longitude - from.longitude, y: to.latitude - from.latitude)
      let offset = (x: from.longitude - a.longitude, y: from.latitude - a.latitude)
      let cross = way.x * edge.y - way.y * edge.x
      guard cross != 0 else { continue }
      let share = (offset.x * edge.y - offset.y * edge.x) / cross
      let onEdge = (offset.x * way.y - offset.y * way.x) / cross
      if share > 0, share < 1, onEdge >= 0, onEdge <= 1 { shares.append(share) }
    }
    shares.sort()
    let pieces = zip(shares, shares.dropFirst())
      .map {
        (enters: $0, leaves: $1, d: distance(between(a, b, ($0 + $1) / 2), .polygons(polygons)))
      }
      .filter { $0.d < 0 }
    guard let first = pieces.first, let last = pieces.last else { return nil }
    return (first.enters, last.leaves, pieces.map { -$0.d }.max()!)
  }
}
