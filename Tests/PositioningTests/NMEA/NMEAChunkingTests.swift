import Positioning
import TestSupport
import Testing

/// The chunking of the input never shows.
@Suite(.enabled(if: SharedFiles.areThere, "needs the shared recordings"))
struct NMEAChunkingTests {
  static let traces = [
    "nmea/gp-320fw-2019-04-07-coldboot.log", "nmea/ublox-zed-f9t-ubx_nmea_l5.log",
    "nmea/android-pixel6.nmea", "nmea/telit-pls83-w.log", "nmea/pynmeagps-mixed.log",
    "nmea/ac12_binary.log", "nmea/nl402u.log", "synthetic/tag-block.nmea",
    "synthetic/cut-and-glued.nmea", "synthetic/checksum-missing.nmea",
    "not-nmea/rtcm3.bndm.log", "gpl2-gpsbabel/nmea-utf16.nmea", "nmea/rgm3800.log",
  ]

  @Test(arguments: traces)
  func `any split gives what the whole gives`(name: String) throws {
    let bytes = Array(try sharedBytes("traces/\(name)").prefix(12_000))
    var random = SeededGenerator(seed: 1)
    for mode in [NMEADecoder.Mode.recorded(reference: newYear2026), .live] {
      let whole = NMEADecoder.decodeAll(bytes, mode: mode)
      #expect(!whole.isEmpty)
      #expect(NMEAChunkingTests.decode(bytes, mode: mode) { 1 } == whole)
      #expect(NMEAChunkingTests.decode(bytes, mode: mode) { 7 } == whole)
      for largest in [3, 100, 1500] {
        let output = NMEAChunkingTests.decode(bytes, mode: mode) {
          Int.random(in: 0...largest, using: &random)
        }
        #expect(output == whole, "chunks of up to \(largest)")
      }
    }
  }

  @Test func `lines without end are split alike`() {
    let endless = [UInt8](repeating: UInt8(ascii: "A"), count: 5000)
    let bytes =
      "$GPTXT,".bytes + endless + sentence(rmc("120000")).bytes + endless + "$GPRMC".bytes
      + endless.prefix(1017) + "*$GPRMC*4".bytes
    let whole = NMEADecoder.decodeAll(bytes)
    #expect(whole.fixes.count == 1)
    let mode = NMEADecoder.Mode.recorded(reference: newYear2026)
    for size in [1, 2, 1023, 1024, 1025] {
      #expect(NMEAChunkingTests.decode(bytes, mode: mode) { size } == whole)
    }
  }

  static func decode(
    _ bytes: [UInt8], mode: NMEADecoder.Mode, chunkSize: () -> Int
  ) -> [Decoded] {
    var decoder = NMEADecoder(mode: mode)
    var output: [Decoded] = []
    var start = 0
    while start < bytes.count {
      let end = min(bytes.count, start + chunkSize())
      bytes[start..<end].withUnsafeBytes { decoder.decode($0, into: &output) }
      start = end
    }
    decoder.finish(into: &output)
    return output
  }
}
