import Glibc

/// Colors and weights of text, or none where they would be noise.
public struct TerminalStyle: Sendable {
  /// Whether anything is colored.
  public let isEnabled: Bool

  /// Text as it is.
  public static let plain = TerminalStyle(isEnabled: false)

  private init(isEnabled: Bool) { self.isEnabled = isEnabled }

  /// The style of an open file, as `STDOUT_FILENO`: colored on a terminal, unless `NO_COLOR` is set
  /// and not empty (no-color.org) or `TERM` is `dumb`.
  public init(fileDescriptor: Int32, environment: [String: String]) {
    self.init(isTerminal: isatty(fileDescriptor) == 1, environment: environment)
  }

  /// The same where it is known whether the file is a terminal.
  public init(isTerminal: Bool, environment: [String: String]) {
    isEnabled =
      isTerminal && environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
  }

  public func bold(_ text: String) -> String { styled(text, code: 1) }
  public func dim(_ text: String) -> String { styled(text, code: 2) }
  public func red(_ text: String) -> String { styled(text, code: 31) }
  public func green(_ text: String) -> String { styled(text, code: 32) }
  public func yellow(_ text: String) -> String { styled(text, code: 33) }

  private func styled(_ text: String, code: Int) -> String {
    isEnabled && !text.isEmpty ? "\u{1b}[\(code)m\(text)\u{1b}[0m" : text
  }
}
