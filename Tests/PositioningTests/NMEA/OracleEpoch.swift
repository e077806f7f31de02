import Foundation
import Geo
import Positioning
import TestSupport
import Testing

/// One measurement of a recording, as an independent decoder gives it.
struct OracleEpoch {
  /// `hh:mm:ss.sss`
  var time: String
  var date: String?
  /// Whether the date is of the sentence before, not of one of its own.
  var isDateCarried: Bool
  var isValid: Bool
  var latitude: Double
  var longitude: Double
  var quality: Int?
  var mode: String?
  var hdop: Double?
  var altitude: Double?
  var speed: Double?
  var course: Double?
  /// GST's sigmas of latitude and longitude, of the same time.
  var sigmas: (latitude: Double, longitude: Double)?

  /// The runs of sentences of the same tenth of a second in a recording.
  static func epochs(of trace: String) throws -> [OracleEpoch] {
    let statistics = try statistics(of: trace)
    return try sharedLines(oracleName(of: trace, "epochs")).map { line in
      let time = try #require(line["time"] as? String)
      return OracleEpoch(
        time: time, date: line["date"] as? String,
        isDateCarried: line["date_from"] != nil, isValid: try #require(line["valid"] as? Bool),
        latitude: line["lat"] as? Double ?? .nan, longitude: line["lon"] as? Double ?? .nan,
        quality: line["quality"] as? Int, mode: line["mode"] as? String,
        hdop: line["hdop"] as? Double, altitude: line["alt_msl"] as? Double,
        speed: line["speed"] as? Double, course: line["course"] as? Double,
        sigmas: statistics[time])
    }
  }

  private static func statistics(
    of trace: String
  ) throws -> [String: (latitude: Double, longitude: Double)] {
    // The long recordings have no sentences beside them, and no GST in them.
    let name = oracleName(of: trace, "sentences")
    guard SharedFiles.path(name) != nil else { return [:] }
    var statistics: [String: (latitude: Double, longitude: Double)] = [:]
    for line in try sharedLines(name) {
      guard let time = line["time"] as? String, let latitude = line["lat_err"] as? Double,
        let longitude = line["lon_err"] as? Double
      else { continue }
      statistics[time] = (latitude, longitude)
    }
    return statistics
  }

  /// The measurements among these runs.
  ///
  /// Where the sentences of neighboring measurements come in a mixed order, one measurement is
  /// several runs: what has the same time and place as a run shortly before is no new measurement.
  static func measurements(among runs: [OracleEpoch]) -> [OracleEpoch] {
    runs.indices.filter { index in
      !runs[max(0, index - 16)..<index].contains { earlier in
        earlier.time == runs[index].time && earlier.date == runs[index].date
          && abs(earlier.latitude - runs[index].latitude) <= 1e-5
          && abs(earlier.longitude - runs[index].longitude) <= 1e-5
      }
    }.map { runs[$0] }
  }

  /// What differs in a fix, by name.
  func differences(from decoded: DecodedFix) -> [String] {
    let fix = decoded.fix
    let time = fix.time.description
    var differences: [String] = []
    func check(_ name: String, _ isRight: Bool) {
      if !isRight { differences.append(name) }
    }
    func isClose(_ value: Double?, _ expected: Double?, _ tolerance: Double) -> Bool {
      guard let expected else { return true }
      return value.map { abs($0 - expected) <= tolerance } ?? false
    }
    check("time", time.dropFirst(11).dropLast() == self.time)
    check("date", date.map { time.hasPrefix($0) } ?? true)
    check("latitude", isClose(fix.coordinate.latitude, latitude, 1e-9))
    check("longitude", isClose(fix.coordinate.longitude, longitude, 1e-9))
    check("altitude", isClose(fix.altitude?.meters, altitude, 1e-9))
    check("speed", isClose(fix.speed?.metersPerSecond, speed, 1e-4))
    check("course", isClose(fix.course?.degrees, course.map { $0 == 360 ? 0 : $0 }, 1e-9))
    check("accuracy", isClose(fix.accuracy?.meters, expectedAccuracy, 1e-9))
    check("source", expectedSource.map { $0 == fix.source } ?? true)
    check("simulated", !fix.isSimulated)
    if date != nil, !isDateCarried { check("origin", decoded.timeOrigin == .reported) }
    if isDateCarried { check("origin", decoded.timeOrigin == .dateCarried) }
    return differences
  }

  private var expectedAccuracy: Double? {
    if let sigmas {
      let square = sigmas.latitude * sigmas.latitude + sigmas.longitude * sigmas.longitude
      return 1.51 * (square / 2).squareRoot()
    }
    return hdop.flatMap { $0 > 0 ? $0 * 5 : nil }
  }

  private var expectedSource: Fix.Source? {
    switch (quality, mode) {
    case (1, _), (3, _): .gps
    case (2, _), (4, _), (5, _): .differentialGPS
    case (nil, "A"): .gps
    case (nil, "D"): .differentialGPS
    default: nil
    }
  }
}

/// The file with one kind of answers beside a recording: most lack the recording's own extension.
func oracleName(of trace: String, _ kind: String) -> String {
  let full = "\(trace).\(kind).jsonl"
  if SharedFiles.path(full) != nil { return full }
  return URL(filePath: trace).deletingPathExtension().relativePath + ".\(kind).jsonl"
}
