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
    var fields = FieldReading()
    let latitude = fields.number(json["lat"], notANumber: .latitudeNotANumber, .latitudeMissing)
    let longitude = fields.number(
      json["lng"], notANumber: .longitudeNotANumber, .longitudeMissing)
    let accuracy = fields.number(json["accuracyMeters"], notANumber: .accuracyNotANumber)
    let age = fields.number(json["ageSeconds"], notANumber: .timeMalformed)
    let time = fields.instant(json["time"])
    let sentAt = fields.instant(json["sentAt"])
    circumstances = Eligibility.Circumstances(now: now, sentAt: sentAt)
    let fixTime = age.map { (sentAt ?? now).moved(bySeconds: -$0) } ?? time ?? sentAt ?? now
    let report = EligibilityRequest.report(
      latitude: latitude, longitude: longitude, accuracyMeters: accuracy, time: fixTime,
      isSimulated: json["simulated"]?.bool ?? false)
    self.report = fields.problems.isEmpty ? report : fields.report(with: report)
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

/// Reads fields and gathers what is wrong with them.
private struct FieldReading {
  private(set) var problems: [FixProblem] = []
  /// What a field would be said to be if it were absent: it is there, but of no use.
  private var notMissing: Set<FixProblem> = []

  /// A number, or nil where there is none; a value of another kind is a problem.
  mutating func number(
    _ value: JSONValue?, notANumber: FixProblem, _ missing: FixProblem? = nil
  ) -> Double? {
    guard let value, !value.isNull else { return nil }
    if let number = value.double { return number }
    problems.append(value.string?.looksLikeDecimalComma == true ? .decimalComma : notANumber)
    if let missing { notMissing.insert(missing) }
    return nil
  }

  mutating func instant(_ value: JSONValue?) -> Timestamp? {
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

  /// The report that names these problems, and those of the fields that could be read.
  func report(with report: Eligibility.Report) -> Eligibility.Report {
    guard case .invalid(let others) = report else { return .invalid(problems) }
    return .invalid(problems + others.filter { !notMissing.contains($0) })
  }
}

extension String {
  fileprivate var looksLikeDecimalComma: Bool {
    let parts = split(separator: ",", omittingEmptySubsequences: false)
    return parts.count == 2
      && parts.allSatisfy { !$0.isEmpty && $0.allSatisfy { $0.isNumber || $0 == "-" } }
  }
}

extension Timestamp {
  /// This instant moved by so many seconds, kept within the years that can be written.
  fileprivate func moved(bySeconds seconds: Double) -> Timestamp {
    let moved = Double(millisecondsSince1970) + seconds * 1000
    return Timestamp(secondsSince1970: moved / 1000) ?? (seconds < 0 ? .earliest : .latest)
  }
}
