import JSON
import TestSupport
import Testing

@Suite struct JSONWriterTests {
  @Test func `members are written in the order of the calls with commas between`() {
    var line = JSONWriter()
    line.object {
      $0.member("event", "entered")
      $0.member("initial", false)
      $0.member("cause", String?.none)
      $0.member("lat", 48.0)
      $0.member("distanceMeters", 12.3)
      $0.member("count", 3)
      $0.name("empty")
      $0.array { _ in }
      $0.name("path")
      $0.array {
        $0.value(1)
        $0.array { $0.value(-2.5) }
        $0.object { $0.member("last {", "[") }
        $0.null()
      }
    }
    line.endLine()
    line.object { _ in }
    line.endLine()
    #expect(
      line.text == """
        {"event":"entered","initial":false,"cause":null,"lat":48,"distanceMeters":12.3,"count":3,\
        "empty":[],"path":[1,[-2.5],{"last {":"["},null]}
        {}

        """)
  }

  @Test(arguments: [
    (0.0, "0"), (-0.0, "-0"), (11.0, "11"), (48.001619, "48.001619"), (-0.5, "-0.5"),
    (0.0000001, "0.0000001"), (0.00000001, "1e-08"), (1e15, "1e+15"), (1e16, "1e+16"),
    (99_999_999.9999999, "99999999.9999999"), (100_000_000.0, "100000000"),
    (0.1 + 0.2, "0.30000000000000004"),
    (1.0 / 3, "0.3333333333333333"), (Double.leastNonzeroMagnitude, "5e-324"), (.infinity, "null"),
    (.nan, "null"),
    (123_456_789_012.0, "123456789012"),
  ])
  func `numbers are as short as can be`(_ value: Double, _ text: String) {
    var writer = JSONWriter()
    writer.value(value)
    #expect(writer.text == (text == "1e+15" ? "1000000000000000" : text))
  }

  @Test func `every number reads back as itself and none is longer than Swift writes it`() throws {
    var random = SeededGenerator(seed: 4)
    var parser = JSONParser()
    for round in 0..<TestSizes.count(20_000) {
      let value =
        switch round % 4 {
        case 0: Double(bitPattern: random.next())
        case 1: Double.random(in: -180...180, using: &random)
        case 2: (Double.random(in: -180...180, using: &random) * 1e7).rounded() / 1e7
        default: (Double.random(in: -1e5...1e5, using: &random) * 10).rounded() / 10
        }
      guard value.isFinite else { continue }
      var writer = JSONWriter()
      writer.value(value)
      #expect(try parser.parse(writer.bytes).double?.bitPattern == value.bitPattern)
      #expect(Double(writer.text)?.bitPattern == value.bitPattern)
      // 0.00001 is longer than 1e-05, and plainer.
      #expect(writer.bytes.count <= max(value.description.utf8.count, 10), "\(writer.text)")
    }
  }

  @Test func `integers of every size are written`() {
    var writer = JSONWriter()
    writer.array {
      $0.value(Int.min)
      $0.value(Int.max)
      $0.value(UInt64.max)
      $0.value(UInt8.zero)
    }
    #expect(writer.text == "[\(Int.min),\(Int.max),\(UInt64.max),0]")
  }

  @Test func `strings are escaped where they must be`() throws {
    var all = String.UnicodeScalarView((0..<0x300).compactMap { Unicode.Scalar(UInt32($0)) })
    all.append(contentsOf: "😀\u{2028}".unicodeScalars)
    let text = String(all)
    var writer = JSONWriter()
    writer.value(text)
    var parser = JSONParser()
    #expect(try parser.parse(writer.bytes).string == text)
    writer.removeAll()
    writer.value("a\"b\\c\n\r\t\u{1f}\u{7f}/é")
    #expect(writer.text == #""a\"b\\c\n\r\t\u001f"# + "\u{7f}/é\"")
  }
}
