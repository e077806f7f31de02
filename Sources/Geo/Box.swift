import Glibc

/// Parallels and meridians around an area, that do not cross the antimeridian; edges included.
public struct Box: Hashable, Sendable {
  /// Degrees of latitude.
  public let south: Double
  /// Degrees of longitude, in [-180, 180]; at most `east`.
  public let west: Double
  /// Degrees of latitude.
  public let north: Double
  /// Degrees of longitude, in [-180, 180].
  public let east: Double

  /// A box of parallels and meridians, of which the smaller come first.
  public init(south: Double, west: Double, north: Double, east: Double) {
    self.south = south
    self.west = west
    self.north = north
    self.east = east
  }

  /// Whether a coordinate is in the box or on its edge.
  public func contains(_ coordinate: Coordinate) -> Bool {
    south <= coordinate.latitude && coordinate.latitude <= north
      && west <= coordinate.longitude && coordinate.longitude <= east
  }

  /// The one or two boxes that hold every coordinate within `radius` of the center.
  ///
  /// Two where the circle meets the antimeridian; one of all longitudes where it holds a pole. At
  /// most 0.7 % wider than the circle needs.
  ///
  /// A geodesic of length s is an arc of at most s / b on the sphere of reduced latitudes, b being
  /// the polar axis, and spans no less longitude there than on the ellipsoid (Karney, "Algorithms
  /// for geodesics", J. Geodesy 87, 2013, equations 7 and 8). So the box of the spherical cap of
  /// that arc, with sin Δλ = sin(s / b) / cos β, holds the circle.
  public static func boxes(around center: Coordinate, radius: Distance) -> [Box] {
    let radians = WGS84.radiansPerDegree
    let flat = 1 - WGS84.flattening
    let arc = max(0, radius.meters) / WGS84.semiMinorAxis
    let reduced = atan2(flat * sin(center.latitude * radians), cos(center.latitude * radians))
    func latitude(_ reduced: Double, _ limit: Double) -> Double {
      abs(reduced) >= .pi / 2 ? limit : atan2(sin(reduced), flat * cos(reduced)) / radians
    }
    // Rounding outward by more than the errors of a few operations: 0.1 µm.
    let margin = 1e-12
    let south = max(-90, min(center.latitude, latitude(reduced - arc, -90)) - margin)
    let north = min(90, max(center.latitude, latitude(reduced + arc, 90)) + margin)
    let room = .pi / 2 - abs(reduced)
    guard arc < room - 1e-12 else {
      return [Box(south: south, west: -180, north: north, east: 180)]
    }
    let turn = asin(min(1, sin(arc) / cos(reduced))) / radians * (1 + 1e-9) + margin
    return split(
      south: south, north: north, west: center.longitude - turn, east: center.longitude + turn)
  }

  /// The boxes of a range of longitudes that may reach beyond the antimeridian on either side.
  static func split(south: Double, north: Double, west: Double, east: Double) -> [Box] {
    func box(_ west: Double, _ east: Double) -> Box {
      Box(south: south, west: west, north: north, east: east)
    }
    if east - west >= 360 { return [box(-180, 180)] }
    if west < -180 { return [box(-180, east), box(west + 360, 180)] }
    // The antimeridian itself is kept as -180.
    if east >= 180 { return [box(west, 180), box(-180, east - 360)] }
    return [box(west, east)]
  }

  /// A bound of the distance to anything in the box: no geodesic to it is shorter, and near the box
  /// it is at most 0.7 % shorter than the shortest.
  ///
  /// The great circle between reduced latitudes is the bound, for the reason given at
  /// `boxes(around:radius:)`.
  public func lowerBound(ofDistanceFrom coordinate: Coordinate) -> Distance {
    let radians = WGS84.radiansPerDegree
    func reduced(_ latitude: Double) -> Double {
      atan2((1 - WGS84.flattening) * sin(latitude * radians), cos(latitude * radians))
    }
    let beta = reduced(coordinate.latitude)
    let low = reduced(south)
    let high = reduced(north)
    func turn(_ meridian: Double) -> Double {
      abs(foldedLongitudeDifference(meridian - coordinate.longitude))
    }
    let isBetween =
      (west <= coordinate.longitude && coordinate.longitude <= east)
      || turn(west) == 0 || turn(east) == 0
    let arc: Double
    if isBetween {
      arc = max(0, low - beta, beta - high)
    } else {
      // The nearest point of a meridian's great circle, moved into the piece that is there.
      let lambda = min(turn(west), turn(east)) * radians
      let foot = atan2(sin(beta), cos(beta) * cos(lambda))
      func arcTo(_ latitude: Double) -> Double {
        let sinBeta = sin((latitude - beta) / 2)
        let sinLambda = sin(lambda / 2)
        let haversine =
          sinBeta * sinBeta + cos(beta) * cos(latitude) * sinLambda * sinLambda
        return 2 * asin(min(1, haversine.squareRoot()))
      }
      arc =
        foot >= low && foot <= high ? arcTo(foot) : min(arcTo(low), arcTo(high))
    }
    return .meters(arc * WGS84.semiMinorAxis * (1 - 1e-12))
  }
}

extension Box {
  /// The boxes that hold a polygon's outer ring: two where it crosses the antimeridian, one of all
  /// longitudes where it holds a pole.
  ///
  /// Exact, since edges are straight in longitude and latitude.
  public static func boxes(around polygon: Polygon) -> [Box] {
    boxes(around: polygon.outer)
  }

  /// The boxes that hold a ring and what it encloses.
  public static func boxes(around ring: Ring) -> [Box] {
    let outline = ring.outline
    switch outline.pole {
    case .north: return [Box(south: outline.south, west: -180, north: 90, east: 180)]
    case .south: return [Box(south: -90, west: -180, north: outline.north, east: 180)]
    case nil: break
    }
    // A corner at a pole is there at every longitude.
    if outline.north >= 90 || outline.south <= -90 {
      return [Box(south: outline.south, west: -180, north: outline.north, east: 180)]
    }
    let shift = 360 * ((outline.west + 180) / 360).rounded(.down)
    return split(
      south: outline.south, north: outline.north, west: outline.west - shift,
      east: outline.east - shift)
  }

  /// The boxes of each of an area's polygons.
  public static func boxes(around area: MultiPolygon) -> [Box] {
    area.polygons.flatMap { boxes(around: $0) }
  }
}
