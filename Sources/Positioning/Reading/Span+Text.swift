extension Span<UInt8> {
  /// The text in lower case (ASCII) without the blanks around it; of long ones the first 100 bytes.
  var trimmedLowercase: String {
    var end = min(count, 100)
    while end > 0, self[end - 1].isBlank { end -= 1 }
    var start = 0
    while start < end, self[start].isBlank { start += 1 }
    return String(unsafeUninitializedCapacity: end - start) { text in
      for index in start..<end {
        let byte = self[index]
        text[index - start] = byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte
      }
      return end - start
    }
  }

  /// The text without the blanks around it, repaired where it is not UTF-8.
  var trimmed: String {
    var end = count
    while end > 0, self[end - 1].isBlank { end -= 1 }
    var start = 0
    while start < end, self[start].isBlank { start += 1 }
    return extracting(start..<end).withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }
}
