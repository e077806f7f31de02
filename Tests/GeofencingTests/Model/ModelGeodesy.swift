import CProj
import Geo
import Geofencing
import Glibc

/// The model's measures, on PROJ's geodesic, so that it shares no geodesy with the product.
///
/// Polygons are measured by brute force over their edges and hold only for areas of a few hundred
/// meters, away from poles and antimeridian.
enum ModelGeodesy {
  private static let ellipsoid = {
    var ellipsoid = geod_geodesic()
    geod_init(&ellipsoid, 6_378_137, 1 / 298.257223563)
    return ellipsoid
  }()

  static func meters(_ a: Coordinate, _ b: Coordinate) -> Double {
    var meters = 0.0
    withUnsafePointer(to: ellipsoid) {
      geod_inverse($0, a.latitude, a.longitude, b.latitude, b.longitude, &meters, nil, nil)
    }
    return meters
  }

  /// The coordinate that one reaches from `start` on the geodesic of this bearing.
  static func coordinate(from start: Coordinate, degrees: Double, meters: Double) -> Coordinate {
    var latitude = 0.0
    var longitude = 0.0
    withUnsafePointer(to: ellipsoid) {
      geod_direct(
        $0, start.latitude, start.longitude, degrees, meters, &latitude, &longitude, nil)
    }
    return Coordinate(latitude: latitude, longitude: longitude)!
  }

  /// The point at `share` of the straight way in longitude and latitude, the short way round.
  static func between(_ a: Coordinate, _ b: Coordinate, _ share: Double) -> Coordinate {
    var east = b.longitude - a.longitude
    if east > 180 { east -= 360 }
    if east < -180 { east += 360 }
    var longitude = a.longitude + share * east
    if longitude > 180 { longitude -= 360 }
    if longitude < -180 { longitude += 360 }
    return Coordinate(
      latitude: a.latitude + share * (b.latitude - a.latitude), longitude: longitude)!
  }

  /// From the center of a circle; from the nearest edge of a polygon, negative inside.
  static func distance(_ coordinate: Coordinate, _ area: Fence.Area) -> Double {
    switch area {
    case .circle(let center, _): return meters(coordinate, center)
    case .polygons(let polygons):
      let edges = polygons.polygons.flatMap { Self.edges(of: $0) }
      if edges.contains(where: { isExactlyOn($0, coordinate) }) { return 0 }
      let nearest = edges.map { metersToEdge(coordinate, $0) }.min()!
      return polygons.polygons.contains { holds($0, coordinate) } ? -nearest : nearest
    }
  }

  /// The radius in the thresholds.
  static func radius(_ area: Fence.Area) -> Double {
    switch area {
    case .circle(_, let radius): radius.meters
    case .polygons: 0
    }
  }

  static func normalizedDistance(_ distance: Double, _ area: Fence.Area) -> Double {
    switch area {
    case .circle(_, let radius): distance / radius.meters
    case .polygons(let polygons):
      1 + distance / (polygons.polygons.map(squareMeters).reduce(0, +) / Double.pi).squareRoot()
    }
  }

  // MARK: Polygons

  typealias Edge = (from: Coordinate, to: Coordinate)

  static func edges(of polygon: Polygon) -> [Edge] {
    ([polygon.outer] + polygon.holes).flatMap { ring in
      ring.corners.indices.map {
        (ring.corners[$0], ring.corners[($0 + 1) % ring.corners.count])
      }
    }
  }

  /// Meters east and north of `origin`, by the two radii of curvature there.
  static func plane(_ point: Coordinate, from origin: Coordinate) -> (east: Double, north: Double) {
    let flattening = 1 / 298.257223563
    let eccentricity2 = flattening * (2 - flattening)
    let latitude = origin.latitude * .pi / 180
    let w = 1 - eccentricity2 * sin(latitude) * sin(latitude)
    let north = 6_378_137 * (1 - eccentricity2) / (w * w.squareRoot())
    let east = 6_378_137 / w.squareRoot() * cos(latitude)
    return (
      (point.longitude - origin.longitude) * .pi / 180 * east,
      (point.latitude - origin.latitude) * .pi / 180 * north
    )
  }

  private static func metersToEdge(_ coordinate: Coordinate, _ edge: Edge) -> Double {
    let from = plane(edge.from, from: coordinate)
    let to = plane(edge.to, from: coordinate)
    let along = (to.east - from.east, to.north - from.north)
    let length2 = along.0 * along.0 + along.1 * along.1
    let foot = -(from.east * along.0 + from.north * along.1) / length2
    return meters(coordinate, between(edge.from, edge.to, min(1, max(0, foot))))
  }

  private static func isExactlyOn(_ edge: Edge, _ point: Coordinate) -> Bool {
    let (a, b) = edge
    let cross =
      (b.longitude - a.longitude) * (point.latitude - a.latitude)
      - (b.latitude - a.latitude) * (point.longitude - a.longitude)
    return cross == 0
      && min(a.longitude, b.longitude) <= point.longitude
      && point.longitude <= max(a.longitude, b.longitude)
      && min(a.latitude, b.latitude) <= point.latitude
      && point.latitude <= max(a.latitude, b.latitude)
  }

  /// Even-odd over the outer ring and the holes.
  private static func holds(_ polygon: Polygon, _ point: Coordinate) -> Bool {
    var isInside = false
    for (a, b) in edges(of: polygon)
    where (a.latitude > point.latitude) != (b.latitude > point.latitude) {
      let share = (point.latitude - a.latitude) / (b.latitude - a.latitude)
      if a.longitude + share * (b.longitude - a.longitude) > point.longitude { isInside.toggle() }
    }
    return isInside
  }

  private static func squareMeters(_ polygon: Polygon) -> Double {
    func area(_ ring: Ring) -> Double {
      let corners = ring.corners.map { plane($0, from: ring.corners[0]) }
      var twice = 0.0
      for (a, b) in zip(corners, corners.dropFirst() + corners.prefix(1)) {
        twice += a.east * b.north - b.east * a.north
      }
      return abs(twice) / 2
    }
    return area(polygon.outer) - polygon.holes.map(area).reduce(0, +)
  }
}
