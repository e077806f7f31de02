import Geo
import JSON

/// A position report of gpsd (its TPV), as far as a fix needs it.
struct GPSDReport: Equatable, Sendable {
  let coordinate: Coordinate
  let time: Timestamp
  let timeOrigin: DecodedFix.TimeOrigin
  let speed: Speed?
  let course: Bearing?
  let altitude: Distance?
  /// gpsd's `eph`, where it is known.
  let horizontalErrorInMeters: Double?
  let source: Fix.Source
  let isSimulated: Bool
}

/// What a TPV says.
enum GPSDReportReading {
  case report(GPSDReport)
  case noFix(Timestamp?)
  case dropped(Dropped.Reason, String)

  /// - Parameter received: When it was received, which is its time where it has none.
  init(_ record: JSONValue, received: Timestamp?) {
    let time = TimeReading(record["time"], unit: .seconds)
    let reported: Timestamp? = if case .value(let time) = time { time } else { nil }
    let mode = record["mode"]?.int64 ?? 0
    guard mode >= 2 else {
      self = .noFix(reported)
      return
    }
    let latitude = NumberReading(record["lat"])
    let longitude = NumberReading(record["lon"])
    if latitude == .missing, longitude == .missing {
      self = .dropped(.noFix, "mode \(mode) without a position")
      return
    }
    let problems = FixProblem.problems(
      latitude: latitude.valueOrNaN, longitude: longitude.valueOrNaN, accuracyMeters: nil)
    guard
      problems.isEmpty, let latitude = latitude.value, let longitude = longitude.value,
      let coordinate = Coordinate(latitude: latitude, longitude: longitude)
    else {
      self = .dropped(.invalidFix, problems.map(\.rawValue).joined(separator: ", "))
      return
    }
    if latitude == 0, longitude == 0 {
      self = .noFix(reported)
      return
    }
    guard time != .malformed, time != .timeZoneMissing else {
      self = .dropped(.invalidFix, FixProblem.timeMalformed.rawValue)
      return
    }
    guard let time = reported ?? received else {
      self = .dropped(.timeMissing, "")
      return
    }
    let status = record["status"]?.int64 ?? 0
    self = .report(
      GPSDReport(
        coordinate: coordinate, time: time, timeOrigin: reported == nil ? .received : .reported,
        speed: NumberReading(record["speed"]).value.flatMap {
          $0 >= 0 ? .metersPerSecond($0) : nil
        },
        course: NumberReading(record["track"]).value.flatMap { Bearing(degrees: $0) },
        altitude: (NumberReading(record["altMSL"]).value ?? NumberReading(record["alt"]).value)
          .map { .meters($0) },
        horizontalErrorInMeters: NumberReading(record["eph"]).value,
        // 2 is differential, 3 and 4 are real-time kinematic.
        source: (2...4).contains(status) ? .differentialGPS : .gps,
        isSimulated: status == 8))
  }
}
