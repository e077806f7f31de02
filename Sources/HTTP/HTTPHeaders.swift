/// Header fields in the order they were sent; names are found whatever the case of their letters.
///
/// All names and values lie in one array, so that a request with twenty fields costs two
/// allocations. Finding a field looks at each in turn.
public struct HTTPHeaders: Sendable {
  /// Names and values, each followed by a zero, which is how C reads them.
  private var text: [UInt8] = []
  private var fields: [Field] = []

  private struct Field {
    var name: Range<Int32>
    var value: Range<Int32>
  }

  public init() {}

  public var count: Int { fields.count }

  /// The bytes of all names and values together.
  var sizeInBytes: Int { text.count }

  /// The first value of a field; setting replaces every value of it, nil removes them.
  public subscript(name: HTTPHeaderName) -> String? {
    get {
      guard let field = fields.first(where: { hasName($0, name) }) else { return nil }
      return string(field.value)
    }
    set {
      fields = fields.filter { !hasName($0, name) }
      if let newValue { append(name, newValue) }
    }
  }

  /// Every value of a field, in order.
  public func values(_ name: HTTPHeaderName) -> [String] {
    fields.filter { hasName($0, name) }.map { string($0.value) }
  }

  public func contains(_ name: HTTPHeaderName) -> Bool {
    fields.contains { hasName($0, name) }
  }

  /// Adds a value and leaves earlier ones of the same name.
  ///
  /// Line breaks and zeros in the value become spaces, so that no value can begin another field.
  public mutating func append(_ name: HTTPHeaderName, _ value: String) {
    var name = name.text
    var value = value
    name.withUTF8 { name in
      value.withUTF8 { value in append(name: name, value: value) }
    }
  }

  mutating func append(name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>) {
    if fields.isEmpty {
      text.reserveCapacity(256)
      fields.reserveCapacity(8)
    }
    let nameStart = Int32(text.count)
    text.append(contentsOf: name)
    let nameEnd = Int32(text.count)
    text.append(0)
    text.append(contentsOf: value)
    let valueEnd = Int32(text.count)
    text.append(0)
    for index in Int(nameEnd) + 1..<Int(valueEnd) where Self.breaksFields(text[index]) {
      text[index] = UInt8(ascii: " ")
    }
    fields.append(Field(name: nameStart..<nameEnd, value: nameEnd + 1..<valueEnd))
  }

  func count(of name: HTTPHeaderName) -> Int {
    fields.reduce(0) { $0 + (hasName($1, name) ? 1 : 0) }
  }

  /// Each name and value as C reads them; the pointers hold for the call only.
  func forEachCString(_ body: (UnsafePointer<CChar>, UnsafePointer<CChar>) -> Void) {
    text.withUnsafeBytes { text in
      guard let start = text.baseAddress?.assumingMemoryBound(to: CChar.self) else { return }
      for field in fields {
        body(start + Int(field.name.lowerBound), start + Int(field.value.lowerBound))
      }
    }
  }

  private static func breaksFields(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\n") || byte == 0
  }

  private func hasName(_ field: Field, _ name: HTTPHeaderName) -> Bool {
    guard field.name.count == name.text.utf8.count else { return false }
    var index = Int(field.name.lowerBound)
    for byte in name.text.utf8 {
      if lowercased(byte) != lowercased(text[index]) { return false }
      index += 1
    }
    return true
  }

  private func string(_ range: Range<Int32>) -> String {
    String(decoding: text[Int(range.lowerBound)..<Int(range.upperBound)], as: UTF8.self)
  }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
  public init(dictionaryLiteral elements: (HTTPHeaderName, String)...) {
    for (name, value) in elements { append(name, value) }
  }
}

extension HTTPHeaders: Sequence {
  /// Names as they were sent, with their values, in order.
  public func makeIterator() -> some IteratorProtocol<(name: String, value: String)> {
    fields.lazy.map { (name: string($0.name), value: string($0.value)) }.makeIterator()
  }
}
