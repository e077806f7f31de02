import Foundation
import JSON
import TestSupport
import Testing

/// Foundation's JSONSerialization as another opinion.
@Suite struct JSONOracleTests {
  @Test func `random documents are read as JSONSerialization reads them`() throws {
    var random = SeededGenerator(seed: 2)
    var parser = JSONParser()
    for _ in 0..<TestSizes.count(1000) {
      let tree = randomTree(depth: 0, using: &random)
      let data = try JSONSerialization.data(withJSONObject: ["root": tree, "pad": "é\"\\\u{1}"])
      let root = try parser.parse(Array(data))
      let theirs = try JSONSerialization.jsonObject(with: data)
      #expect(agrees(root, theirs), "\(String(decoding: data, as: UTF8.self))")

      // And what we write is read back by both alike.
      var writer = JSONWriter()
      write(root, to: &writer)
      let again = try JSONSerialization.jsonObject(with: Data(writer.bytes))
      #expect(agrees(root, again), "\(writer.text)")
      #expect(agrees(try parser.parse(writer.bytes), theirs))
    }
  }

  @Test func `mutated documents never crash, and what is accepted is what Foundation accepts`()
    throws
  {
    var random = SeededGenerator(seed: 3)
    var parser = JSONParser()
    let seeds = [
      #"{"subject":"D1","time":"2026-03-02T08:58:41.000Z","lat":48.001619,"lng":11.0}"#,
      #"{"type":"FeatureCollection","features":[{"id":1,"geometry":null},{"a":[[1,2],[3,4e5]]}]}"#,
      #"["\u00e9\ud83d\ude00",true,false,null,-0.5e-3,{},[],"",[[[]]]]"#,
    ].map { Array($0.utf8) }
    let alphabet =
      Array("{}[]:,\"\\ue0123456789.-+ \n\ttrfalsn".utf8) + [0, 0x80, 0xc3, 0xa9, 0xff]
    var accepted = 0
    for round in 0..<TestSizes.count(20_000) {
      var bytes = seeds[round % seeds.count]
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let at = Int.random(in: 0...bytes.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes.insert(alphabet.randomElement(using: &random)!, at: at)
        case 1: if at < bytes.count { bytes.remove(at: at) }
        case 2: if at < bytes.count { bytes[at] = alphabet.randomElement(using: &random)! }
        default: bytes.removeLast(min(bytes.count, Int.random(in: 0...8, using: &random)))
        }
      }
      let text = String(decoding: bytes, as: UTF8.self)
      do throws(JSONSyntaxError) {
        let root = try parser.parse(bytes)
        guard !holdsInvalid(root), root.kind == .object || root.kind == .array else { continue }
        accepted += 1
        let theirs = try? JSONSerialization.jsonObject(with: Data(bytes))
        #expect(agrees(root, theirs), "\(text)")
      } catch {
        #expect(error.byteOffset <= bytes.count)
        #expect(error.line >= 1 && error.column >= 1)
        if case .duplicateName = error.problem { continue }
        // Foundation lets a comma stand before the end of a container.
        if case .unexpected("]") = error.problem { continue }
        if case .unexpected("}") = error.problem { continue }
        let theirs = try? JSONSerialization.jsonObject(with: Data(bytes))
        #expect(theirs == nil, "\(error) in \(text)")
      }
    }
    #expect(accepted > 100)
  }

  private func randomTree(depth: Int, using random: inout SeededGenerator) -> Any {
    switch Int.random(in: 0..<(depth < 5 ? 8 : 6), using: &random) {
    case 0: return NSNull()
    case 1: return Bool.random(using: &random)
    case 2: return Int.random(in: Int.min...Int.max, using: &random)
    case 3: return Double.random(in: -1e6...1e6, using: &random)
    case 4: return Int.random(in: -100...100, using: &random)
    case 5: return randomString(using: &random)
    case 6:
      return (0..<Int.random(in: 0...6, using: &random)).map { _ in
        randomTree(depth: depth + 1, using: &random)
      }
    default:
      var object: [String: Any] = [:]
      for _ in 0..<Int.random(in: 0...6, using: &random) {
        object[randomString(using: &random)] = randomTree(depth: depth + 1, using: &random)
      }
      return object
    }
  }

  private func randomString(using random: inout SeededGenerator) -> String {
    var text = String.UnicodeScalarView()
    for _ in 0..<Int.random(in: 0...20, using: &random) {
      let limit: UInt32 = [0x20, 0x7f, 0x800, 0xffff, 0x10ffff].randomElement(using: &random)!
      if let scalar = Unicode.Scalar(UInt32.random(in: 0...limit, using: &random)) {
        // JSONSerialization drops a byte order mark and NUL here and there.
        if scalar.value != 0xfeff, scalar.value != 0 { text.append(scalar) }
      }
    }
    return String(text)
  }

  /// Whether Foundation read the same as we did.
  private func agrees(_ value: JSONValue, _ theirs: Any?) -> Bool {
    switch value.kind {
    case .object:
      guard let theirs = theirs as? [String: Any] else { return false }
      return theirs.count == value.members.count
        && value.members.allSatisfy { agrees($0.value, theirs[$0.name]) }
    case .array:
      guard let theirs = theirs as? [Any] else { return false }
      return theirs.count == value.elements.count && zip(value.elements, theirs).allSatisfy(agrees)
    case .string: return theirs as? String == value.string
    case .number:
      guard let theirs = theirs as? NSNumber else { return false }
      if let integer = value.int64, theirs.int64Value == integer { return true }
      // Foundation goes by way of a decimal where there are many digits, and loses the last bits.
      guard let ours = value.double else { return false }
      return abs(theirs.doubleValue - ours) <= abs(ours) * 0x1p-48
    case .bool: return theirs as? Bool == value.bool
    case .null: return theirs is NSNull
    case .invalid: return false
    }
  }

  private func write(_ value: JSONValue, to writer: inout JSONWriter) {
    switch value.kind {
    case .object:
      writer.object {
        for member in value.members {
          $0.name(escaping: member.name)
          write(member.value, to: &$0)
        }
      }
    case .array: writer.array { for element in value.elements { write(element, to: &$0) } }
    case .string: writer.value(value.string ?? "")
    case .number:
      if let integer = value.int64 {
        writer.value(integer)
      } else {
        writer.value(value.double ?? 0)
      }
    case .bool: writer.value(value.bool ?? false)
    case .null, .invalid: writer.null()
    }
  }

  private func holdsInvalid(_ value: JSONValue) -> Bool {
    value.kind == .invalid || value.elements.contains(where: holdsInvalid)
      || value.members.contains { holdsInvalid($0.value) }
  }
}
