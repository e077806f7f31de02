import Geo
import JSON

extension FenceGeoJSON {
  /// Writes fences as a FeatureCollection that `read` reads back as the same fences, a feature a
  /// line.
  ///
  /// Settings are written where they are not the default. Rings keep their direction, and one that
  /// crosses the antimeridian is not cut, which RFC 7946 asks for and readers of ours do not need.
  public static func write(_ fences: some Sequence<Fence>) -> [UInt8] {
    var writer = JSONWriter()
    writer.object {
      $0.member("type", "FeatureCollection")
      $0.name("features")
      $0.array {
        for fence in fences {
          $0.breakLine()
          write(fence, to: &$0)
        }
        $0.endLine()
      }
    }
    writer.endLine()
    return writer.bytes
  }

  private static func write(_ fence: Fence, to writer: inout JSONWriter) {
    let defaults = Fence.Settings()
    let settings = fence.settings
    writer.object {
      $0.member("type", "Feature")
      $0.member("id", fence.id.rawValue)
      $0.name("properties")
      $0.object {
        $0.member("name", fence.name)
        if case .circle(_, let radius) = fence.area { $0.member("radiusMeters", radius.meters) }
        if let timeZone = fence.timeZone { $0.member("timeZone", timeZone) }
        if settings.exitBuffer != defaults.exitBuffer {
          $0.member("exitBufferMeters", settings.exitBuffer.meters)
        }
        if let seconds = settings.dwellSeconds { $0.member("dwellSeconds", seconds) }
        if settings.passed { $0.member("passed", true) }
        if settings.minimumConfidence != defaults.minimumConfidence {
          $0.member("minimumConfidence", settings.minimumConfidence)
        }
      }
      $0.name("geometry")
      $0.object { write(fence.area, to: &$0) }
    }
  }

  private static func write(_ area: Fence.Area, to writer: inout JSONWriter) {
    switch area {
    case .circle(let center, _):
      writer.member("type", "Point")
      writer.name("coordinates")
      write(latitude: center.latitude, longitude: center.longitude, to: &writer)
    case .polygons(let area) where area.polygons.count == 1:
      writer.member("type", "Polygon")
      writer.name("coordinates")
      write(area.polygons[0], to: &writer)
    case .polygons(let area):
      writer.member("type", "MultiPolygon")
      writer.name("coordinates")
      writer.array {
        for polygon in area.polygons { write(polygon, to: &$0) }
      }
    }
  }

  private static func write(_ polygon: Polygon, to writer: inout JSONWriter) {
    writer.array {
      write(polygon.outer, to: &$0)
      for hole in polygon.holes { write(hole, to: &$0) }
    }
  }

  private static func write(_ ring: Ring, to writer: inout JSONWriter) {
    let corners = ring.corners
    writer.array {
      // The antimeridian has the sign of the side that the ring comes from.
      var side = corners.last { $0.longitude > -180 }?.longitude ?? -180
      for corner in corners + corners.prefix(1) {
        var longitude = corner.longitude
        if longitude > -180 { side = longitude } else if side > 0 { longitude = 180 }
        write(latitude: corner.latitude, longitude: longitude, to: &$0)
      }
    }
  }

  private static func write(latitude: Double, longitude: Double, to writer: inout JSONWriter) {
    writer.array {
      $0.value(longitude)
      $0.value(latitude)
    }
  }
}
