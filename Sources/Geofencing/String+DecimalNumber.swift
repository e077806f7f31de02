extension String {
  /// Whether this is a number but for a comma in the place of the point.
  var hasDecimalComma: Bool {
    let parts = split(separator: ",", omittingEmptySubsequences: false)
    return parts.count == 2 && !parts[1].isEmpty
      && parts.joined(separator: ".").decimalNumber != nil
  }

  /// The number that this is in plain decimal writing, with or without an exponent; always finite.
  var decimalNumber: Double? {
    let isDecimal = utf8.allSatisfy { byte in
      byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") || "+-.eE".utf8.contains(byte)
    }
    guard isDecimal, let number = Double(self), number.isFinite else { return nil }
    return number
  }
}
