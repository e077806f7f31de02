import Geo
import Geofencing
import JSON

/// One request for an eligibility answer, read from JSON or from the names and values of a query.
package struct EligibilityRequest: Sendable {
  /// The stores that are asked about; empty where none is named.
  package let stores: [Fence.ID]
  /// What is wrong with the position itself is part of it.
  package let report: Eligibility.Report
  package let circumstances: Eligibility.Circumstances
  /// What is wrong with the writing, as a text where a number belongs; `report` has it too.
  package let malformed: [FixProblem]

  /// Why a request has no answer.
  package enum Problem: Error, Equatable, CustomStringConvertible {
    case syntax(JSONSyntaxError)
    case notAnObject
    /// Neither a string, nor an array of strings.
    case storeMalformed
    /// A query names this twice.
    case repeated(String)

    package var description: String {
      switch self {
      case .syntax(let error): "column \(error.column): \(error.message)"
      case .notAnObject: "a request is a JSON object"
      case .storeMalformed: "\"store\" is no string, and no array of strings"
      case .repeated(let name): "\"\(name)\" is given twice"
      }
    }
  }

  /// Reads `store`, `lat`, `lng`, `accuracyMeters`, `simulated`, and `ageSeconds`, or `time` with
  /// `sentAt`.
  package init(
    _ bytes: [UInt8], now: Timestamp, parser: inout JSONParser
  ) throws(Problem) {
    let json: JSONValue
    do { json = try parser.parse(bytes) } catch { throw .syntax(error) }
    guard json.kind == .object else { throw .notAnObject }
    self.init(
      stores: try EligibilityRequest.stores(json["store"]), now: now,
      field: { name in json.member(named: name).flatMap { $0.isNull ? nil : .json($0) } })
  }

  /// Reads the same names from a query, where numbers are decimals; only `store` may be repeated.
  package init(
    query items: [(name: String, value: String)], now: Timestamp
  ) throws(Problem) {
    var values: [String: String] = [:]
    for item in items where EligibilityRequest.names.contains(item.name) {
      guard values.updateValue(item.value, forKey: item.name) == nil else {
        throw .repeated(item.name)
      }
    }
    self.init(
      stores: items.filter { $0.name == "store" }.map { Fence.ID($0.value) }, now: now,
      field: { name in values[name].map { .text($0) } })
  }

  private static let names: Set<String> = [
    "lat", "lng", "accuracyMeters", "simulated", "ageSeconds", "time", "sentAt",
  ]

  private init(stores: [Fence.ID], now: Timestamp, field: (String) -> Field?) {
    self.stores = stores
    var fields = FieldReading()
    let latitude = fields.number(field("lat"), notANumber: .latitudeNotANumber, .latitudeMissing)
    let longitude = fields.number(
      field("lng"), notANumber: .longitudeNotANumber, .longitudeMissing)
    let accuracy = fields.number(field("accuracyMeters"), notANumber: .accuracyNotANumber)
    let age = fields.number(field("ageSeconds"), notANumber: .timeMalformed)
    let time = fields.instant(field("time"))
    let sentAt = fields.instant(field("sentAt"))
    circumstances = Eligibility.Circumstances(now: now, sentAt: sentAt)
    let fixTime = age.map { (sentAt ?? now).advanced(bySeconds: -$0) } ?? time ?? sentAt ?? now
    let report = EligibilityRequest.report(
      latitude: latitude, longitude: longitude, accuracyMeters: accuracy, time: fixTime,
      isSimulated: fields.flag(field("simulated"), notABoolean: .simulatedNotABoolean))
    self.report = fields.problems.isEmpty ? report : fields.report(with: report)
    malformed = fields.problems
  }

  private static func stores(_ value: JSONValue?) throws(Problem) -> [Fence.ID] {
    guard let value, !value.isNull else { return [] }
    if let store = value.string { return [Fence.ID(store)] }
    guard value.kind == .array, !value.elements.isEmpty else { throw .storeMalformed }
    var stores: [Fence.ID] = []
    for element in value.elements {
      guard let store = element.string else { throw .storeMalformed }
      stores.append(Fence.ID(store))
    }
    return stores
  }

  /// The report that a position makes, good or not.
  package static func report(
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

/// A value of a field, of JSON or of a query.
private enum Field {
  case json(JSONValue)
  case text(String)

  var double: Double? {
    switch self {
    case .json(let value): return value.double
    case .text(let text):
      let isDecimal = text.utf8.allSatisfy { byte in
        byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") || "+-.eE".utf8.contains(byte)
      }
      guard isDecimal, let number = Double(text), number.isFinite else { return nil }
      return number
    }
  }

  var string: String? {
    switch self {
    case .json(let value): value.string
    case .text(let text): text
    }
  }

  var bool: Bool? {
    switch self {
    case .json(let value): value.bool
    case .text("true"): true
    case .text("false"): false
    case .text: nil
    }
  }
}

/// Reads fields and gathers what is wrong with them.
private struct FieldReading {
  private(set) var problems: [FixProblem] = []
  /// What a field would be said to be if it were absent: it is there, but of no use.
  private var notMissing: Set<FixProblem> = []

  /// A number, or nil where there is none; a value of another kind is a problem.
  mutating func number(
    _ value: Field?, notANumber: FixProblem, _ missing: FixProblem? = nil
  ) -> Double? {
    guard let value else { return nil }
    if let number = value.double { return number }
    problems.append(value.string?.looksLikeDecimalComma == true ? .decimalComma : notANumber)
    if let missing { notMissing.insert(missing) }
    return nil
  }

  /// True or false; absent is false, and a value of another kind is a problem.
  mutating func flag(_ value: Field?, notABoolean: FixProblem) -> Bool {
    guard let value else { return false }
    if let flag = value.bool { return flag }
    problems.append(notABoolean)
    return false
  }

  mutating func instant(_ value: Field?) -> Timestamp? {
    guard let value else { return nil }
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
      && parts.allSatisfy { part in
        let digits = part.filter { !$0.isWhitespace && $0 != "-" && $0 != "+" }
        return !digits.isEmpty && digits.allSatisfy(\.isNumber)
      }
  }
}
