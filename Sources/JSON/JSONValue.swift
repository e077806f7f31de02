internal import CSimdJSON

/// A value in a parsed document, which it keeps alive.
public struct JSONValue: Sendable {
  let storage: JSONStorage
  let index: Int

  /// What a value is.
  public enum Kind: Sendable {
    case object, array, string, number, bool, null
    /// No JSON value, though it stands where one belongs: `NaN`, `01`, `1e999`, `True`.
    case invalid
  }

  private var node: csimdjson_node { storage.node(index) }

  /// What this value is; `double`, `string` and the others read it.
  public var kind: Kind {
    switch Int(node.kind) {
    case CSIMDJSON_OBJECT: .object
    case CSIMDJSON_ARRAY: .array
    case CSIMDJSON_STRING: .string
    case CSIMDJSON_INTEGER, CSIMDJSON_DOUBLE: .number
    case CSIMDJSON_TRUE, CSIMDJSON_FALSE: .bool
    case CSIMDJSON_NULL: .null
    default: .invalid
    }
  }

  /// A number rounded to the nearest double, always finite; nil for any other value.
  public var double: Double? {
    let node = node
    switch Int(node.kind) {
    case CSIMDJSON_DOUBLE: return node.number
    case CSIMDJSON_INTEGER: return Double(node.integer)
    default: return nil
    }
  }

  /// A number that is a whole one and fits: of any spelling up to 2^53, and beyond that where it is
  /// written without fraction and exponent. Nil for any other value.
  public var int64: Int64? {
    let node = node
    switch Int(node.kind) {
    case CSIMDJSON_INTEGER: return node.integer
    case CSIMDJSON_DOUBLE: return abs(node.number) <= 0x1p53 ? Int64(exactly: node.number) : nil
    default: return nil
    }
  }

  /// A string, unescaped; nil for any other value.
  public var string: String? { withStringBytes { String(decoding: $0, as: UTF8.self) } }

  /// Gives `body` the unescaped UTF-8 of a string without copying it; nil for any other value.
  public func withStringBytes<Result, Failure: Error>(
    _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    let node = node
    guard Int(node.kind) == CSIMDJSON_STRING else { return nil }
    let result = try body(storage.bytes(of: node))
    return withExtendedLifetime(storage) { result }
  }

  /// Whether this is the string `text`.
  public func isString(_ text: StaticString) -> Bool {
    let node = node
    guard Int(node.kind) == CSIMDJSON_STRING, Int(node.range.count) == text.utf8CodeUnitCount else {
      return false
    }
    return zip(storage.bytes(of: node), text.bytes).allSatisfy(==)
  }

  /// `true` or `false`; nil for any other value.
  public var bool: Bool? {
    switch Int(node.kind) {
    case CSIMDJSON_TRUE: true
    case CSIMDJSON_FALSE: false
    default: nil
    }
  }

  /// Whether this is `null`, which is not the same as an absent member.
  public var isNull: Bool { Int(node.kind) == CSIMDJSON_NULL }

  /// The bytes of the input that stand where a value belongs and are none, at most 40 of them; nil
  /// for any valid value.
  public var invalidText: String? {
    let node = node
    guard Int(node.kind) == CSIMDJSON_INVALID else { return nil }
    return String(decoding: storage.bytes(of: node).prefix(40), as: UTF8.self)
  }

  /// The member of that name, in time proportional to the members before it; nil where there is none
  /// or where this is no object.
  @inline(__always) public subscript(_ name: StaticString) -> JSONValue? {
    member(named: UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
  }

  /// The member of that name, in time proportional to the members before it; nil where there is none
  /// or where this is no object.
  public func member(named name: String) -> JSONValue? {
    var name = name
    return name.withUTF8 { member(named: UnsafeRawBufferPointer($0)) }
  }

  private func member(named wanted: UnsafeRawBufferPointer) -> JSONValue? {
    let object = node
    guard Int(object.kind) == CSIMDJSON_OBJECT else { return nil }
    let end = Int(object.end)
    var index = index + 1
    while index < end {
      let name = storage.node(index)
      if Int(name.range.count) == wanted.count,
        zip(storage.bytes(of: name), wanted).allSatisfy(==)
      {
        return JSONValue(storage: storage, index: index + 1)
      }
      index = storage.index(after: index + 1)
    }
    return nil
  }

  /// Bytes before this value in the input.
  public var byteOffset: Int { Int(node.offset) }

  /// Where this value begins in the input, found by counting from its beginning.
  public var position: JSONPosition { JSONPosition(byteOffset: byteOffset, in: storage.input) }
}

extension StaticString {
  fileprivate var bytes: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: utf8Start, count: utf8CodeUnitCount)
  }
}
