extension ValueFormat where Value == Duration {
  /// A duration with its unit, `90s`, `15m`, `2h`, `30d`, `250ms`, or several, `1h30m`.
  ///
  /// A number may have a fraction, `1.5h`; one without a unit is refused, for nobody knows which
  /// was meant. Durations are at least zero and at most a thousand years.
  public static func duration(_ placeholder: String = "DURATION") -> Self {
    Self(placeholder, expectation: "a duration such as 90s, 15m, 2h or 30d") { readDuration($0) }
  }
}

private let millisecondsOfUnit: [String: Double] = [
  "ms": 1, "s": 1000, "m": 60_000, "h": 3_600_000, "d": 86_400_000,
]

private let mostMilliseconds = 1000 * 365.25 * 86_400_000

private func readDuration(_ text: String) -> Duration? {
  var rest = Substring(text)
  var milliseconds = 0.0
  repeat {
    let digits = rest.prefix { $0 == "." || ("0"..."9").contains($0) }
    rest = rest.dropFirst(digits.count)
    let unit = rest.prefix { ("a"..."z").contains($0) }
    rest = rest.dropFirst(unit.count)
    guard let number = Double(digits), let factor = millisecondsOfUnit[String(unit)] else {
      return nil
    }
    milliseconds += number * factor
  } while !rest.isEmpty
  guard milliseconds <= mostMilliseconds else { return nil }
  return .milliseconds(Int64(milliseconds.rounded()))
}
