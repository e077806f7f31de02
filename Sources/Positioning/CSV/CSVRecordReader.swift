/// Splits separated values (RFC 4180) into records, in any chunking and bounded memory.
///
/// Lines may end with LF, CR LF or CR; a quoted field may hold any of them, separators, and quotes
/// written twice. A quote inside an unquoted field is a character like any other. Blank lines are no
/// records.
struct CSVRecordReader: Sendable {
  private let separator: UInt8
  private var state = State.fieldStart
  private var isComplete = false
  private var isAfterCR: Bool

  /// The fields of the record, one after another, without their quotes.
  private(set) var text: [UInt8] = []
  private var fieldEnds: [Int] = []
  private var fieldStarts: [InputPosition] = []

  /// Where the next byte is.
  private(set) var position: InputPosition

  private enum State { case fieldStart, plain, quoted, afterQuote, skipping }

  enum Event: Equatable {
    /// A record is complete; it is there until the next call.
    case record
    /// A record is over the limit: what follows up to the next line end is passed over.
    case tooLong(InputPosition)
    /// The input ended inside a quoted field.
    case quoteNotClosed(InputPosition)
  }

  static let longestRecord = 1 << 16
  static let mostFields = 1000

  /// - Parameter isAfterCR: Whether the byte before was a CR, so that a LF now is the rest of its line
  ///   end and not another.
  init(separator: UInt8, at position: InputPosition, isAfterCR: Bool = false) {
    self.separator = separator
    self.position = position
    self.isAfterCR = isAfterCR
  }

  var fieldCount: Int { fieldEnds.count }

  /// The bytes of `text` that are the field.
  func range(ofField index: Int) -> Range<Int> {
    (index == 0 ? 0 : fieldEnds[index - 1])..<fieldEnds[index]
  }

  /// Where in the input the field begins.
  func position(ofField index: Int) -> InputPosition { fieldStarts[index] }

  /// Takes bytes from `index` on, up to and with the end of the next record.
  mutating func next(in bytes: UnsafeRawBufferPointer, at index: inout Int) -> Event? {
    if isComplete { clear() }
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      if let event = take(byte) { return event }
    }
    return nil
  }

  /// Takes the end of the input, which ends a record too.
  mutating func finish() -> Event? {
    if isComplete { clear() }
    switch state {
    case .skipping: return nil
    case .quoted: return .quoteNotClosed(fieldStarts.last ?? position)
    case .fieldStart:
      guard !fieldEnds.isEmpty else { return nil }
      fieldStarts.append(position)
      return endRecord()
    case .plain, .afterQuote: return endRecord()
    }
  }

  private mutating func take(_ byte: UInt8) -> Event? {
    let isRestOfLineEnd = byte == .lineFeed && isAfterCR
    let isLineEnd = byte == .lineFeed || byte == .carriageReturn
    let here = position
    isAfterCR = byte == .carriageReturn
    position.advance(over: byte, isRestOfLineEnd: isRestOfLineEnd)
    if isRestOfLineEnd, state != .quoted { return nil }

    if state == .fieldStart {
      fieldStarts.append(here)
      if byte == .quote {
        state = .quoted
        return nil
      }
      state = .plain
    }
    switch state {
    case .quoted where byte == .quote: state = .afterQuote
    case .quoted: return append(byte)
    case .afterQuote where byte == .quote:
      state = .quoted
      return append(byte)
    case .skipping: if isLineEnd { state = .fieldStart }
    case .fieldStart, .plain, .afterQuote:
      if byte == separator {
        return endField()
      } else if isLineEnd {
        return endRecord()
      } else {
        state = .plain
        return append(byte)
      }
    }
    return nil
  }

  private mutating func append(_ byte: UInt8) -> Event? {
    guard text.count < CSVRecordReader.longestRecord else { return skip() }
    text.append(byte)
    return nil
  }

  private mutating func endField() -> Event? {
    guard fieldEnds.count < CSVRecordReader.mostFields else { return skip() }
    fieldEnds.append(text.count)
    state = .fieldStart
    return nil
  }

  private mutating func skip() -> Event {
    let start = fieldStarts.first ?? position
    clear()
    state = .skipping
    return .tooLong(start)
  }

  private mutating func endRecord() -> Event? {
    fieldEnds.append(text.count)
    if fieldEnds.count == 1, text.isEmpty {
      clear()
      return nil
    }
    isComplete = true
    return .record
  }

  private mutating func clear() {
    text.removeAll(keepingCapacity: true)
    fieldEnds.removeAll(keepingCapacity: true)
    fieldStarts.removeAll(keepingCapacity: true)
    isComplete = false
    state = .fieldStart
  }
}

extension InputPosition {
  /// Moves past a byte; the LF of a CR LF, `isRestOfLineEnd`, starts no line of its own.
  mutating func advance(over byte: UInt8, isRestOfLineEnd: Bool) {
    byteOffset += 1
    if isRestOfLineEnd { return }
    if byte == .lineFeed || byte == .carriageReturn {
      line += 1
      column = 1
    } else {
      column += 1
    }
  }
}

extension UInt8 {
  static let lineFeed = UInt8(ascii: "\n")
  static let carriageReturn = UInt8(ascii: "\r")
  static let quote = UInt8(ascii: "\"")
}
