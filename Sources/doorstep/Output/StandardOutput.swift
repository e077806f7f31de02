import Glibc

/// Writes answers to standard output, whole or not at all: a full disk is an error, a reader that
/// went away ends the program quietly.
struct StandardOutput: ~Copyable {
  private var pending: [UInt8] = []
  /// Whether every line is to be seen at once, as live output is.
  private let flushesEachLine: Bool

  /// So many bytes are gathered before they are written.
  private static let capacity = 64 * 1024

  init(flushesEachLine: Bool = false) { self.flushesEachLine = flushesEachLine }

  /// Writes a text that ends with a new line of its own.
  static func write(_ text: String) throws(CommandFailure) {
    var output = StandardOutput()
    try output.write(Array(text.utf8))
    try output.flush()
  }

  mutating func line(_ text: String) throws(CommandFailure) {
    pending.append(contentsOf: text.utf8)
    pending.append(UInt8(ascii: "\n"))
    try flushIfDue()
  }

  mutating func write(_ bytes: [UInt8]) throws(CommandFailure) {
    pending.append(contentsOf: bytes)
    try flushIfDue()
  }

  private mutating func flushIfDue() throws(CommandFailure) {
    if flushesEachLine || pending.count >= StandardOutput.capacity { try flush() }
  }

  mutating func flush() throws(CommandFailure) {
    var start = 0
    while start < pending.count {
      let count = pending.withUnsafeBytes { bytes in
        Glibc.write(STDOUT_FILENO, bytes.baseAddress?.advanced(by: start), bytes.count - start)
      }
      if count > 0 {
        start += count
      } else if count < 0, errno == EPIPE {
        throw .readerGone
      } else if count < 0, errno != EINTR, errno != EAGAIN {
        throw .outside("standard output: \(String(cString: strerror(errno)))")
      }
    }
    pending.removeAll(keepingCapacity: true)
  }
}
