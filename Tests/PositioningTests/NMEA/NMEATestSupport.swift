import Foundation
import Geo
import Positioning
import TestSupport
import Testing

/// 2026-01-01T00:00:00Z, for recordings that give no date.
let newYear2026 = Timestamp(millisecondsSince1970: 1_767_225_600_000)

extension NMEADecoder {
  /// Everything that some bytes give, in one go.
  static func decodeAll(
    _ bytes: [UInt8], mode: Mode = .recorded(reference: newYear2026),
    settings: Settings = Settings()
  ) -> [Decoded] {
    var decoder = NMEADecoder(mode: mode, settings: settings)
    var output: [Decoded] = []
    bytes.withUnsafeBytes { decoder.decode($0, into: &output) }
    decoder.finish(into: &output)
    return output
  }

  /// The same of sentences given without their `$` and checksum.
  static func decodeAll(
    _ bodies: [String], mode: Mode = .recorded(reference: newYear2026),
    settings: Settings = Settings()
  ) -> [Decoded] {
    decodeAll(bodies.map(sentence).joined().bytes, mode: mode, settings: settings)
  }

  mutating func decode(_ text: String, at now: Timestamp? = nil) -> [Decoded] {
    var output: [Decoded] = []
    text.bytes.withUnsafeBytes { bytes in
      if let now {
        decode(bytes, receivedAt: now, into: &output)
      } else {
        decode(bytes, into: &output)
      }
    }
    return output
  }

  mutating func flush() -> [Decoded] {
    var output: [Decoded] = []
    flush(into: &output)
    return output
  }
}

extension String {
  var bytes: [UInt8] { Array(utf8) }
}

extension [Decoded] {
  var decodedFixes: [DecodedFix] {
    compactMap { if case .fix(let fix) = $0 { fix } else { nil } }
  }
  var fixes: [Fix] { decodedFixes.map(\.fix) }
  var drops: [Dropped] {
    compactMap { if case .dropped(let dropped) = $0 { dropped } else { nil } }
  }
  var reasons: [Dropped.Reason] { drops.map(\.reason) }
  var noFixes: [NoFix] {
    compactMap { if case .noFix(let noFix) = $0 { noFix } else { nil } }
  }
}

/// The sentence with its `$`, its checksum and its line end.
func sentence(_ body: String) -> String { bareSentence(body) + "\r\n" }

/// The sentence with its `$` and its checksum.
func bareSentence(_ body: String) -> String {
  let checksum = body.utf8.reduce(0, ^)
  let digits = String(checksum, radix: 16, uppercase: true)
  return "$\(body)*\(digits.count == 1 ? "0" : "")\(digits)"
}

func rmc(_ time: String, date: String = "150625", talker: String = "GN") -> String {
  "\(talker)RMC,\(time),A,4812.34567,N,01622.11111,E,1.20,90.0,\(date),,,A"
}

func gga(_ time: String, talker: String = "GN", latitude: String = "4812.34567") -> String {
  "\(talker)GGA,\(time),\(latitude),N,01622.11111,E,1,09,0.90,180.1,M,43.0,M,,"
}

func timestamp(_ text: String) -> Timestamp {
  try! Timestamp(iso8601: text)
}

/// The bytes of a shared file.
func sharedBytes(_ name: String) throws -> [UInt8] {
  let path = try #require(SharedFiles.path(name))
  return Array(try Data(contentsOf: URL(filePath: path)))
}

/// The objects of a shared file of JSON lines.
func sharedLines(_ name: String) throws -> [[String: Any]] {
  try sharedBytes(name).split(separator: 0x0a).map { line in
    try #require(JSONSerialization.jsonObject(with: Data(line)) as? [String: Any])
  }
}

/// The names of the shared files of a folder with one of these extensions.
func sharedNames(in folder: String, extensions: Set<String>) -> [String] {
  guard let path = SharedFiles.path(folder) else { return [] }
  let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
  return names.filter { extensions.contains(URL(filePath: $0).pathExtension) }.sorted()
    .map { "\(folder)/\($0)" }
}
