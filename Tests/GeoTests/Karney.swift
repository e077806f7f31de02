import CProj
import Geo

/// C. Karney's geodesic as PROJ has it: the truth that distances are held against.
final class Karney {
  private let geodesic: UnsafeMutablePointer<geod_geodesic>

  init() {
    geodesic = .allocate(capacity: 1)
    geod_init(geodesic, 6_378_137, 1 / 298.257_223_563)
  }

  deinit { geodesic.deallocate() }

  func meters(_ latitude1: Double, _ longitude1: Double, _ latitude2: Double, _ longitude2: Double)
    -> Double
  {
    var meters = 0.0
    geod_inverse(geodesic, latitude1, longitude1, latitude2, longitude2, &meters, nil, nil)
    return meters
  }

  func meters(_ a: Coordinate, _ b: Coordinate) -> Double {
    meters(a.latitude, a.longitude, b.latitude, b.longitude)
  }

  /// Degrees clockwise from north at `a`.
  func azimuth(_ a: Coordinate, _ b: Coordinate) -> Double {
    var azimuth = 0.0
    geod_inverse(
      geodesic, a.latitude, a.longitude, b.latitude, b.longitude, nil, &azimuth, nil)
    return azimuth
  }

  func end(_ start: Coordinate, azimuth: Double, meters: Double) -> Coordinate {
    var latitude = 0.0
    var longitude = 0.0
    geod_direct(
      geodesic, start.latitude, start.longitude, azimuth, meters, &latitude, &longitude, nil)
    return Coordinate(latitude: latitude, longitude: longitude)!
  }

  /// The area within geodesic edges, of the two that a line divides the Earth into the smaller.
  func area(_ points: [(latitude: Double, longitude: Double)]) -> Double {
    var latitudes = points.map(\.latitude)
    var longitudes = points.map(\.longitude)
    var area = 0.0
    geod_polygonarea(geodesic, &latitudes, &longitudes, Int32(points.count), &area, nil)
    return abs(area)
  }
}

extension Coordinate {
  /// A coordinate of a test, which is in range.
  init(_ latitude: Double, _ longitude: Double) {
    self.init(latitude: latitude, longitude: longitude)!
  }
}
