/// An option of a command, `--name VALUE` or `--name`, that is read as a `Value`.
///
/// It is declared once, stands in the command's parameters, and is the key by which its value is
/// read: `arguments[radius]`. Make one by `flag`, `optional`, `required`, `defaulting` or
/// `repeated`.
public struct Option<Value: Sendable>: Parameter {
  public let declaration: ParameterDeclaration
  /// The value of what was given, which the declaration accepts.
  let read: @Sendable ([String]) -> Value?

  private init<Element: Sendable>(
    name: String, short: Character?, format: ValueFormat<Element>,
    occurrence: ParameterDeclaration.Occurrence, summary: String, defaultText: String? = nil,
    read: @escaping @Sendable ([String]) -> Value?
  ) {
    precondition(
      !name.isEmpty && !name.hasPrefix("-") && !name.contains("="),
      "an option's name is given without its hyphens: '\(name)'")
    precondition(
      short.map(\.isLetter) ?? true, "a short option is a letter, so that -5 is always a number")
    declaration = ParameterDeclaration(
      label: "--\(name)", isOption: true, short: short, placeholder: format.placeholder,
      occurrence: occurrence, summary: summary, defaultText: defaultText,
      expectation: format.expectation, suggestions: format.suggestions,
      accepts: { format.read($0) != nil })
    self.read = read
  }

  /// An option without a value; true where it was given.
  public static func flag(_ name: String, short: Character? = nil, _ summary: String) -> Self
  where Value == Bool {
    Self(
      name: name, short: short, format: .text(""), occurrence: .flag, summary: summary,
      read: { !$0.isEmpty })
  }

  /// An option that may be absent, which is nil.
  public static func optional<Element>(
    _ name: String, short: Character? = nil, _ format: ValueFormat<Element>, _ summary: String
  ) -> Self where Value == Element? {
    Self(
      name: name, short: short, format: format, occurrence: .optional, summary: summary,
      read: { .some($0.first.flatMap(format.read)) })
  }

  /// An option that must be given.
  public static func required(
    _ name: String, short: Character? = nil, _ format: ValueFormat<Value>, _ summary: String
  ) -> Self {
    Self(
      name: name, short: short, format: format, occurrence: .required, summary: summary,
      read: { $0.first.flatMap(format.read) })
  }

  /// An option whose value, where absent, is that of `text`, which help shows.
  ///
  /// Traps where the format does not accept `text`.
  public static func defaulting(
    _ name: String, short: Character? = nil, _ format: ValueFormat<Value>, to text: String,
    _ summary: String
  ) -> Self {
    precondition(
      format.read(text) != nil, "the default of --\(name), '\(text)', is not \(format.expectation)")
    return Self(
      name: name, short: short, format: format, occurrence: .optional, summary: summary,
      defaultText: text, read: { format.read($0.first ?? text) })
  }

  /// An option that may be given any number of times; its values in the order given.
  public static func repeated<Element>(
    _ name: String, short: Character? = nil, _ format: ValueFormat<Element>, _ summary: String
  ) -> Self where Value == [Element] {
    Self(
      name: name, short: short, format: format, occurrence: .repeated(atLeast: 0), summary: summary,
      read: { $0.compactMap(format.read) })
  }
}
