internal import CSimdJSON

/// Parses JSON documents (RFC 8259), one after the other, in buffers that it keeps.
///
/// A document is read whole, by simdjson, and then asked. Refused are: invalid UTF-8, structure that
/// is not whole, bytes after the document, more than 64 containers within each other, and objects
/// with two members of one name. A byte order mark is passed over. Where a number or literal is
/// none, as `NaN`, `01` or `1e999`, but the structure is whole, the document is given with a value
/// of the kind `invalid`, so that whoever reads the field can name it.
///
/// After the first few lines of a stream no line allocates, unless a value of an earlier document is
/// still held: values keep their document, so the parser then takes new buffers.
public struct JSONParser: Sendable {
  private var storage: JSONStorage?

  public init() {}

  /// Parses one document and returns its root.
  public mutating func parse(_ bytes: UnsafeRawBufferPointer) throws(JSONSyntaxError) -> JSONValue {
    try root(of: load(bytes))
  }

  /// Parses one document and returns its root.
  public mutating func parse(_ bytes: [UInt8]) throws(JSONSyntaxError) -> JSONValue {
    try root(of: bytes.withUnsafeBytes { load($0) })
  }

  /// Parses one document and returns its root.
  public mutating func parse(_ text: String) throws(JSONSyntaxError) -> JSONValue {
    var text = text
    return try root(of: text.withUTF8 { load(UnsafeRawBufferPointer($0)) })
  }

  private mutating func load(_ bytes: UnsafeRawBufferPointer) -> JSONStorage {
    let storage = ownStorage()
    storage.parse(bytes)
    return storage
  }

  private func root(of storage: JSONStorage) throws(JSONSyntaxError) -> JSONValue {
    guard storage.status == CSIMDJSON_OK else {
      throw JSONSyntaxError(
        status: storage.status, offset: storage.errorOffset, input: storage.input)
    }
    return JSONValue(storage: storage, index: 0)
  }

  private mutating func ownStorage() -> JSONStorage {
    // In this order: a name for the storage would be a second reference.
    if isKnownUniquelyReferenced(&storage), let storage { return storage }
    let fresh = JSONStorage()
    storage = fresh
    return fresh
  }
}

/// The buffers of simdjson and the nodes of the document that is in them.
///
/// `@unchecked Sendable`: `parse` is called only by a `JSONParser` that holds the one reference
/// there is; as soon as a value holds another one, the buffers are only read.
final class JSONStorage: @unchecked Sendable {
  private let parser: OpaquePointer
  private let result: UnsafePointer<csimdjson_result>

  init() {
    guard let parser = csimdjson_create() else { fatalError("no memory for a JSON parser") }
    self.parser = parser
    result = csimdjson_last_result(parser)
  }

  deinit { csimdjson_destroy(parser) }

  func parse(_ bytes: UnsafeRawBufferPointer) {
    csimdjson_parse(parser, bytes.baseAddress, bytes.count)
  }

  var status: Int { Int(result.pointee.status) }
  var errorOffset: Int { Int(result.pointee.error_offset) }

  var input: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: result.pointee.input, count: result.pointee.input_count)
  }

  @inline(__always) func node(_ index: Int) -> csimdjson_node {
    precondition(index < result.pointee.node_count)
    return result.pointee.nodes[index]
  }

  /// The bytes of a string, or of an invalid value.
  @inline(__always) func bytes(of node: csimdjson_node) -> UnsafeBufferPointer<UInt8> {
    let base = node.kind == CSIMDJSON_STRING ? result.pointee.text : result.pointee.input
    return UnsafeBufferPointer(
      start: base.map { $0 + Int(node.range.start) }, count: Int(node.range.count))
  }

  /// The index of the first node that is not part of the value at `index`.
  @inline(__always) func index(after index: Int) -> Int {
    let node = node(index)
    let isContainer = node.kind == CSIMDJSON_ARRAY || node.kind == CSIMDJSON_OBJECT
    return isContainer ? Int(node.end) : index + 1
  }
}
