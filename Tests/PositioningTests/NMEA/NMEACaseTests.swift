import Foundation
import Geo
import Positioning
import TestSupport
import Testing

/// The cases from the field, each with the number of fixes that its input holds.
@Suite(.enabled(if: SharedFiles.areThere, "needs the shared cases"))
struct NMEACaseTests {
  @Test func `each case gives its fixes, and no other`() throws {
    let cases = try sharedLines("cases/nmea.jsonl")
    #expect(cases.count == 39)
    for entry in cases {
      let id = try #require(entry["id"] as? String)
      let lines = try #require(entry["lines"] as? [String])
      // Where the number depends on a policy, it is that of the defaults.
      let expected = entry["fixes"] as? Int ?? ["C3": 1, "F5": 2][id]
      let output = NMEADecoder.decodeAll(try NMEACaseTests.bytes(lines))
      #expect(output.fixes.count == expected, "\(id): \(output)")
    }
  }

  /// `@CR` first: lines end with CR alone; `@HEX`: raw bytes; all else ends with CR LF.
  private static func bytes(_ lines: [String]) throws -> [UInt8] {
    let end = lines.first == "@CR" ? "\r" : "\r\n"
    return try lines.filter { $0 != "@CR" }.flatMap { line -> [UInt8] in
      guard line.hasPrefix("@HEX ") else { return (line + end).bytes }
      let digits = Array(line.dropFirst(5))
      return try stride(from: 0, to: digits.count, by: 2).map {
        try #require(UInt8(String(digits[$0...($0 + 1)]), radix: 16))
      }
    }
  }
}
