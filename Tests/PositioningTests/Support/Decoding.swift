import Foundation
import Geo
import JSON
import Positioning
import TestSupport
import Testing

/// Everything that a decoder makes of bytes, given to it in pieces of so many bytes, or at once.
func decodeAll<D: FixDecoder>(
  _ decoder: D, _ bytes: [UInt8], pieces: Int? = nil
) -> [Decoded] {
  var decoder = decoder
  var output: [Decoded] = []
  var start = 0
  while start < bytes.count {
    let end = min(bytes.count, start + (pieces ?? bytes.count))
    bytes[start..<end].withUnsafeBytes { decoder.decode($0, into: &output) }
    start = end
  }
  decoder.finish(into: &output)
  return output
}

func decodeAll<D: FixDecoder>(_ decoder: D, _ text: String, pieces: Int? = nil) -> [Decoded] {
  decodeAll(decoder, Array(text.utf8), pieces: pieces)
}

extension [Decoded] {
  /// Whether every number in them is one.
  var areSane: Bool { allSatisfy { $0.isSane } }
}

/// Decodes the same bytes whole and in pieces of random length, and returns both results.
func decodeInRandomPieces<D: FixDecoder>(
  _ make: () -> D, _ bytes: [UInt8], longest: Int, seed: UInt64
) -> (whole: [Decoded], inPieces: [Decoded]) {
  var random = SeededGenerator(seed: seed)
  var decoder = make()
  var output: [Decoded] = []
  var start = 0
  while start < bytes.count {
    let end = Swift.min(bytes.count, start + Int.random(in: 1...longest, using: &random))
    bytes[start..<end].withUnsafeBytes { decoder.decode($0, into: &output) }
    start = end
  }
  decoder.finish(into: &output)
  return (decodeAll(make(), bytes), output)
}

extension Decoded {
  /// Whether every number in it is one.
  var isSane: Bool {
    guard case .fix(let decoded) = self else { return true }
    let fix = decoded.fix
    let numbers = [
      fix.accuracy?.meters, fix.speed?.metersPerSecond, fix.course?.degrees, fix.altitude?.meters,
    ]
    return abs(fix.coordinate.latitude) <= 90 && abs(fix.coordinate.longitude) <= 180
      && numbers.allSatisfy { $0?.isFinite ?? true } && fix.accuracy?.meters ?? 1 > 0
  }
}

/// The bytes with one to five random damages: a byte changed, a run removed, repeated, or inserted.
func damaged(_ bytes: [UInt8], using random: inout SeededGenerator) -> [UInt8] {
  var bytes = bytes
  for _ in 0..<Int.random(in: 1...5, using: &random) where !bytes.isEmpty {
    let index = Int.random(in: 0..<bytes.count, using: &random)
    let end = Swift.min(bytes.count, index + Int.random(in: 1...40, using: &random))
    switch Int.random(in: 0..<5, using: &random) {
    case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
    case 1: bytes.removeSubrange(index..<end)
    case 2: bytes.insert(contentsOf: bytes[index..<end], at: index)
    case 3: bytes[index] = Array("\"<>&;,{}[]:0-9.e\n\r".utf8).randomElement(using: &random)!
    default: bytes.removeSubrange(index...)
    }
  }
  return bytes
}

/// A file of the shared recordings.
func recording(_ name: String) throws -> [UInt8] {
  let path = try #require(SharedFiles.path("traces/\(name)"))
  return Array(try Data(contentsOf: URL(filePath: path)))
}

/// The lines of a file of answers beside a recording.
func answers(_ name: String) throws -> [JSONValue] {
  try recording(name).split(separator: UInt8(ascii: "\n")).map { line in
    var parser = JSONParser()
    return try parser.parse(Array(line))
  }
}

/// Whether the long versions of the randomized tests were asked for.
let isLong = ProcessInfo.processInfo.environment["DOORSTEP_LONG_TESTS"] == "1"
