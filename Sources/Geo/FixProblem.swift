/// What makes a reported position unusable, field by field, as answers name it.
public enum FixProblem: String, Error, Hashable, Sendable, CaseIterable {
  case latitudeMissing = "lat_missing"
  case latitudeNotANumber = "lat_not_a_number"
  case latitudeOutOfRange = "lat_out_of_range"
  case longitudeMissing = "lng_missing"
  case longitudeNotANumber = "lng_not_a_number"
  case longitudeOutOfRange = "lng_out_of_range"
  case accuracyNotANumber = "accuracy_not_a_number"
  case accuracyNegative = "accuracy_negative"
  case simulatedNotABoolean = "simulated_not_a_boolean"
  case timeMissing = "time_missing"
  case timeMalformed = "time_malformed"
  case timeZoneMissing = "time_zone_missing"
  /// A comma where a decimal point belongs, as in `48,0001`.
  case decimalComma = "decimal_comma"
  /// A hint beside the others: exchanged, latitude and longitude would be in range.
  case looksSwapped = "looks_swapped"
}

extension FixProblem {
  /// Every problem of a latitude, a longitude and an accuracy; empty where they make a fix.
  ///
  /// Nil is missing. A pair whose latitude is out of range, and which would be in range if it were
  /// exchanged, gets the hint `looksSwapped`.
  public static func problems(
    latitude: Double?, longitude: Double?, accuracyMeters: Double?
  ) -> [FixProblem] {
    var problems: [FixProblem] = []
    func check(
      _ value: Double?, limit: Double, missing: FixProblem, notANumber: FixProblem,
      outOfRange: FixProblem
    ) {
      guard let value else { return problems.append(missing) }
      if !value.isFinite { return problems.append(notANumber) }
      if abs(value) > limit { problems.append(outOfRange) }
    }
    check(
      latitude, limit: 90, missing: .latitudeMissing, notANumber: .latitudeNotANumber,
      outOfRange: .latitudeOutOfRange)
    check(
      longitude, limit: 180, missing: .longitudeMissing, notANumber: .longitudeNotANumber,
      outOfRange: .longitudeOutOfRange)
    if let accuracyMeters {
      if !accuracyMeters.isFinite {
        problems.append(.accuracyNotANumber)
      } else if accuracyMeters < 0 {
        problems.append(.accuracyNegative)
      }
    }
    if let latitude, let longitude, abs(latitude) > 90, abs(latitude) <= 180, abs(longitude) <= 90 {
      problems.append(.looksSwapped)
    }
    return problems
  }
}
