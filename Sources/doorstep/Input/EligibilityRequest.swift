import Geo
import Geofencing
import JSON

/// One request for an eligibility answer, as a line of JSON.
struct EligibilityRequest {
  let store: Fence.ID
  let report: Eligibility.Report
  let circumstances: Eligibility.Circumstances

  /// Why a line has no answer.
  enum Problem: Error, CustomStringConvertible {
    case syntax(JSONSyntaxError)
    case notAnObject
    case storeMissing
    case unknownStore(String)

    /// What a program tells apart.
    var code: String {
      switch self {
      case .syntax, .notAnObject, .storeMissing: "VALIDATION_ERROR"
      case .unknownStore: "NOT_FOUND"
      }
    }

    var description: String {
      switch self {
      case .syntax(let error): "column \(error.column): \(error.message)"
      case .notAnObject: "a request is a JSON object"
      case .storeMissing: "\"store\" is missing, or no string"
      case .unknownStore(let text): text
      }
    }
  }

  /// Reads `store`, `lat`, `lng`, `accuracyMeters`, `simulated`, and `ageSeconds`, or `time` with
  /// `sentAt`. What is wrong with the position itself becomes part of the report.
  init(_ line: [UInt8], now: Timestamp, parser: inout JSONParser) throws(Problem) {
    let json: JSONValue
    do { json = try parser.parse(line) } catch { throw .syntax(error) }
    guard json.kind == .object else { throw .notAnObject }
    guard let store = json["store"]?.string else { throw .storeMissing }
    self.store = Fence.ID(store)
    var problems: [FixProblem] = []
    let latitude = number(json["lat"], notANumber: .latitudeNotANumber, to: &problems)
    let longitude = number(json["lng"], notANumber: .longitudeNotANumber, to: &problems)
    let accuracy = number(
      json["accuracyMeters"], notANumber: .accuracyNotANumber, to: &problems)
    let age = number(json["ageSeconds"], notANumber: .timeMalformed, to: &problems)
    let time = instant(json["time"], to: &problems)
    let sentAt = instant(json["sentAt"], to: &problems)
    circumstances = Eligibility.Circumstances(now: now, sentAt: sentAt)
    let fixTime = age.map { (sentAt ?? now).moved(bySeconds: -$0) } ?? time ?? sentAt ?? now
    let report = EligibilityRequest.report(
      latitude: latitude, longitude: longitude, accuracyMeters: accuracy, time: fixTime,
      isSimulated: json["simulated"]?.bool ?? false)
    if problems.isEmpty {
      self.report = report
    } else {
      // A value of the wrong kind is no missing one: each field has one problem.
      let named = Set(problems.map(\.field))
      var more: [FixProblem] = []
      if case .invalid(let found) = report { more = found.filter { !named.contains($0.field) } }
      self.report = .invalid(problems + more)
    }
  }

  /// The report that a position makes, good or not.
  static func report(
    latitude: Double?, longitude: Double?, accuracyMeters: Double?, time: Timestamp,
    isSimulated: Bool
  ) -> Eligibility.Report {
    let problems = FixProblem.problems(
      latitude: latitude, longitude: longitude, accuracyMeters: accuracyMeters)
    guard problems.isEmpty, let latitude, let longitude,
      let coordinate = Coordinate(latitude: latitude, longitude: longitude)
    else { return .invalid(problems) }
    return .fix(
      Fix(
        coordinate: coordinate, time: time, accuracy: accuracyMeters.map { .meters($0) },
        isSimulated: isSimulated))
  }
}

/// A number, or nil where there is none; a value of another kind is a problem.
private func number(
  _ value: JSONValue?, notANumber: FixProblem, to problems: inout [FixProblem]
) -> Double? {
  guard let value, !value.isNull else { return nil }
  if let number = value.double { return number }
  problems.append(value.string?.looksLikeDecimalComma == true ? .decimalComma : notANumber)
  return nil
}

private func instant(_ value: JSONValue?, to problems: inout [FixProblem]) -> Timestamp? {
  guard let value, !value.isNull else { return nil }
  guard let text = value.string else {
    problems.append(.timeMalformed)
    return nil
  }
  do {
    return try Timestamp(iso8601: text)
  } catch {
    problems.append(error == .timeZoneMissing ? .timeZoneMissing : .timeMalformed)
    return nil
  }
}

extension String {
  fileprivate var looksLikeDecimalComma: Bool {
    let parts = split(separator: ",", omittingEmptySubsequences: false)
    return parts.count == 2
      && parts.allSatisfy { !$0.isEmpty && $0.allSatisfy { $0.isNumber || $0 == "-" } }
  }
}

extension FixProblem {
  /// The field that a problem is about, so that one field is not named twice.
  fileprivate var field: Substring { rawValue.prefix { $0 != "_" } }
}

extension Timestamp {
  /// This instant moved by so many seconds, kept within the years that can be written.
  fileprivate func moved(bySeconds seconds: Double) -> Timestamp {
    let moved = Double(millisecondsSince1970) + seconds * 1000
    return Timestamp(secondsSince1970: moved / 1000) ?? (seconds < 0 ? .earliest : .latest)
  }
}
