import Geo
import JSON
import Positioning
import TestSupport
import Testing

/// Recorded files of separated values against what is known of them.
@Suite(.enabled(if: SharedFiles.areThere, "needs the shared recordings"))
struct FixCSVRecordingTests {
  @Test func `unicsv has the positions of the log that it was made of`() throws {
    let decoded = decodeAll(FixCSVDecoder(), try recording("csv/signalk-gps.unicsv.csv"))
    let epochs = try answers("nmea/signalk-gps.epochs.jsonl")
    #expect(epochs.count == 1202)
    #expect(decoded.count == 1202)
    for (decoded, epoch) in zip(decoded.decodedFixes, epochs) {
      let fix = decoded.fix
      #expect(abs(fix.coordinate.latitude - epoch["lat"]!.double!) <= 1e-6)
      #expect(abs(fix.coordinate.longitude - epoch["lon"]!.double!) <= 1e-6)
      #expect(
        fix.time.description == "\(epoch["date"]!.string!)T\(epoch["time"]!.string!)Z")
      #expect(abs(fix.accuracy!.meters - epoch["hdop"]!.double! * 5) < 1e-9)
      // gpsbabel fills in the speed of an epoch that has none.
      if let speed = epoch["speed"]?.double {
        #expect(abs(fix.speed!.metersPerSecond - speed) <= 0.01)
      }
      #expect(fix.source == .gps)
      #expect(decoded.subject == nil)
    }
  }

  @Test func `milliseconds give the times of the track`() throws {
    let decoded = decodeAll(FixCSVDecoder(), try recording("csv/walk-tokyo-7h.epoch-ms.csv"))
    let points = try answers("gpx/walk-tokyo-7h.points.jsonl")
    #expect(points.count == 4142)
    #expect(decoded.count == 4142)
    for (fix, point) in zip(decoded.decodedFixes.map(\.fix), points) {
      #expect(fix.coordinate.latitude == point["lat"]?.double)
      #expect(fix.coordinate.longitude == point["lon"]?.double)
      #expect(fix.time.description == point["time"]?.string)
      #expect(fix.altitude?.meters == point["ele"]?.double)
    }
  }

  @Test func `a logger's rows are read with their hemispheres and kilometers per hour`() throws {
    let decoded = decodeAll(FixCSVDecoder(), try recording("gpl2-gpsbabel/iblue747.csv"))
    #expect(decoded.count == 747)
    let fixes = decoded.decodedFixes.map(\.fix)
    #expect(fixes.count == 747)
    #expect(fixes[0].coordinate == Coordinate(latitude: 51.31177, longitude: 12.413179))
    #expect(fixes[0].time.description == "2005-05-01T10:12:47.000Z")
    #expect(abs(fixes[1].speed!.metersPerSecond - 4.2 / 3.6) < 1e-12)
    #expect(fixes[1].altitude == .meters(146))
    #expect(zip(fixes, fixes.dropFirst()).allSatisfy { $0.time <= $1.time })
    #expect(fixes.allSatisfy { abs($0.coordinate.latitude - 51) < 1 })
  }
}
