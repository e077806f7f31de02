import Geo
import JSON

/// An eligibility answer as JSON: what is unknown is null.
extension Eligibility {
  /// Writes the answer's members into an object that has been opened.
  public func writeMembers(to json: inout JSONWriter) {
    func rounded(_ value: Double?, to digits: Double) -> Double? {
      value.map { ($0 * digits).rounded() / digits }
    }
    json.member("eligible", isEligible)
    json.member("verdict", verdict?.rawValue)
    json.member("reason", reason.rawValue)
    json.member("distanceMeters", rounded(distance?.meters, to: 1000))
    json.member("radiusMeters", radius.meters)
    json.member("accuracyMeters", accuracy?.meters)
    json.member("confidence", rounded(confidence, to: 1e6))
    json.member("fixAgeSeconds", fixAgeSeconds)
    if let clockSkewSeconds { json.member("clockSkewSeconds", clockSkewSeconds) }
    if !problems.isEmpty {
      json.name("problems")
      json.array { json in for problem in problems { json.value(problem.rawValue) } }
    }
  }
}
