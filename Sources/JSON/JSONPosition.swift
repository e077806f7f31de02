/// A place in a text, as editors show it.
public struct JSONPosition: Hashable, Sendable, CustomStringConvertible {
  /// Bytes before it.
  public let byteOffset: Int
  /// Counts from 1.
  public let line: Int
  /// Counts Unicode scalars of the line from 1.
  public let column: Int

  /// Counts the lines before `byteOffset`; `\n`, `\r\n` and `\r` each end one.
  init(byteOffset: Int, in bytes: UnsafeBufferPointer<UInt8>) {
    var line = 1
    var column = 1
    var previous: UInt8 = 0
    let start = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0
    for byte in bytes[min(start, byteOffset)..<min(byteOffset, bytes.count)] {
      switch byte {
      case UInt8(ascii: "\n"):
        if previous != UInt8(ascii: "\r") { line += 1 }
        column = 1
      case UInt8(ascii: "\r"):
        line += 1
        column = 1
      default:
        // A continuation byte belongs to the scalar before it.
        if byte & 0xc0 != 0x80 { column += 1 }
      }
      previous = byte
    }
    self.byteOffset = byteOffset
    self.line = line
    self.column = column
  }

  public var description: String { "line \(line), column \(column)" }
}
