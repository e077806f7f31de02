import JSON

extension JSONValue {
  /// The value as messages name it, bounded in length.
  var summary: String {
    switch kind {
    case .object: "an object"
    case .array: elements.isEmpty ? "an empty array" : "an array"
    case .string: "the string \"\((string ?? "").prefix(40))\""
    case .number: "the number \(double ?? 0)"
    case .bool: bool == true ? "true" : "false"
    case .null: "null"
    case .invalid: "'\(invalidText ?? "")'"
    }
  }

  /// What makes this no number.
  var numberProblem: FenceProblem.Kind {
    if let invalidText { return .notANumber(found: invalidText) }
    if let string, string.hasDecimalComma { return .decimalComma(found: String(string.prefix(40))) }
    return .wrongType(expected: "a number", found: summary)
  }

  var idText: String? {
    if let string { return string }
    if let int64 { return "\(int64)" }
    return double.map { "\($0)" }
  }
}
