import Foundation
import JSON
import TestSupport
import Testing

@Suite struct JSONNumberTests {
  @Test func `numbers are bit for bit those of strtod`() throws {
    var random = SeededGenerator(seed: 1)
    var parser = JSONParser()
    var texts = [
      "0", "-0", "-0.0", "0e5", "1E5", "1e-400", "4.9e-324", "2.4703282292062327e-324",
      "2.4703282292062328e-324", "2.2250738585072011e-308", "1.7976931348623157e308",
      "9007199254740993", "9007199254740993.0", "9223372036854775807", "9223372036854775808",
      "-9223372036854775808", "-9223372036854775809", "18446744073709551615",
      "18446744073709551616", "123456789012345678901234567890", "0.1", "1e22", "1e23",
      "7.2057594037927933e+16", "8.5e-324", "0.000000000000000000000000000000000000000001",
    ]
    for _ in 0..<TestSizes.count(20_000) {
      let any = Double(bitPattern: random.next())
      if any.isFinite { texts.append("\(any)") }
      texts.append("\(Double.random(in: -180...180, using: &random))")
      texts.append("\((Double.random(in: -1e9...1e9, using: &random)).rounded() / 1e7)")
      let digits = (0..<Int.random(in: 1...40, using: &random)).map { _ in
        "\(Int.random(in: 1...9, using: &random))"
      }
      texts.append(digits.joined() + "." + digits.reversed().joined())
      texts.append("-" + digits.joined() + "e\(Int.random(in: -360...270, using: &random))")
    }
    for text in texts {
      let value = try parser.parse("[\(text)]").elements.first
      let expected = try #require(strtod(text))
      if expected.isFinite {
        #expect(value?.double?.bitPattern == expected.bitPattern, "\(text)")
      } else {
        #expect(value?.kind == .invalid, "\(text)")
      }
    }
  }

  private func strtod(_ text: String) -> Double? { text.withCString { Foundation.strtod($0, nil) } }

  @Test(
    arguments: [
      ("1687453740000", 1_687_453_740_000), ("-7", -7), ("5.0", 5), ("1e3", 1000), ("0.5", nil),
      ("9223372036854775807", Int64.max), ("-9223372036854775808", Int64.min),
      ("9223372036854775808", nil), ("9007199254740992.0", 9_007_199_254_740_992),
      ("1e300", nil), ("-0.0", 0), ("\"1\"", nil),
    ] as [(String, Int64?)])
  func `whole numbers that fit are integers`(_ text: String, _ expected: Int64?) throws {
    var parser = JSONParser()
    #expect(try parser.parse(text).int64 == expected)
  }
}

enum TestSizes {
  static func count(_ count: Int) -> Int {
    ProcessInfo.processInfo.environment["DOORSTEP_LONG_TESTS"] == "1" ? count * 50 : count
  }
}
