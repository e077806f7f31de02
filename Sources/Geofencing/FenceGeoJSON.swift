import Geo
import JSON

/// Fences as GeoJSON (RFC 7946): a FeatureCollection, or one Feature.
///
/// A Point is a circle of `properties.radiusMeters`, 200 m where absent; a Polygon or MultiPolygon,
/// with or without holes, is itself. The `id` is the feature's, a string or a number, or else
/// `properties.id`. `properties` further has `name`, `timeZone`, `exitBufferMeters`, `dwellSeconds`,
/// `passed` and `minimumConfidence`; others are passed over, and null is the same as absent.
public enum FenceGeoJSON {
  /// Reads a file and tells all problems at once: of each ring the first position that is wrong, of
  /// everything else each field.
  ///
  /// Takes about 3 microseconds for a point fence, and memory of some seven times the file.
  public static func read(_ bytes: [UInt8]) -> FenceImport {
    var reading = FenceReading()
    reading.readGeoJSON(bytes)
    return reading.result
  }
}

extension FenceReading {
  mutating func readGeoJSON(_ bytes: [UInt8]) {
    var parser = JSONParser()
    let root: JSONValue
    do throws(JSONSyntaxError) {
      root = try parser.parse(bytes)
    } catch {
      var problem = FenceProblem(.malformed(error.message))
      problem.line = error.line
      problem.column = error.column
      report(problem)
      return
    }
    var reader = FeatureReader(reading: self)
    reader.read(root)
    self = reader.finished(root)
  }
}

extension Fence.Settings {
  /// The largest exit buffer that a file may give: 100 km.
  public static let largestExitBuffer = Distance.meters(100_000)
  /// The longest dwell that a file may give: 366 days.
  public static let longestDwellSeconds = 31_622_400.0
}
