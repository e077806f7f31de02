import JSON

/// A document that is read is written as the same document, and an error is at a place in the input.
func jsonPromise(_ bytes: UnsafeRawBufferPointer) -> String? {
  var parser = JSONParser()
  let document: JSONValue
  do throws(JSONSyntaxError) {
    document = try parser.parse(bytes)
  } catch {
    guard error.position.byteOffset <= bytes.count else {
      return "an error at byte \(error.position.byteOffset) of \(bytes.count)"
    }
    return nil
  }
  var writer = JSONWriter()
  write(document, to: &writer)
  let once = writer.bytes
  guard let again = try? parser.parse(once) else { return "cannot read again: \(writer.text)" }
  writer.removeAll()
  write(again, to: &writer)
  return writer.bytes == once ? nil : "written at first as \(String(decoding: once, as: UTF8.self))"
}

/// What is no JSON value is written as null.
private func write(_ value: JSONValue, to writer: inout JSONWriter) {
  switch value.kind {
  case .object:
    writer.object {
      for member in value.members {
        $0.name(escaping: member.name)
        write(member.value, to: &$0)
      }
    }
  case .array:
    writer.array {
      for element in value.elements { write(element, to: &$0) }
    }
  case .string: writer.value(value.string ?? "")
  case .number:
    if let whole = value.int64 { writer.value(whole) } else { writer.value(value.double ?? .nan) }
  case .bool: writer.value(value.bool ?? false)
  case .null, .invalid: writer.null()
  }
}
