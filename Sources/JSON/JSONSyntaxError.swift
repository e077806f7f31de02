internal import CSimdJSON

/// Why and where a text is no JSON document.
public struct JSONSyntaxError: Error, Equatable, Sendable {
  public let problem: Problem
  /// Where the first problem is.
  public let position: JSONPosition

  /// What is wrong with a text.
  public enum Problem: Equatable, Sendable {
    /// There is nothing but white space.
    case empty
    case invalidUTF8
    /// A control character in a string, which must be escaped.
    case controlCharacter(UInt8)
    case unclosedString
    /// A backslash with something after it that is no escape, or half of a surrogate pair.
    case invalidEscape
    /// Something else belongs here.
    case unexpected(Unicode.Scalar)
    /// The text ends within an object or array.
    case unclosed
    /// The document is whole, and something follows it.
    case trailing
    case tooDeep(limit: Int)
    /// An object has two members of this name.
    case duplicateName(String)
    case tooLarge
    case outOfMemory
  }

  /// Counts from 1.
  public var line: Int { position.line }
  /// Counts Unicode scalars of the line from 1.
  public var column: Int { position.column }
  /// Bytes before the problem.
  public var byteOffset: Int { position.byteOffset }

  /// What is wrong, and what would be right, without the place.
  public var message: String {
    switch problem {
    case .empty: "there is no JSON value"
    case .invalidUTF8: "the text is not UTF-8 here"
    case .controlCharacter(let byte):
      "control character \(byte) in a string; write it as an escape"
    case .unclosedString: "this string does not end"
    case .invalidEscape: "a backslash in this string begins no valid escape"
    case .unexpected(let scalar): "unexpected \(quoted(scalar))"
    case .unclosed: "the text ends within an object or array"
    case .trailing: "the document ended before this"
    case .tooDeep(let limit): "more than \(limit) objects and arrays within each other"
    case .duplicateName(let name): "a second member is named \"\(name)\""
    case .tooLarge: "a document may have at most 3.5 GB"
    case .outOfMemory: "no memory for a document of this size"
    }
  }

  private func quoted(_ scalar: Unicode.Scalar) -> String {
    switch scalar.value {
    case 0..<32, 127: "control character \(scalar.value)"
    default: "'\(scalar)'"
    }
  }
}

extension JSONSyntaxError: CustomStringConvertible {
  public var description: String { "\(position): \(message)" }
}

extension JSONSyntaxError {
  init(status: Int, offset: Int, input: UnsafeBufferPointer<UInt8>) {
    var offset = offset
    switch status {
    case CSIMDJSON_EMPTY: problem = .empty
    case CSIMDJSON_INVALID_UTF8:
      problem = .invalidUTF8
      offset = input.firstInvalidUTF8
    case CSIMDJSON_INVALID_STRING: (problem, offset) = input.firstStringProblem
    case CSIMDJSON_INVALID_ESCAPE: problem = .invalidEscape
    case CSIMDJSON_UNCLOSED: problem = .unclosed
    case CSIMDJSON_TRAILING: problem = .trailing
    case CSIMDJSON_TOO_DEEP: problem = .tooDeep(limit: CSIMDJSON_MAX_DEPTH)
    case CSIMDJSON_DUPLICATE_NAME: problem = .duplicateName(input.name(at: offset))
    case CSIMDJSON_TOO_LARGE: problem = .tooLarge
    case CSIMDJSON_OUT_OF_MEMORY: problem = .outOfMemory
    default: problem = .unexpected(input.scalar(at: offset))
    }
    position = JSONPosition(byteOffset: offset, in: input)
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// The offset of the first byte that begins no UTF-8 scalar.
  fileprivate var firstInvalidUTF8: Int {
    var decoder = Unicode.UTF8.ForwardParser()
    var iterator = makeIterator()
    var offset = 0
    while case .valid(let scalar) = decoder.parseScalar(from: &iterator) { offset += scalar.count }
    return offset
  }

  /// The first control character in a string, or else the beginning of the string that has no end.
  fileprivate var firstStringProblem: (JSONSyntaxError.Problem, Int) {
    var start: Int?
    var isEscaped = false
    for (offset, byte) in enumerated() {
      if start != nil, byte < 0x20 { return (.controlCharacter(byte), offset) }
      if isEscaped {
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = start != nil
      } else if byte == UInt8(ascii: "\"") {
        start = start == nil ? offset : nil
      }
    }
    return (.unclosedString, start ?? count)
  }

  fileprivate func scalar(at offset: Int) -> Unicode.Scalar {
    String(decoding: self[offset..<Swift.min(offset + 4, count)], as: UTF8.self)
      .unicodeScalars.first ?? " "
  }

  /// The name that begins with the quotation mark at `offset`, as written, cut where it is long.
  fileprivate func name(at offset: Int) -> String {
    var end = offset + 1
    while end < count, self[end] != UInt8(ascii: "\"") {
      end += self[end] == UInt8(ascii: "\\") ? 2 : 1
    }
    let bytes = self[offset + 1..<Swift.min(end, count)]
    let name = String(decoding: bytes.prefix(60), as: UTF8.self)
    return bytes.count > 60 ? name + "…" : name
  }
}
