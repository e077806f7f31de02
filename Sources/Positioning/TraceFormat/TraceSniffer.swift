/// Finds the format of an input by its first line that is of one; comments, noise and blank lines
/// before it decide nothing.
///
/// Looks only where a line ends and at fixed counts of bytes, so that the chunking does not show.
struct TraceSniffer: Sendable {
  /// Everything that was taken.
  private(set) var prefix: [UInt8] = []
  private var lineStart = 0
  /// Whether there was no line yet but blank ones and comments.
  private var isAtFirstLine = true

  enum Finding: Equatable {
    case format(TraceFormat)
    /// Text of 16-bit characters.
    case wrongEncoding
    case unknown
  }

  /// So many bytes must be enough.
  private static let longestPrefix = 1 << 16
  /// A line without its end is looked at where the input has so many bytes.
  private static let partialLook = 4096

  /// Takes bytes from `index` on until the format is found, or that it can't be; nil where more
  /// bytes are needed.
  mutating func take(_ bytes: UnsafeRawBufferPointer, at index: inout Int) -> Finding? {
    while index < bytes.count {
      let isBeforeLook = prefix.count < TraceSniffer.partialLook
      let nextLook = isBeforeLook ? TraceSniffer.partialLook : TraceSniffer.longestPrefix
      let room = bytes[index...].prefix(nextLook - prefix.count)
      let end = room.firstIndex { $0 == .lineFeed || $0 == .carriageReturn }
      let piece = index..<(end.map { $0 + 1 } ?? room.endIndex)
      prefix.append(contentsOf: bytes[piece])
      index = piece.upperBound
      guard end != nil || prefix.count == nextLook else { continue }
      if let finding = look(isLineComplete: end != nil) { return finding }
      if prefix.count >= TraceSniffer.longestPrefix { return .unknown }
    }
    return nil
  }

  /// Takes the end of the input.
  mutating func finish() -> Finding { look(isLineComplete: true) ?? .unknown }

  private mutating func look(isLineComplete: Bool) -> Finding? {
    if let first = firstOfWideCharacters {
      // An XML parser reads them; nothing else here does.
      return first == UInt8(ascii: "<") ? .format(.gpx) : .wrongEncoding
    }
    if lineStart == 0, prefix.starts(with: [0xef, 0xbb, 0xbf]) { lineStart = 3 }
    let line = prefix[lineStart...].drop { $0.isBlank }
    if let format = TraceFormat(ofLine: line, isFirst: isAtFirstLine) { return .format(format) }
    if isLineComplete {
      lineStart = prefix.count
      if let first = line.first, first != UInt8(ascii: "#") { isAtFirstLine = false }
    }
    return nil
  }

  /// The first character where the text has 16-bit ones, by its mark or by its zeros.
  private var firstOfWideCharacters: UInt8? {
    guard prefix.count >= 4 else { return nil }
    if prefix.starts(with: [0xff, 0xfe]) { return prefix[2] }
    if prefix.starts(with: [0xfe, 0xff]) { return prefix[3] }
    switch (prefix[0] == 0, prefix[1] == 0, prefix[2] == 0, prefix[3] == 0) {
    case (false, true, false, true): return prefix[0]
    case (true, false, true, false): return prefix[1]
    default: return nil
    }
  }
}

extension TraceFormat {
  /// The format of which a line without leading blanks is; nil where it could be of any or none.
  fileprivate init?(ofLine line: ArraySlice<UInt8>, isFirst: Bool) {
    switch line.first {
    case nil, UInt8(ascii: "#"): return nil
    case UInt8(ascii: "<") where isFirst && line.dropFirst().first?.beginsXMLName == true:
      self = .gpx
    case UInt8(ascii: "[") where isFirst: self = .ndjson
    case UInt8(ascii: "{"):
      self = line.has("\"class\"") && !line.has("\"lng\"") ? .gpsd : .ndjson
    case _ where line.hasSentence: self = .nmea
    case _ where FixCSVColumns.header(Array(line)).columns.havePosition: self = .csv
    default: return nil
    }
  }
}

extension ArraySlice<UInt8> {
  fileprivate func has(_ text: String) -> Bool {
    indices.contains { self[$0...].starts(with: text.utf8) }
  }

  /// Whether there is `$` or `!`, an address of capitals and digits, and a comma.
  fileprivate var hasSentence: Bool {
    indices.contains { index in
      guard self[index] == UInt8(ascii: "$") || self[index] == UInt8(ascii: "!") else {
        return false
      }
      let address = self[(index + 1)...].prefix { $0.isCapital || $0.isDigit }
      return address.count >= 4 && address.prefix(2).allSatisfy(\.isCapital)
        && address.endIndex < endIndex && self[address.endIndex] == UInt8(ascii: ",")
    }
  }
}

extension UInt8 {
  fileprivate var isCapital: Bool { self >= UInt8(ascii: "A") && self <= UInt8(ascii: "Z") }

  /// A letter, or what begins a declaration or comment.
  fileprivate var beginsXMLName: Bool {
    (self | 0x20) >= UInt8(ascii: "a") && (self | 0x20) <= UInt8(ascii: "z")
      || self == UInt8(ascii: "?") || self == UInt8(ascii: "!")
  }
}
