import Glibc

/// Reads standard input line by line, in memory that does not grow with it.
enum StandardInput {
  /// A longer line is no request of anybody's.
  private static let longestLine = 1 << 20

  /// Calls `body` with each line, without its end; the last needs none.
  static func forEachLine(_ body: ([UInt8]) throws -> Void) throws {
    var line: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 64 * 1024)
    while true {
      let count = chunk.withUnsafeMutableBytes { read(STDIN_FILENO, $0.baseAddress, $0.count) }
      if count < 0 {
        if errno == EINTR { continue }
        throw CommandFailure.outside("standard input: \(String(cString: strerror(errno)))")
      }
      if count == 0 { break }
      for part in chunk[..<count].split(
        separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false
      ).enumerated() {
        if part.offset > 0 {
          try body(line)
          line.removeAll(keepingCapacity: true)
        }
        line.append(contentsOf: part.element)
        if line.count > longestLine {
          throw CommandFailure.badInput("a line of standard input is longer than 1 MiB")
        }
      }
    }
    if !line.isEmpty { try body(line) }
  }
}
