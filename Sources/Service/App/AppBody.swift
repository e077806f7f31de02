import API
import Geo
import Geofencing
import HTTP
import JSON

/// The JSON object that an app's request brings; empty where there is no body.
struct AppBody {
  private let json: JSONValue?

  init(_ request: HTTPRequest) throws(APIError) {
    guard !request.body.isEmpty else {
      json = nil
      return
    }
    let root: JSONValue
    do throws(JSONSyntaxError) {
      var parser = JSONParser()
      root = try parser.parse(request.body)
    } catch {
      throw APIError(error)
    }
    guard root.kind == .object else { throw APIError(.validationError, "The body is no object.") }
    json = root
  }

  /// A text; nil where it is absent or null.
  func text(_ name: String) throws(APIError) -> String? {
    guard let value = value(name) else { return nil }
    guard let text = value.string else {
      throw .invalid(["\(name)_not_a_text"], "\"\(name)\" is a text.")
    }
    return text
  }

  func requiredText(_ name: String) throws(APIError) -> String {
    guard let text = try text(name) else {
      throw .invalid(["\(name)_missing"], "\"\(name)\" is needed.")
    }
    return text
  }

  /// The position that the client reports; none where there is neither `lat` nor `lng`.
  func position() throws(APIError) -> ReportedPosition {
    var problems: [FixProblem] = []
    let latitude = number("lat", .latitudeNotANumber, &problems)
    let longitude = number("lng", .longitudeNotANumber, &problems)
    let accuracy = number("accuracy", .accuracyNotANumber, &problems)
    let time = instant("timestamp", &problems)
    let sentAt = instant("sentAt", &problems)
    let isAbsent = value("lat") == nil && value("lng") == nil
    // Without its time an old position would pass for one of now.
    if !isAbsent, value("timestamp") == nil { problems.append(.timeMissing) }
    guard problems.isEmpty else {
      throw .invalid(
        problems.map(\.rawValue), "Numbers are JSON numbers, and times ISO 8601 with a zone.")
    }
    guard !isAbsent, let time else { return ReportedPosition(report: .noFix, sentAt: sentAt) }
    let found = FixProblem.problems(
      latitude: latitude, longitude: longitude, accuracyMeters: accuracy)
    guard found.isEmpty, let latitude, let longitude,
      let coordinate = Coordinate(latitude: latitude, longitude: longitude)
    else { return ReportedPosition(report: .invalid(found), sentAt: sentAt) }
    let fix = Fix(
      coordinate: coordinate, time: time, accuracy: accuracy.map { .meters($0) },
      isSimulated: value("simulated")?.bool ?? false)
    return ReportedPosition(report: .fix(fix), sentAt: sentAt)
  }

  private func value(_ name: String) -> JSONValue? {
    json?.member(named: name).flatMap { $0.isNull ? nil : $0 }
  }

  private func number(
    _ name: String, _ problem: FixProblem, _ problems: inout [FixProblem]
  ) -> Double? {
    guard let value = value(name) else { return nil }
    guard let number = value.double else {
      problems.append(problem)
      return nil
    }
    return number
  }

  private func instant(_ name: String, _ problems: inout [FixProblem]) -> Timestamp? {
    guard let value = value(name) else { return nil }
    do throws(Timestamp.ISO8601Problem) {
      return try Timestamp(iso8601: value.string ?? "")
    } catch {
      problems.append(error == .timeZoneMissing ? .timeZoneMissing : .timeMalformed)
      return nil
    }
  }
}

/// Where a client says that it is, and what its clock showed when it said so.
struct ReportedPosition: Sendable {
  let report: Eligibility.Report
  let sentAt: Timestamp?
}
