import Foundation

/// An e-mail address, and the form by which two spellings of it are known to be the same.
package struct EmailAddress: Hashable, Sendable {
  /// As it was entered, but for spaces around it.
  package let entered: String
  /// In lower case and Unicode's composed form (NFC).
  package let key: String

  /// Nil for what is no address: without one `@`, longer than 254 bytes, with spaces or control
  /// characters, or with a character that Unicode takes for another's double.
  ///
  /// The Kelvin sign composes to the letter K: joined with it, a stranger's address would be that of
  /// a user. Where case folding would join what looks different, as ß and ss, lower case does not.
  package init?(_ text: String) {
    let entered = text.trimmingCharacters(in: .whitespacesAndNewlines)
    let parts = entered.split(separator: "@", omittingEmptySubsequences: false)
    guard
      parts.count == 2, parts.allSatisfy({ !$0.isEmpty }), entered.utf8.count <= 254,
      entered.unicodeScalars.allSatisfy(isAllowed)
    else { return nil }
    self.entered = entered
    // Composed twice, for a letter in lower case may compose where the capital does not.
    let lower = entered.precomposedStringWithCanonicalMapping.unicodeScalars
      .map(\.properties.lowercaseMapping).joined()
    key = lower.precomposedStringWithCanonicalMapping
  }

  package static func == (a: EmailAddress, b: EmailAddress) -> Bool {
    a.key.utf8.elementsEqual(b.key.utf8)
  }

  package func hash(into hasher: inout Hasher) {
    for byte in key.utf8 { hasher.combine(byte) }
  }
}

private func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
  if scalar.isASCII { return scalar.value > 0x20 && scalar.value < 0x7f }
  switch scalar.properties.generalCategory {
  case .control, .format, .surrogate, .privateUse, .unassigned, .spaceSeparator, .lineSeparator,
    .paragraphSeparator:
    return false
  default:
    let composed = String(scalar).precomposedStringWithCanonicalMapping.unicodeScalars
    return composed.count > 1 || composed.first == scalar
  }
}
