import Geo

/// A fix in the making: what the fields of a record say, right or wrong.
struct FixDraft: Sendable {
  var subject: SubjectID?
  var latitude = NumberReading.missing
  var longitude = NumberReading.missing
  /// Meters, in the project's meaning.
  var accuracy = NumberReading.missing
  /// The accuracy's stand-in where there is none.
  var hdop: Double?
  var time = TimeReading.missing
  var speedInMetersPerSecond: Double?
  var courseInDegrees: Double?
  var altitudeInMeters: Double?
  var source: Fix.Source?
  var isSimulated = false
  /// The source says itself that it has no position.
  var saysNoFix = false
  /// What else is wrong, in words.
  var otherProblems: [String] = []
}

extension FixDraft {
  /// Everything that is wrong with the position and its time; empty where they make a fix.
  var problems: [FixProblem] {
    var problems = FixProblem.problems(
      latitude: latitude.valueOrNaN, longitude: longitude.valueOrNaN,
      accuracyMeters: accuracy.valueOrNaN)
    if !problems.isEmpty {
      let withCommas: [(FixProblem, NumberReading)] = [
        (.latitudeNotANumber, latitude), (.longitudeNotANumber, longitude),
        (.accuracyNotANumber, accuracy),
      ]
      for (problem, reading) in withCommas where reading == .decimalComma {
        problems.replaceFirst(problem, with: .decimalComma)
      }
    }
    switch time {
    case .value: break
    case .missing: problems.append(.timeMissing)
    case .malformed: problems.append(.timeMalformed)
    case .timeZoneMissing: problems.append(.timeZoneMissing)
    }
    return problems
  }

  /// The fix, or the source's word that there is none, or every problem by name.
  func decoded(at position: InputPosition, userRangeError: Distance) -> Decoded {
    if saysNoFix {
      if case .value(let time) = time { return .noFix(NoFix(subject: subject, time: time)) }
      return .noFix(NoFix(subject: subject))
    }
    let problems = problems
    guard
      problems.isEmpty, otherProblems.isEmpty, case .value(let time) = time,
      let latitude = latitude.value, let longitude = longitude.value,
      let coordinate = Coordinate(latitude: latitude, longitude: longitude)
    else { return .dropped(dropped(for: problems, at: position)) }
    let fix = Fix(
      coordinate: coordinate, time: time,
      accuracy: accuracy.value.flatMap { $0 > 0 ? .meters($0) : nil }
        ?? hdop.flatMap {
          HorizontalAccuracy.fromHDOP($0, userRangeError: userRangeError)
        },
      speed: speedInMetersPerSecond.flatMap { $0 >= 0 ? .metersPerSecond($0) : nil },
      course: courseInDegrees.flatMap { $0 >= 0 ? Bearing(degrees: $0) : nil },
      altitude: altitudeInMeters.map { .meters($0) }, source: source, isSimulated: isSimulated)
    return .fix(DecodedFix(subject: subject, fix: fix))
  }

  private func dropped(for problems: [FixProblem], at position: InputPosition) -> Dropped {
    if problems == [.timeMissing], otherProblems.isEmpty {
      return Dropped(reason: .timeMissing, position: position)
    }
    let names = problems.map { problem in
      switch problem {
      case .latitudeOutOfRange: "\(problem.rawValue) \(latitude.value ?? .nan)"
      case .longitudeOutOfRange: "\(problem.rawValue) \(longitude.value ?? .nan)"
      case .accuracyNegative: "\(problem.rawValue) \(accuracy.value ?? .nan)"
      default: problem.rawValue
      }
    }
    return Dropped(
      reason: .invalidFix, position: position,
      detail: (names + otherProblems).joined(separator: ", "))
  }
}

extension [FixProblem] {
  fileprivate mutating func replaceFirst(_ problem: FixProblem, with other: FixProblem) {
    if let index = firstIndex(of: problem) { self[index] = other }
  }
}
