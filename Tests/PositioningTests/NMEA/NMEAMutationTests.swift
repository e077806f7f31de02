import Foundation
import Geo
import Positioning
import TestSupport
import Testing

/// Damage gives fewer fixes and named reasons, never a fix that no whole sentence tells of.
@Suite(.enabled(if: SharedFiles.areThere, "needs the shared recordings"))
struct NMEAMutationTests {
  static let rounds =
    ProcessInfo.processInfo.environment["DOORSTEP_LONG_TESTS"] == "1" ? 2000 : 12

  @Test(arguments: [
    "nmea/gr8013-w.log", "nmea/rst39.log", "nmea/telit-pls83-w.log", "nmea/magellan315.log",
    "nmea/android-pixel6.nmea", "synthetic/midnight-newyear.nmea", "nmea/skytraq-dgps.log",
  ])
  func `a fix of a damaged log is in one of its whole sentences`(name: String) throws {
    let original = Array(try sharedBytes("traces/\(name)").prefix(4000))
    var random = SeededGenerator(seed: 7)
    let settings = NMEADecoder.Settings(requiresChecksum: true)
    for _ in 0..<NMEAMutationTests.rounds {
      let damaged = NMEAMutationTests.damage(original, using: &random)
      let positions = PlainReader.positions(in: damaged)
      for fix in NMEADecoder.decodeAll(damaged, settings: settings).fixes {
        #expect(fix.coordinate.latitude.isFinite && fix.coordinate.longitude.isFinite)
        #expect(fix.speed?.metersPerSecond.isFinite ?? true)
        #expect(fix.altitude?.meters.isFinite ?? true)
        #expect(
          positions.contains {
            abs($0.latitude - fix.coordinate.latitude) <= 1e-9
              && abs($0.longitude - fix.coordinate.longitude) <= 1e-9
          }, "\(fix)")
      }
    }
  }

  @Test func `any bytes at all give no fix`() {
    var random = SeededGenerator(seed: 3)
    for _ in 0..<200 {
      let bytes = (0..<500).map { _ in UInt8.random(in: 0...255, using: &random) }
      #expect(NMEADecoder.decodeAll(bytes).fixes.isEmpty)
    }
  }

  @Test func `any characters of a sentence give no fix without its checksum`() {
    var random = SeededGenerator(seed: 4)
    let characters = "$!*,.0123456789ANSEWRMCGPLV\r\n-".bytes
    for _ in 0..<200 {
      let noise = (0..<400).map { _ in characters.randomElement(using: &random) ?? 0 }
      let output = NMEADecoder.decodeAll(sentence("GPTXT,1").bytes + noise)
      #expect(output.fixes.isEmpty)
    }
  }

  /// Some bytes changed, some runs removed, doubled or moved.
  private static func damage(
    _ original: [UInt8], using random: inout SeededGenerator
  ) -> [UInt8] {
    var bytes = original
    for _ in 0..<Int.random(in: 1...30, using: &random) {
      let index = Int.random(in: 0..<bytes.count, using: &random)
      let run = index..<min(bytes.count, index + Int.random(in: 1...90, using: &random))
      switch Int.random(in: 0..<6, using: &random) {
      case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
      case 1: bytes[index] = "$*,.0123456789\r\n".bytes.randomElement(using: &random) ?? 0
      case 2: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      case 3: bytes.removeSubrange(run)
      case 4:
        bytes.insert(contentsOf: bytes[run], at: Int.random(in: 0..<bytes.count, using: &random))
      default: bytes.replaceSubrange(run, with: repeatElement(0, count: run.count))
      }
      if bytes.count < 200 { return bytes }
    }
    return bytes
  }
}

/// Reads positions of whole sentences in the plainest way: a checksum, a split at commas, a division.
private enum PlainReader {
  static func positions(in bytes: [UInt8]) -> [(latitude: Double, longitude: Double)] {
    bytes.split(separator: UInt8(ascii: "$")).compactMap { part in
      guard let star = part.firstIndex(of: UInt8(ascii: "*")), star + 2 < part.endIndex,
        let stated = UInt8(
          String(decoding: part[(star + 1)...(star + 2)], as: UTF8.self), radix: 16),
        part[..<star].reduce(0, ^) == stated
      else { return nil }
      let fields = String(decoding: part[..<star], as: UTF8.self)
        .split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      let first = ["RMC": 3, "GGA": 2, "GNS": 2, "GLL": 1][String(fields[0].suffix(3))]
      guard let first, fields.count > first + 3 else { return nil }
      guard let latitude = degrees(fields[first], negative: fields[first + 1] == "S"),
        let longitude = degrees(fields[first + 2], negative: fields[first + 3] == "W")
      else { return nil }
      return (latitude, longitude)
    }
  }

  private static func degrees(_ text: String, negative: Bool) -> Double? {
    guard let value = Double(text) else { return nil }
    let degrees = (value / 100).rounded(.down)
    let result = degrees + (value - degrees * 100) / 60
    return negative ? -result : result
  }
}
