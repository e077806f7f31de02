import Glibc

/// One line on a terminal that tells how far a long run has come; silent where there is no terminal.
public struct ProgressLine: Sendable {
  private let fileDescriptor: Int32
  private let isTerminal: Bool
  private var lastShown: ContinuousClock.Instant?
  private var isVisible = false

  /// A line on an open file, commonly standard error.
  public init(fileDescriptor: Int32 = STDERR_FILENO) {
    self.fileDescriptor = fileDescriptor
    isTerminal = isatty(fileDescriptor) == 1
  }

  /// Shows a text in place of the last; at most ten times a second, so that it costs nothing to call
  /// this for each item. `text` is not made where it is not shown.
  public mutating func show(
    at now: ContinuousClock.Instant = .now, _ text: @autoclosure () -> String
  ) {
    guard isTerminal else { return }
    if let lastShown, lastShown.duration(to: now) < .milliseconds(100) { return }
    lastShown = now
    isVisible = true
    write("\r" + fitted(printable(text())) + "\u{1b}[K")
  }

  /// Removes the line; call it before anything else is written.
  public mutating func clear() {
    guard isVisible else { return }
    isVisible = false
    write("\r\u{1b}[K")
  }

  /// A line that is too long would wrap and could not be replaced.
  private func fitted(_ text: String) -> String {
    var size = winsize()
    let isKnown = ioctl(fileDescriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 1
    let columns = isKnown ? Int(size.ws_col) - 1 : 79
    var text = text
    while displayWidth(text) > columns { text.removeLast() }
    return text
  }

  /// Best effort: progress that cannot be shown is no reason to stop.
  private func write(_ text: String) {
    var text = text
    _ = text.withUTF8 { Glibc.write(fileDescriptor, $0.baseAddress, $0.count) }
  }
}
