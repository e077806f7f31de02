/// Finds the sentences in a stream of bytes, and checks their checksums.
///
/// A sentence is `$` or `!`, printable characters, `*` and two hexadecimal digits: it is complete
/// with the second digit, whatever follows, and needs no line end. So what stands before it on its
/// line (a TAG block, a logger's prefix, the rest of a sentence that was cut) and after it does not
/// matter, and neither does binary between sentences. A `$` inside a sentence starts another one,
/// since the standard reserves that character; `!` is reserved too, but real texts contain it.
/// Lines that start with `#` are comments of whoever kept the recording.
///
/// The splitter works on whatever part of the stream is at hand. What it can't decide yet, it asks
/// to see again with more behind it; every decision depends on the bytes from a sentence's start
/// alone, so that the chunking never shows.
struct SentenceSplitter {
  /// A sentence longer than this, from `$` to `*`, is an endless line. The longest ones that
  /// receivers send have some 130 bytes, the standard allows 82.
  static let limit = 1024

  /// What Android's GnssLogger writes before a sentence; after it stands the time of reception.
  private static let loggerPrefix = Array("NMEA,".utf8)

  /// The next thing found.
  enum Piece {
    case sentence(Sentence)
    case dropped(Dropped)
    /// Nothing more can be said without the bytes that follow.
    case exhausted
  }

  /// The place of a sentence among the bytes at hand.
  struct Sentence {
    /// From after the start character to before the `*`.
    var body: Range<Int>
    /// How many commas the body has.
    var commas: Int
    /// Whether it starts with `!`, as AIS does: what it holds is not in fields.
    var isEncapsulated: Bool
    var hasChecksum: Bool
    /// When the phone that logged it received it, in milliseconds since 1970.
    var loggedAt: Int64?
    var position: InputPosition
  }

  /// How many bytes of the stream came before those at hand.
  private var offset = 0
  private var lines = LineCounter()
  private var isAtLineStart = true
  private var isInComment = false
  private var isInBinary = false
  /// Where the text of the current line started that belongs to no sentence.
  private var text: InputPosition?
  /// How many characters of the prefix of Android's GnssLogger the line starts with.
  private var loggerPrefix = 0
  /// Whether the line held a sentence, or something that was named already.
  private var isAccountedFor = false

  /// Takes note that the first `count` bytes at hand are done with.
  mutating func advance(by count: Int) { offset += count }

  /// Finds the next piece at or after `index`, and moves `index` behind it.
  ///
  /// Where the answer is `exhausted`, `index` is at the first byte that must be seen again.
  mutating func next(
    in bytes: UnsafeRawBufferPointer, from index: inout Int, isLast: Bool
  ) -> Piece {
    while index < bytes.count {
      let byte = bytes[index]
      if isInComment, byte >= 0x20 || byte == 0x09 {
        index += 1
        continue
      }
      isInComment = false
      switch byte {
      case UInt8(ascii: "$"), UInt8(ascii: "!"):
        guard let piece = sentence(in: bytes, from: &index, isLast: isLast) else { continue }
        return piece
      case 0x0a, 0x0d:
        let junk = endLine()
        lines.take(lineEnd: byte, at: offset + index)
        index += 1
        if let junk { return .dropped(junk) }
      case UInt8(ascii: "#") where isAtLineStart:
        isInComment = true
      case 0x20...0x7e, 0x09:
        takeText(byte, at: index)
        index += 1
      default:
        isAtLineStart = false
        isAccountedFor = true
        index += 1
        if isInBinary { continue }
        isInBinary = true
        return .dropped(Dropped(reason: .binary, position: position(of: index - 1)))
      }
    }
    if isLast, let junk = endLine() { return .dropped(junk) }
    return .exhausted
  }

  /// The piece that starts at `index`, or nil, with `index` moved on, where it is nothing to name.
  private mutating func sentence(
    in bytes: UnsafeRawBufferPointer, from index: inout Int, isLast: Bool
  ) -> Piece? {
    let start = index
    let last = start + SentenceSplitter.limit
    let end = min(bytes.count, last + 1)
    var scan = BodyScan()
    let stop = scan.run(bytes, from: start + 1, to: end)
    if stop == bytes.count, stop <= last, !isLast { return .exhausted }
    let position = position(of: start)
    isAtLineStart = false

    guard stop < end else {
      index = stop
      return drop(stop > last ? .lineTooLong : .truncated, bytes[start..<stop], at: position)
    }
    switch bytes[stop] {
    case UInt8(ascii: "*"):
      guard stop + 2 < bytes.count || isLast else { return .exhausted }
      let digits = bytes[min(stop + 1, bytes.count)..<min(stop + 3, bytes.count)]
      guard let stated = SentenceSplitter.checksum(digits) else {
        index = stop + 1
        return drop(.checksumMalformed, bytes[start..<stop], at: position)
      }
      index = stop + 3
      guard stated == scan.checksum else {
        let detail = "\(hexadecimal: scan.checksum), not \(hexadecimal: stated)"
        return drop(.checksumWrong, bytes[start..<stop], at: position, detail: detail)
      }
      var loggedAt: Int64?
      if loggerPrefix == SentenceSplitter.loggerPrefix.count {
        switch LoggerSuffix(bytes, from: stop + 3, isLast: isLast) {
        case .cut:
          index = start
          return .exhausted
        case .none: break
        case .time(let milliseconds): loggedAt = milliseconds
        }
      }
      isAccountedFor = true
      isInBinary = false
      return .sentence(
        Sentence(
          body: start + 1..<stop, commas: scan.commas,
          isEncapsulated: bytes[start] == UInt8(ascii: "!"), hasChecksum: true,
          loggedAt: loggedAt, position: position))
    case 0x0a, 0x0d:
      index = stop
      guard SentenceSplitter.looksLikeSentence(bytes[start..<stop]) else {
        if text == nil { text = position }
        return nil
      }
      isAccountedFor = true
      return .sentence(
        Sentence(
          body: start + 1..<stop, commas: scan.commas,
          isEncapsulated: bytes[start] == UInt8(ascii: "!"), hasChecksum: false,
          position: position))
    default:
      index = stop
      return drop(.truncated, bytes[start..<stop], at: position)
    }
  }

  /// Names what was dropped where it looked like a sentence at all; else it is text of its line.
  private mutating func drop(
    _ reason: Dropped.Reason, _ bytes: Slice<UnsafeRawBufferPointer>, at position: InputPosition,
    detail: @autoclosure () -> String = ""
  ) -> Piece? {
    guard SentenceSplitter.looksLikeSentence(bytes) else {
      if text == nil { text = position }
      return nil
    }
    isAccountedFor = true
    return .dropped(Dropped(reason: reason, position: position, detail: detail()))
  }

  private mutating func takeText(_ byte: UInt8, at index: Int) {
    isAtLineStart = false
    let prefix = SentenceSplitter.loggerPrefix
    if text == nil { text = position(of: index) }
    let isMatch =
      !isAccountedFor && loggerPrefix < prefix.count && prefix[loggerPrefix] == byte
    loggerPrefix = isMatch ? loggerPrefix + 1 : .max
  }

  /// What is left to say of a line when it ends: that it was text without any sentence.
  private mutating func endLine() -> Dropped? {
    defer {
      text = nil
      loggerPrefix = 0
      isAccountedFor = false
      isAtLineStart = true
    }
    guard let text, !isAccountedFor else { return nil }
    return Dropped(reason: .malformed, position: text, detail: "no sentence in this line")
  }

  private func position(of index: Int) -> InputPosition {
    lines.position(of: offset + index)
  }

  /// Whether three capitals or digits follow the start character, as in every address.
  private static func looksLikeSentence(_ bytes: Slice<UnsafeRawBufferPointer>) -> Bool {
    guard bytes.count > 3 else { return false }
    return bytes.dropFirst().prefix(3).allSatisfy {
      (0x30...0x39).contains($0) || (0x41...0x5a).contains($0)
    }
  }

  /// The value of two hexadecimal digits in either case.
  private static func checksum(_ digits: Slice<UnsafeRawBufferPointer>) -> UInt8? {
    guard digits.count == 2 else { return nil }
    var value: UInt8 = 0
    for digit in digits {
      switch digit {
      case 0x30...0x39: value = value << 4 | (digit - 0x30)
      case 0x41...0x46: value = value << 4 | (digit - 0x37)
      case 0x61...0x66: value = value << 4 | (digit - 0x57)
      default: return nil
      }
    }
    return value
  }
}

/// The pass over a sentence's characters: all that has to look at each of them.
private struct BodyScan {
  var checksum: UInt8 = 0
  var commas = 0

  /// The characters below 64 that end a body: controls, `$` and `*`.
  private static let stops: UInt64 = 0xffff_ffff | 1 << 0x24 | 1 << 0x2a

  /// Goes to the first byte that ends the body, or to `end`, and says where it stopped.
  mutating func run(_ bytes: UnsafeRawBufferPointer, from start: Int, to end: Int) -> Int {
    var index = start
    while index < end {
      let byte = bytes[index]
      if byte < 64 {
        if (BodyScan.stops >> UInt64(byte)) & 1 != 0 { break }
        if byte == UInt8(ascii: ",") { commas += 1 }
      } else if byte > 0x7e {
        break
      }
      checksum ^= byte
      index += 1
    }
    return index
  }
}

/// What GnssLogger writes behind a sentence: a comma, and milliseconds since 1970.
private enum LoggerSuffix {
  case none
  case time(Int64)
  /// It may go on in the bytes that follow.
  case cut

  init(_ bytes: UnsafeRawBufferPointer, from start: Int, isLast: Bool) {
    var index = start
    if index < bytes.count, bytes[index] == UInt8(ascii: ",") {
      index += 1
      var digits = DigitRun()
      digits.read(bytes[..<min(bytes.count, index + 16)], from: &index)
      if digits.found == 16 || index < bytes.count || isLast {
        self = (12...14).contains(digits.found) ? .time(Int64(digits.value)) : .none
        return
      }
    } else if index < bytes.count || isLast {
      self = .none
      return
    }
    self = .cut
  }
}

/// Counts lines as an editor does: by line feeds, or by carriage returns where there are no others.
private struct LineCounter {
  private var lineFeeds = 0
  private var carriageReturns = 0
  private var lineStart = 0

  mutating func take(lineEnd: UInt8, at offset: Int) {
    if lineEnd == 0x0a {
      lineFeeds += 1
      lineStart = offset + 1
    } else {
      carriageReturns += 1
      if lineFeeds == 0 { lineStart = offset + 1 }
    }
  }

  func position(of offset: Int) -> InputPosition {
    InputPosition(
      byteOffset: offset, line: 1 + (lineFeeds > 0 ? lineFeeds : carriageReturns),
      column: offset - lineStart + 1)
  }
}

extension DefaultStringInterpolation {
  /// Two capital hexadecimal digits.
  fileprivate mutating func appendInterpolation(hexadecimal value: UInt8) {
    let digits = String(value, radix: 16, uppercase: true)
    appendLiteral(digits.count == 1 ? "0" : "")
    appendLiteral(digits)
  }
}
