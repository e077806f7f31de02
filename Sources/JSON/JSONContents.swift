internal import CSimdJSON

extension JSONValue {
  /// The elements of an array in order; empty for any other value.
  public var elements: JSONElements {
    JSONElements(storage: storage, range: contents(of: CSIMDJSON_ARRAY))
  }

  /// The members of an object in the order of the text; empty for any other value.
  public var members: JSONMembers {
    JSONMembers(storage: storage, range: contents(of: CSIMDJSON_OBJECT))
  }

  private func contents(of kind: Int) -> Range<Int> {
    let node = storage.node(index)
    return Int(node.kind) == kind ? index + 1..<Int(node.end) : index..<index
  }
}

/// The elements of an array; their count is found by walking over them.
public struct JSONElements: Collection, Sendable {
  let storage: JSONStorage
  let range: Range<Int>

  public var startIndex: Int { range.lowerBound }
  public var endIndex: Int { range.upperBound }

  public func index(after index: Int) -> Int { storage.index(after: index) }

  public subscript(index: Int) -> JSONValue {
    precondition(range.contains(index))
    return JSONValue(storage: storage, index: index)
  }
}

/// The members of an object; their count is found by walking over them.
public struct JSONMembers: Collection, Sendable {
  let storage: JSONStorage
  let range: Range<Int>

  public var startIndex: Int { range.lowerBound }
  public var endIndex: Int { range.upperBound }

  public func index(after index: Int) -> Int { storage.index(after: index + 1) }

  public subscript(index: Int) -> JSONMember {
    precondition(range.contains(index))
    return JSONMember(
      nameValue: JSONValue(storage: storage, index: index),
      value: JSONValue(storage: storage, index: index + 1))
  }
}

/// A name and its value.
public struct JSONMember: Sendable {
  let nameValue: JSONValue
  public let value: JSONValue

  /// The name, unescaped; made anew with each call.
  public var name: String { nameValue.string ?? "" }

  /// Whether this is the member of that name, without making a string of it.
  public func isNamed(_ name: StaticString) -> Bool { nameValue.isString(name) }

  /// Bytes before the name in the input.
  public var byteOffset: Int { nameValue.byteOffset }
}
