import Glibc

/// Reads standard input line by line, in memory that does not grow with it.
enum StandardInput {
  /// A longer line is no request of anybody's.
  private static let longestLine = 1 << 20

  /// A line without its end.
  enum Line {
    case bytes([UInt8])
    /// Longer than a MiB; passed over.
    case tooLong
  }

  /// Calls `body` with each line, the last of which needs no end, and `pause` before each time that
  /// more must be waited for.
  static func forEachLine(
    _ body: (Line) throws -> Void, pause: () throws -> Void
  ) throws {
    var line: [UInt8] = []
    var isTooLong = false
    func end() throws {
      try body(isTooLong ? .tooLong : .bytes(line))
      line.removeAll(keepingCapacity: true)
      isTooLong = false
    }
    var chunk = [UInt8](repeating: 0, count: 64 * 1024)
    while true {
      try pause()
      let count = chunk.withUnsafeMutableBytes { read(STDIN_FILENO, $0.baseAddress, $0.count) }
      if count < 0 {
        if errno == EINTR { continue }
        throw CommandFailure.outside("standard input: \(String(cString: strerror(errno)))")
      }
      if count == 0 { break }
      for (index, part) in chunk[..<count].split(
        separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false
      ).enumerated() {
        if index > 0 { try end() }
        if line.count + part.count > longestLine { isTooLong = true }
        if isTooLong { line.removeAll() } else { line.append(contentsOf: part) }
      }
    }
    if !line.isEmpty || isTooLong { try end() }
  }
}
