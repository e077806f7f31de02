/// Something that a command takes: an `Option` or a `Positional`.
public protocol Parameter: Sendable {
  /// What parsing, help and completion need to know of it.
  var declaration: ParameterDeclaration { get }
}

/// What parsing, help and completion know of a parameter, whatever the type of its value.
public struct ParameterDeclaration: Sendable {
  enum Occurrence: Equatable {
    /// Present or absent; takes no value.
    case flag
    case optional
    case required
    case repeated(atLeast: Int)
  }

  /// What a shell can offer for a value.
  enum Suggestions: Equatable {
    case nothing
    case files
    case folders
    case words([String])
  }

  /// How people write it: `--fences`, or `TRACE`.
  let label: String
  let isOption: Bool
  let short: Character?
  /// What stands for the value in help, as `FILE`.
  let placeholder: String
  let occurrence: Occurrence
  let summary: String
  let defaultText: String?
  /// What a value must be, after "is not": `a number from -90 to 90`.
  let expectation: String
  let suggestions: Suggestions
  let accepts: @Sendable (String) -> Bool

  var isFlag: Bool { occurrence == .flag }

  var isRepeated: Bool {
    if case .repeated = occurrence { true } else { false }
  }

  var isRequired: Bool {
    switch occurrence {
    case .flag, .optional: false
    case .required: true
    case .repeated(let least): least > 0
    }
  }

  /// How it is given, with its value: `--fences FILE`, or `TRACE...`.
  var usage: String {
    let repetition = isRepeated ? "..." : ""
    if !isOption { return label + repetition }
    return isFlag ? label : "\(label) \(placeholder)"
  }

  /// Every way in which an option is written.
  var spellings: [String] { [label] + (short.map { ["-\($0)"] } ?? []) }

  static let help = ParameterDeclaration(
    label: "--help", isOption: true, short: "h", placeholder: "", occurrence: .flag,
    summary: "Show this help.", defaultText: nil, expectation: "", suggestions: .nothing,
    accepts: { _ in true })

  static let version = ParameterDeclaration(
    label: "--version", isOption: true, short: nil, placeholder: "", occurrence: .flag,
    summary: "Show the version.", defaultText: nil, expectation: "", suggestions: .nothing,
    accepts: { _ in true })
}
