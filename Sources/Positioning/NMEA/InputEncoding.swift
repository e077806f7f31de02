/// What the first bytes of an input say about its encoding.
enum InputEncoding {
  /// ASCII, or binary that is passed over; so many bytes of a mark go before it.
  case bytes(markLength: Int)
  /// UTF-16, with or without its mark: every other byte is zero.
  case utf16
  /// Four bytes are needed to tell.
  case undecided

  init(_ bytes: UnsafeRawBufferPointer, isLast: Bool) {
    guard bytes.count >= 4 else {
      self = isLast ? .bytes(markLength: 0) : .undecided
      return
    }
    func isText(_ byte: UInt8) -> Bool {
      (0x20...0x7e).contains(byte) || byte == 0x0a || byte == 0x0d
    }
    let littleEndian = bytes[1] == 0 && isText(bytes[0])
    let bigEndian = bytes[0] == 0 && isText(bytes[1])
    if bytes[0] == 0xff, bytes[1] == 0xfe, bytes[3] == 0, isText(bytes[2]) {
      self = .utf16
    } else if bytes[0] == 0xfe, bytes[1] == 0xff, bytes[2] == 0, isText(bytes[3]) {
      self = .utf16
    } else if littleEndian, bytes[3] == 0, isText(bytes[2]) {
      self = .utf16
    } else if bigEndian, bytes[2] == 0, isText(bytes[3]) {
      self = .utf16
    } else {
      let hasMark = bytes[0] == 0xef && bytes[1] == 0xbb && bytes[2] == 0xbf
      self = .bytes(markLength: hasMark ? 3 : 0)
    }
  }
}
