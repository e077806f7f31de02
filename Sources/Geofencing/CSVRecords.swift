/// The records of a CSV text (RFC 4180) in order: commas, fields in quotes where they need them,
/// lines ended by CRLF, LF or CR. Empty lines are passed over.
struct CSVRecords {
  /// A line of the file, or several where a field in quotes has line ends in it.
  struct Record {
    var fields: [Field]
    var line: Int
  }

  struct Field {
    var text: String
    var line: Int
    /// Counts Unicode scalars from 1.
    var column: Int
  }

  enum Problem: Error, Equatable {
    /// A quotation mark in a field that does not begin with one.
    case strayQuote(line: Int, column: Int)
    /// Something between the end of a field in quotes and the comma.
    case textAfterQuotes(line: Int, column: Int)
    case unclosedQuotes(line: Int, column: Int)
    case notUTF8(line: Int, column: Int)
  }

  private let bytes: [UInt8]
  private var index: Int
  private var line = 1
  private var lineStart: Int
  private var counted: (index: Int, column: Int)

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    index = bytes.starts(with: [0xef, 0xbb, 0xbf] as [UInt8]) ? 3 : 0
    lineStart = index
    counted = (index, 1)
  }

  /// The next record; nil at the end. After a problem the next record is that of the next line.
  mutating func next() throws(Problem) -> Record? {
    while endLine() {}
    guard index < bytes.count else { return nil }
    var record = Record(fields: [], line: line)
    while true {
      do throws(Problem) {
        record.fields.append(try field())
      } catch {
        skipLine()
        throw error
      }
      guard index < bytes.count else { return record }
      if bytes[index] == UInt8(ascii: ",") {
        index += 1
      } else if endLine() {
        return record
      }
    }
  }

  private mutating func field() throws(Problem) -> Field {
    let startLine = line
    let startColumn = column(of: index)
    let text =
      index < bytes.count && bytes[index] == UInt8(ascii: "\"")
      ? try quotedField() : try plainField()
    guard let text else { throw .notUTF8(line: startLine, column: startColumn) }
    return Field(text: text, line: startLine, column: startColumn)
  }

  private mutating func plainField() throws(Problem) -> String? {
    let start = index
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: ","), UInt8(ascii: "\n"), UInt8(ascii: "\r"):
        return String(validating: bytes[start..<index], as: UTF8.self)
      case UInt8(ascii: "\""): throw .strayQuote(line: line, column: column(of: index))
      default: index += 1
      }
    }
    return String(validating: bytes[start...], as: UTF8.self)
  }

  private mutating func quotedField() throws(Problem) -> String? {
    let start = (line: line, column: column(of: index))
    var content: [UInt8] = []
    index += 1
    while index < bytes.count {
      let byte = bytes[index]
      guard byte == UInt8(ascii: "\"") else {
        let begin = index
        if !endLine() { index += 1 }
        content += bytes[begin..<index]
        continue
      }
      index += 1
      guard index < bytes.count else { return String(validating: content, as: UTF8.self) }
      switch bytes[index] {
      case UInt8(ascii: ","), UInt8(ascii: "\n"), UInt8(ascii: "\r"):
        return String(validating: content, as: UTF8.self)
      case UInt8(ascii: "\""):
        content.append(byte)
        index += 1
      default: throw .textAfterQuotes(line: line, column: column(of: index))
      }
    }
    throw .unclosedQuotes(line: start.line, column: start.column)
  }

  /// Steps over a line end, if there is one.
  private mutating func endLine() -> Bool {
    guard index < bytes.count else { return false }
    switch bytes[index] {
    case UInt8(ascii: "\n"): index += 1
    case UInt8(ascii: "\r"):
      index += 1
      if index < bytes.count, bytes[index] == UInt8(ascii: "\n") { index += 1 }
    default: return false
    }
    line += 1
    lineStart = index
    return true
  }

  private mutating func skipLine() {
    while index < bytes.count, !endLine() { index += 1 }
  }

  /// Counts on from the last place asked for, so that a line of any length is counted once.
  private mutating func column(of index: Int) -> Int {
    if counted.index < lineStart { counted = (lineStart, 1) }
    for byte in bytes[counted.index..<index] where byte & 0xc0 != 0x80 { counted.column += 1 }
    counted.index = index
    return counted.column
  }
}
