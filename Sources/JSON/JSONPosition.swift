/// A place in a text, as editors show it.
public struct JSONPosition: Hashable, Sendable, CustomStringConvertible {
  /// Bytes before it.
  public let byteOffset: Int
  /// Counts from 1.
  public let line: Int
  /// Counts Unicode scalars of the line from 1.
  public let column: Int

  init(byteOffset: Int, in bytes: UnsafeBufferPointer<UInt8>) {
    self = JSONPosition.positions(ofByteOffsets: [byteOffset], in: bytes)[0]
  }

  private init(byteOffset: Int, line: Int, column: Int) {
    self.byteOffset = byteOffset
    self.line = line
    self.column = column
  }

  /// Counts the lines before each of some offsets in ascending order; `\n`, `\r\n` and `\r` each
  /// end one.
  static func positions(
    ofByteOffsets byteOffsets: [Int], in bytes: UnsafeBufferPointer<UInt8>
  ) -> [JSONPosition] {
    var line = 1
    var column = 1
    var previous: UInt8 = 0
    var index = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0
    return byteOffsets.map { byteOffset in
      while index < min(byteOffset, bytes.count) {
        let byte = bytes[index]
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
        index += 1
      }
      return JSONPosition(byteOffset: byteOffset, line: line, column: column)
    }
  }

  public var description: String { "line \(line), column \(column)" }
}

extension JSONValue {
  /// Where bytes of this value's document are, in one pass over it.
  ///
  /// - Parameter byteOffsets: In ascending order.
  public func positions(ofByteOffsets byteOffsets: [Int]) -> [JSONPosition] {
    JSONPosition.positions(ofByteOffsets: byteOffsets, in: storage.input)
  }
}
