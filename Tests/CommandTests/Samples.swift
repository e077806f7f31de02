import Foundation
import TestSupport

/// Small inputs of the commands' tests.
enum Samples {
  /// One store of 200 m at 48 north, 11 east.
  static let fences = """
    {"type":"FeatureCollection","features":[
     {"type":"Feature","id":"S","geometry":{"type":"Point","coordinates":[11.0,48.0]},
      "properties":{"name":"Corner Store","radiusMeters":200,"timeZone":"Europe/Berlin"}},
     {"type":"Feature","id":"T","geometry":{"type":"Point","coordinates":[11.1,48.0]},
      "properties":{"name":"Far Store"}}]}
    """

  /// A fix as a line; `north` is in meters from the store's center.
  static func line(
    second: Int, north: Double, accuracy: Double = 8, subject: String = "D1"
  ) -> String {
    let minute = second / 60
    let time = String(format: "2026-03-02T08:%02d:%02d.000Z", minute % 60, second % 60)
    return """
      {"subject":"\(subject)","time":"\(time)","lat":\(48 + north / 111_195),"lng":11.0,\
      "accuracyMeters":\(accuracy)}
      """
  }

  /// In at the start, out after ten minutes.
  static let visit =
    [
      line(second: 0, north: 900), line(second: 60, north: 20), line(second: 120, north: 25),
      line(second: 600, north: 900), line(second: 630, north: 900), line(second: 660, north: 900),
    ].joined(separator: "\n") + "\n"
}
