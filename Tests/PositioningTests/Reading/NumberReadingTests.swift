import TestSupport
import Testing

@testable import Positioning

struct NumberReadingTests {
  private func read(_ text: String) -> NumberReading { NumberReading(Array(text.utf8).span) }

  @Test func `any decimal is rounded as the standard library rounds it`() {
    var random = SeededGenerator(seed: 40)
    for _ in 0..<5000 {
      let digits = (0..<Int.random(in: 1...25, using: &random)).map { _ in
        String(Int.random(in: 0...9, using: &random))
      }.joined()
      let point = Int.random(in: 0...digits.count, using: &random)
      let mantissa = "\(digits.prefix(point)).\(digits.dropFirst(point))"
      let exponent = ["", "e3", "E-7", "e+25", "e-300"].randomElement(using: &random)!
      let sign = ["", "-", "+"].randomElement(using: &random)!
      let text = sign + mantissa + exponent
      #expect(read(text) == Double(text).map { .value($0) }, "\(text)")
    }
  }

  @Test(arguments: ["", " ", "\t\r\n"])
  func `blanks are no number`(_ text: String) { #expect(read(text) == .missing) }

  @Test(arguments: [
    "nan", "inf", "-Infinity", "0x10", "1e", "e5", ".", "-", "+-1", "1 2", "1.2.3", "1e999", "1,",
    ",5", "1,2,3", "1.5,2", "٣", "1_000", String(repeating: "1", count: 101),
  ])
  func `what only looks like a number is none`(_ text: String) {
    #expect(read(text) == .notANumber)
  }

  @Test(arguments: ["48,0001", "-1,5", " 0,1 "])
  func `a decimal comma is told apart`(_ text: String) { #expect(read(text) == .decimalComma) }

  @Test func `what is written reads back equal, in as few digits as any`() {
    var random = SeededGenerator(seed: 41)
    for _ in 0..<5000 {
      let value = Double.random(in: -180...180, using: &random)
      let places = [1.0, 10, 1e5, 1e7, 1e9, 1e12].randomElement(using: &random)!
      let number = Bool.random(using: &random) ? value : (value * places).rounded() / places
      var bytes: [UInt8] = []
      bytes.append(decimal: number)
      let text = String(decoding: bytes, as: UTF8.self)
      #expect(Double(text) == number)
      let library = number.description
      let shortest = library.hasSuffix(".0") ? library.dropLast(2) : library[...]
      if !library.contains("e") { #expect(text.count <= shortest.count, "\(text) \(library)") }
    }
    var bytes: [UInt8] = []
    bytes.append(decimal: -0.05)
    bytes.append(decimal: 0)
    bytes.append(decimal: 1200)
    #expect(String(decoding: bytes, as: UTF8.self) == "-0.0501200")
  }
}
