/// What a value must look like on the command line, and what becomes of it.
public struct ValueFormat<Value: Sendable>: Sendable {
  /// What stands for the value in help, in capitals: `FILE`.
  let placeholder: String
  /// What a value must be, in words that follow "is not": `a number from -90 to 90`.
  let expectation: String
  let suggestions: ParameterDeclaration.Suggestions
  /// The value of a text; nil where it is not as expected.
  let read: @Sendable (String) -> Value?

  /// Makes a format of your own.
  ///
  /// - Parameters:
  ///   - expectation: what a value must be, in words that follow "is not".
  ///   - read: gives the value of a text, or nil where it is not as expected.
  public init(
    _ placeholder: String, expectation: String, read: @escaping @Sendable (String) -> Value?
  ) {
    self.init(placeholder, expectation: expectation, suggestions: .nothing, read: read)
  }

  init(
    _ placeholder: String, expectation: String, suggestions: ParameterDeclaration.Suggestions,
    read: @escaping @Sendable (String) -> Value?
  ) {
    self.placeholder = placeholder
    self.expectation = expectation
    self.suggestions = suggestions
    self.read = read
  }
}

extension ValueFormat where Value == String {
  /// Any text that is not empty.
  public static func text(_ placeholder: String) -> Self {
    Self(placeholder, expectation: "a text that is not empty") { $0.isEmpty ? nil : $0 }
  }

  /// The path of a file, which need not exist; shells offer files.
  public static func file(_ placeholder: String = "FILE") -> Self {
    Self(placeholder, expectation: "the path of a file", suggestions: .files) {
      $0.isEmpty ? nil : $0
    }
  }

  /// The path of a folder, which need not exist; shells offer folders.
  public static func folder(_ placeholder: String = "FOLDER") -> Self {
    Self(placeholder, expectation: "the path of a folder", suggestions: .folders) {
      $0.isEmpty ? nil : $0
    }
  }
}

extension ValueFormat where Value: RawRepresentable<String> & CaseIterable {
  /// One of the cases, by its raw value.
  public static func choice(_ placeholder: String) -> Self {
    let words = Value.allCases.map(\.rawValue)
    return Self(placeholder, expectation: alternatives(words), suggestions: .words(words)) {
      Value(rawValue: $0)
    }
  }
}

private func alternatives(_ words: [String]) -> String {
  guard let last = words.last, words.count > 1 else { return words.first ?? "" }
  return words.dropLast().joined(separator: ", ") + " or " + last
}

extension ValueFormat where Value == Double {
  /// A finite decimal number within bounds; `48,5`, `0x10`, `nan` and `inf` are none.
  public static func number(
    _ placeholder: String, atLeast: Double? = nil, above: Double? = nil, atMost: Double? = nil
  ) -> Self {
    let bounds = describeBounds(
      atLeast: atLeast.map(plainText), above: above.map(plainText), atMost: atMost.map(plainText))
    return Self(placeholder, expectation: "a number" + bounds) { text in
      guard text.utf8.allSatisfy({ decimalCharacters.contains($0) }), let number = Double(text),
        number.isFinite, number >= atLeast ?? number, number <= atMost ?? number,
        above.map({ number > $0 }) ?? true
      else { return nil }
      return number
    }
  }
}

private let decimalCharacters = Array("0123456789+-.eE".utf8)

extension ValueFormat where Value == Int {
  /// A whole number within bounds.
  public static func integer(
    _ placeholder: String, atLeast: Int? = nil, atMost: Int? = nil
  ) -> Self {
    let bounds = describeBounds(
      atLeast: atLeast.map { "\($0)" }, above: nil, atMost: atMost.map { "\($0)" })
    return Self(placeholder, expectation: "a whole number" + bounds) { text in
      guard let number = Int(text), number >= atLeast ?? number, number <= atMost ?? number else {
        return nil
      }
      return number
    }
  }
}

private func describeBounds(atLeast: String?, above: String?, atMost: String?) -> String {
  switch (atLeast, above, atMost) {
  case (let least?, _, let most?): " from \(least) to \(most)"
  case (let least?, _, nil): " of \(least) or more"
  case (nil, let below?, let most?): " above \(below) and at most \(most)"
  case (nil, let below?, nil): " above \(below)"
  case (nil, nil, let most?): " of \(most) or less"
  case (nil, nil, nil): ""
  }
}

/// A number as people write it: no `.0` after a whole one.
private func plainText(_ number: Double) -> String {
  let text = "\(number)"
  return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
}
