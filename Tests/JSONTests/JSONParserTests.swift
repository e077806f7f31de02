import Foundation
import TestSupport
import Testing

@testable import JSON

@Suite struct JSONParserTests {
  @Test func `a document is read with its order, kinds and positions`() throws {
    var parser = JSONParser()
    let root = try parser.parse(
      "{\"lat\": 48.001619, \"n\": null,\n \"a\": [1, [], {\"b\": true}, \"x\\u00e9\"], \"\": -0}")
    #expect(root.kind == .object)
    #expect(root.members.map(\.name) == ["lat", "n", "a", ""])
    #expect(root["lat"]?.double == 48.001619)
    #expect(root["lat"]?.int64 == nil)
    #expect(root["n"]?.isNull == true)
    #expect(root["absent"] == nil)
    #expect(root.member(named: "lat")?.double == 48.001619)
    let array = try #require(root["a"])
    #expect(array.elements.count == 4)
    #expect(array.elements.map(\.kind) == [.number, .array, .object, .string])
    #expect(array.elements.first?.int64 == 1)
    #expect(array.elements.dropFirst(2).first?["b"]?.bool == true)
    #expect(array.elements.dropFirst(3).first?.string == "xé")
    #expect(array.position.line == 2)
    #expect(array.position.column == 7)
    #expect(root[""]?.double?.sign == .minus)
    #expect(root[""]?.int64 == 0)
    #expect(root["lat"]?["deeper"] == nil)
    #expect(root["lat"]?.elements.isEmpty == true)
  }

  @Test func `a value keeps its document while the parser goes on`() throws {
    var parser = JSONParser()
    let first = try parser.parse(#"{"a":"first"}"#)
    let name = try #require(first["a"])
    for round in 0..<100 {
      let other = try parser.parse("[\(round), \"other\"]")
      #expect(other.elements.first?.int64 == Int64(round))
    }
    var copy = parser
    let second = try copy.parse("[2]")
    let third = try parser.parse("[3]")
    #expect(name.string == "first")
    #expect(second.elements.first?.int64 == 2)
    #expect(third.elements.first?.int64 == 3)
  }

  @Test(arguments: [
    "1", "-1.5e3", "\"x\"", "true", "false", "null", " [ ] ", "{}\r\n", "\u{feff}7",
  ])
  func `any value is a document`(_ text: String) throws {
    var parser = JSONParser()
    let root = try parser.parse(text)
    #expect(root.kind != .invalid)
  }

  struct Bad: CustomTestStringConvertible {
    let text: [UInt8]
    let problem: JSONSyntaxError.Problem
    let line: Int
    let column: Int
    init(_ text: String, _ problem: JSONSyntaxError.Problem, _ line: Int, _ column: Int) {
      self.init(bytes: Array(text.utf8), problem, line, column)
    }
    init(bytes: [UInt8], _ problem: JSONSyntaxError.Problem, _ line: Int, _ column: Int) {
      text = bytes
      self.problem = problem
      self.line = line
      self.column = column
    }
    var testDescription: String { String(decoding: text.prefix(40), as: UTF8.self) }
  }

  @Test(arguments: [
    Bad("", .empty, 1, 1),
    Bad(" \n ", .empty, 2, 2),
    Bad("]", .unexpected("]"), 1, 1),
    Bad("}", .unexpected("}"), 1, 1),
    Bad(",", .unexpected(","), 1, 1),
    Bad("[1,]", .unexpected("]"), 1, 4),
    Bad("[,1]", .unexpected(","), 1, 2),
    Bad("[1 2]", .unexpected("2"), 1, 4),
    Bad("[1}", .unexpected("}"), 1, 3),
    Bad("[}", .unexpected("}"), 1, 2),
    Bad("{\"a\":1,}", .unexpected("}"), 1, 8),
    Bad("{\"a\" 1}", .unexpected("1"), 1, 6),
    Bad("{\"a\":}", .unexpected("}"), 1, 6),
    Bad("{\"a\"::1}", .unexpected(":"), 1, 6),
    Bad("{,}", .unexpected(","), 1, 2),
    Bad("{a:1}", .unexpected("a"), 1, 2),
    Bad("{1:1}", .unexpected("1"), 1, 2),
    Bad("{\"a\":1\n \"b\":2}", .unexpected("\""), 2, 2),
    Bad("{\"a\":1]", .unexpected("]"), 1, 7),
    Bad("\"é\" x", .trailing, 1, 5),
    Bad("1 2", .trailing, 1, 3),
    Bad("1,2", .trailing, 1, 2),
    Bad("1]", .trailing, 1, 2),
    Bad("[1]]", .trailing, 1, 4),
    Bad("{}{}", .trailing, 1, 3),
    Bad("[1],[2]", .trailing, 1, 4),
    Bad("{\"a\":1} x", .trailing, 1, 9),
    Bad("{} ,", .trailing, 1, 4),
    Bad("[", .unclosed, 1, 2),
    Bad("[1", .unclosed, 1, 3),
    Bad("[1,", .unclosed, 1, 4),
    Bad("[[1]", .unclosed, 1, 5),
    Bad("{", .unclosed, 1, 2),
    Bad("{\"a\"", .unclosed, 1, 5),
    Bad("{\"a\":", .unclosed, 1, 6),
    Bad("{\"a\":1", .unclosed, 1, 7),
    Bad("{\"a\":{}", .unclosed, 1, 8),
    Bad("{\"a\":[1", .unclosed, 1, 8),
    Bad("[\"abc]", .unclosedString, 1, 2),
    Bad("\"abc\\\"", .unclosedString, 1, 1),
    Bad("[\"a\tb\"]", .controlCharacter(9), 1, 4),
    Bad("[\"a\nb\"]", .controlCharacter(10), 1, 4),
    Bad("[\"a\u{0}b\"]", .controlCharacter(0), 1, 4),
    Bad(#"["\x"]"#, .invalidEscape, 1, 2),
    Bad(#"["\u12G4"]"#, .invalidEscape, 1, 2),
    Bad(#"["\ud800"]"#, .invalidEscape, 1, 2),
    Bad(#"["\ud800A"]"#, .invalidEscape, 1, 2),
    Bad(#"["\udc00"]"#, .invalidEscape, 1, 2),
    Bad(#"{"\u1":1}"#, .invalidEscape, 1, 2),
    Bad(#"{"a":1,"b":{"a":2},"a":3}"#, .duplicateName("a"), 1, 20),
    Bad(#"{"é":1,"\u00e9":2}"#, .duplicateName(#"\u00e9"#), 1, 8),
    Bad(#"{"":1,"":2}"#, .duplicateName(""), 1, 7),
    Bad(bytes: [0x22, 0xff, 0x22], .invalidUTF8, 1, 2),
    Bad(bytes: [0x22, 0xc3, 0xa9, 0xed, 0xa0, 0x80, 0x22], .invalidUTF8, 1, 3),
    Bad(bytes: [0x5b, 0x22, 0xc0, 0x80, 0x22, 0x5d], .invalidUTF8, 1, 3),
    Bad(bytes: [0x22, 0xe2, 0x82, 0x22], .invalidUTF8, 1, 2),
  ])
  func `what is no document is refused with its place`(_ bad: Bad) throws {
    var parser = JSONParser()
    let error = #expect(throws: JSONSyntaxError.self) { try parser.parse(bad.text) }
    #expect(error?.problem == bad.problem)
    #expect(error?.line == bad.line)
    #expect(error?.column == bad.column)
    // The parser is as good as new.
    #expect(try parser.parse("[1]").elements.count == 1)
  }

  @Test(arguments: [
    "NaN", "nan", "Infinity", "-Infinity", "1e999", "-1e999", "01", "-01", "00", "1.", ".5", "+1",
    "-", "1e", "1e+", "0x10", "True", "TRUE", "nul", "nulll", "truee", "1_000", "'a'", "undefined",
    "1a", "--1", "48°", "1.2.3", "\\", "a\"b\"", "1\"b\"", "\u{0}",
  ])
  func `a value that is none is named where the structure is whole`(_ text: String) throws {
    var parser = JSONParser()
    let root = try parser.parse("{\"a\":[1],\"lat\": \(text) ,\"lng\":11}")
    let lat = try #require(root["lat"])
    #expect(lat.kind == .invalid)
    #expect(lat.invalidText == text)
    #expect(lat.double == nil && lat.int64 == nil && lat.string == nil && lat.bool == nil)
    #expect(!lat.isNull)
    #expect(lat.byteOffset == 16)
    #expect(root["lng"]?.double == 11)
    #expect(try parser.parse("[\(text)]").elements.first?.kind == .invalid)
    #expect(try parser.parse(text).invalidText == text)
  }

  @Test func `containers may be 64 deep and no more`() throws {
    var parser = JSONParser()
    func nest(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    #expect(try parser.parse(nest(64)).kind == .array)
    let error = #expect(throws: JSONSyntaxError.self) { try parser.parse(nest(65)) }
    #expect(error?.problem == .tooDeep(limit: 64))
    #expect(error?.byteOffset == 64)
    #expect(throws: JSONSyntaxError.self) {
      try parser.parse(String(repeating: "[", count: 1_000_000))
    }
    #expect(throws: JSONSyntaxError.self) {
      try parser.parse(String(repeating: "{\"a\":", count: 100_000))
    }
  }

  @Test(arguments: [2, 31, 32, 33, 34, 1000])
  func `a duplicate name is found in objects of any size`(_ count: Int) throws {
    var parser = JSONParser()
    let members = (0..<count).map { "\"name\($0)\":[\($0)]" }
    let whole = try parser.parse("{\(members.joined(separator: ","))}")
    #expect(whole.members.count == count)
    #expect(whole.member(named: "name\(count - 1)")?.elements.first?.int64 == Int64(count - 1))
    for repeated in Set([0, count / 2, count - 1]) {
      let text = "{\(members.joined(separator: ",")),\"name\(repeated)\":0}"
      let error = #expect(throws: JSONSyntaxError.self) { try parser.parse(text) }
      #expect(error?.problem == .duplicateName("name\(repeated)"))
    }
  }

  @Test(arguments: [
    (#""\ud83d\ude00""#, "😀"), (#""\u0041\u00e9\u20ac""#, "Aé€"),
    (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{c}\n\r\t"),
    (#""\u0000""#, "\u{0}"), ("\"😀é\u{2028}\"", "😀é\u{2028}"), ("\"\u{7f}\"", "\u{7f}"),
  ])
  func `strings are unescaped`(_ text: String, _ expected: String) throws {
    var parser = JSONParser()
    let value = try parser.parse(text)
    #expect(value.string == expected)
    #expect(value.withStringBytes { $0.elementsEqual(expected.utf8) } == true)
  }
}
