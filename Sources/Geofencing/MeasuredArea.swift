import Geo

/// A fence's area with what distances to it need, computed once.
struct MeasuredArea: Sendable {
  private enum Shape: Sendable {
    case circle(LocalScale)
    case polygons(MultiPolygon, equivalentRadiusInMeters: Double)
  }

  private let shape: Shape
  /// The distance up to which a coordinate is inside: a circle's radius; 0 for polygons, whose
  /// distances are negative inside.
  let radiusInMeters: Double

  init(_ area: Fence.Area) {
    switch area {
    case .circle(let center, let radius):
      shape = .circle(LocalScale(center: center))
      radiusInMeters = radius.meters
    case .polygons(let polygons):
      shape = .polygons(
        polygons, equivalentRadiusInMeters: (polygons.areaInSquareMeters / .pi).squareRoot())
      radiusInMeters = 0
    }
  }

  /// `d` of the rules: for a circle the distance to its center, for polygons that to the nearest
  /// edge, negative inside.
  func distanceInMeters(to coordinate: Coordinate) -> Double {
    switch shape {
    case .circle(let scale):
      scale.distanceInMeters(toLatitude: coordinate.latitude, longitude: coordinate.longitude)
    case .polygons(let polygons, _):
      polygons.signedDistance(to: coordinate).meters
    }
  }

  /// Whether the area is of several polygons.
  var hasManyParts: Bool {
    switch shape {
    case .circle: false
    case .polygons(let polygons, _): polygons.polygons.count > 1
    }
  }

  /// How deep inside, or how far outside, a distance is for the size of the area: 1 at the edge.
  func normalizedDistance(_ distanceInMeters: Double) -> Double {
    switch shape {
    case .circle: distanceInMeters / radiusInMeters
    case .polygons(_, let equivalentRadius): 1 + distanceInMeters / equivalentRadius
    }
  }

  /// The probability that a subject is inside, seen at `coordinate` with a 68 % radius of
  /// `accuracyInMeters`.
  func confidence(
    at coordinate: Coordinate, distanceInMeters: Double, accuracyInMeters: Double
  ) -> Double {
    let deviation = accuracyInMeters / Likelihood.deviationsInAccuracy
    switch shape {
    case .circle:
      return Likelihood.ofCircle(
        distance: distanceInMeters, radius: radiusInMeters, deviation: deviation)
    case .polygons(let polygons, _):
      return Likelihood.ofPolygons(
        rings(of: polygons, around: coordinate, deviation: deviation))
    }
  }

  /// Whether that probability is at least `threshold`.
  func isConfident(
    at coordinate: Coordinate, distanceInMeters: Double, accuracyInMeters: Double,
    threshold: Double
  ) -> Bool {
    let deviation = accuracyInMeters / Likelihood.deviationsInAccuracy
    switch shape {
    case .circle:
      return Likelihood.ofCircle(
        distance: distanceInMeters, radius: radiusInMeters, deviation: deviation,
        isAtLeast: threshold)
    case .polygons:
      return confidence(
        at: coordinate, distanceInMeters: distanceInMeters, accuracyInMeters: accuracyInMeters)
        >= threshold
    }
  }

  private func rings(of polygons: MultiPolygon, around coordinate: Coordinate, deviation: Double)
    -> [(points: [(east: Double, north: Double)], isHole: Bool)]
  {
    let scale = LocalScale(center: coordinate)
    func points(_ ring: Ring) -> [(east: Double, north: Double)] {
      ring.corners.map { corner in
        let offset = scale.offset(of: corner)
        return (offset.eastInMeters / deviation, offset.northInMeters / deviation)
      }
    }
    return polygons.polygons.flatMap { polygon in
      [(points(polygon.outer), false)] + polygon.holes.map { (points($0), true) }
    }
  }

  /// The fractions of the straight way between two coordinates that lie inside, from the first entry
  /// to the last exit; nil where the way stays outside.
  func crossing(from start: Coordinate, to end: Coordinate) -> ClosedRange<Double>? {
    switch shape {
    case .circle(let scale):
      scale.chord(from: start, to: end, radius: .meters(radiusInMeters))
    case .polygons(let polygons, _): polygons.crossing(from: start, to: end)
    }
  }
}
