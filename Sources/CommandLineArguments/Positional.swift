/// A value of a command that is known by its place, read as a `Value`.
///
/// Make one by `required`, `optional` or `repeated`; the last two can only come last.
public struct Positional<Value: Sendable>: Parameter {
  public let declaration: ParameterDeclaration
  /// The value of what was given, which the declaration accepts.
  let read: @Sendable ([String]) -> Value?

  private init<Element: Sendable>(
    format: ValueFormat<Element>, occurrence: ParameterDeclaration.Occurrence, summary: String,
    read: @escaping @Sendable ([String]) -> Value?
  ) {
    declaration = ParameterDeclaration(
      label: format.placeholder, isOption: false, short: nil, placeholder: format.placeholder,
      occurrence: occurrence, summary: summary, defaultText: nil, expectation: format.expectation,
      suggestions: format.suggestions, accepts: { format.read($0) != nil })
    self.read = read
  }

  /// A value that must be given; its name is the format's placeholder.
  public static func required(_ format: ValueFormat<Value>, _ summary: String) -> Self {
    Self(
      format: format, occurrence: .required, summary: summary,
      read: { $0.first.flatMap(format.read) })
  }

  /// A value that may be absent, which is nil.
  public static func optional<Element>(_ format: ValueFormat<Element>, _ summary: String) -> Self
  where Value == Element? {
    Self(
      format: format, occurrence: .optional, summary: summary,
      read: { .some($0.first.flatMap(format.read)) })
  }

  /// All values that are left, in the order given; at least so many.
  public static func repeated<Element>(
    _ format: ValueFormat<Element>, atLeast least: Int = 0, _ summary: String
  ) -> Self where Value == [Element] {
    Self(
      format: format, occurrence: .repeated(atLeast: least), summary: summary,
      read: { $0.compactMap(format.read) })
  }
}
