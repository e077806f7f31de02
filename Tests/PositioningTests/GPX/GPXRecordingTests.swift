import Geo
import JSON
import Positioning
import TestSupport
import Testing

/// Every recorded GPX file against the points that an independent reader found in it.
@Suite(.enabled(if: SharedFiles.areThere, "needs the shared recordings"))
struct GPXRecordingTests {
  static let names = [
    "gpx/korita-zbevnica", "gpx/cerknicko-jezero", "gpx/cerknicko-without-times",
    "gpx/mojstrovka", "gpx/empty-segment", "gpx/zoned-times", "gpx/speed-no-namespace",
    "gpx/all-fields-1.1", "gpx/walk-tokyo-7h", "gpx/opentracks-timezone",
    "gpl2-gpsbabel/cycle-edge800", "gpl2-gpsbabel/drive-ontario-4h7",
    "gpl2-gpsbabel/walk-princeton",
  ]

  @Test(arguments: names)
  func `every timed point is a fix and every other is dropped for its time`(_ name: String) throws {
    let decoded = decodeAll(GPXDecoder(), try recording("\(name).gpx"))
    let points = try answers("\(name).points.jsonl")
    let timed = points.filter { $0["time"]?.string != nil }
    #expect(!points.isEmpty)
    #expect(decoded.decodedFixes.count == timed.count)
    #expect(decoded.drops.count == points.count - timed.count)
    #expect(decoded.drops.allSatisfy { $0.reason == .timeMissing && $0.position.line > 1 })
    #expect(decoded.noFixes.isEmpty)
    for (fix, point) in zip(decoded.decodedFixes.map(\.fix), timed) {
      #expect(fix.coordinate.latitude == point["lat"]?.double)
      #expect(fix.coordinate.longitude == point["lon"]?.double)
      #expect(fix.time.description == point["time"]?.string)
      #expect(fix.altitude?.meters == point["ele"]?.double)
      #expect(fix.speed?.metersPerSecond == point["speed"]?.double)
      #expect(fix.course?.degrees == point["course"]?.double)
      #expect(fix.accuracy?.meters == (point["hdop"]?.double).map { $0 * 5 })
    }
  }

  @Test func `the chunking of a recording does not show`() throws {
    let bytes = try recording("gpx/cerknicko-jezero.gpx")
    for (longest, seed) in [(7, 1), (997, 2), (40_000, 3)] as [(Int, UInt64)] {
      let (whole, inPieces) = decodeInRandomPieces(
        { GPXDecoder() }, bytes, longest: longest, seed: seed)
      #expect(whole == inPieces)
      #expect(whole.decodedFixes.count == 296)
    }
  }

  @Test func `damage never crashes, invents a number, or shows the chunking`() throws {
    var bytes = try recording("gpx/all-fields-1.1.gpx")
    bytes += try recording("gpx/zoned-times.gpx").prefix(300)
    var random = SeededGenerator(seed: 20)
    for round in 0..<(isLong ? 20_000 : 300) {
      let input = damaged(bytes, using: &random)
      let (whole, inPieces) = decodeInRandomPieces(
        { GPXDecoder() }, input, longest: 3000, seed: UInt64(round))
      #expect(whole.areSane)
      #expect(whole == inPieces)
      #expect(
        whole.count { if case .dropped(let it) = $0 { it.reason == .malformed } else { false } }
          <= 1)
    }
  }
}
