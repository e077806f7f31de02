import Geo
import JSON
import Positioning
import TestSupport
import Testing

/// Every recorded stream of gpsd against the fixes that are in it.
@Suite(.enabled(if: SharedFiles.areThere, "needs the shared recordings"))
struct GPSDRecordingTests {
  static let names = [
    "GPSmap-76S.gpsd327", "ais-nmea.gpsd327", "ais.gpsd322", "bu353-glonass.gpsd322",
    "bu353-glonass.gpsd327", "quectel.gpsd322", "quectelLC79D-1.gpsd327", "skytraq-dgps.gpsd327",
    "telit-pls83-w.gpsd322", "telit-pls83-w.gpsd327", "two-receivers.gpsd322",
    "ublox-m9n.gpsd322", "ublox-neo-m9n-nmea.gpsd327",
  ]

  @Test(arguments: names)
  func `every epoch with a position and a time is one fix, device by device`(
    _ name: String
  ) throws {
    let decoded = decodeAll(GPSDJSONDecoder(), try recording("gpsd-json/\(name).jsonl"))
    let answers = try answers("gpsd-json/\(name).fixes.jsonl")
    #expect(!answers.isEmpty)
    let devices = Set(answers.map { $0["device"]?.string })
    for device in devices {
      let subject = device.map { SubjectID($0) }
      let expected = answers.filter { $0["device"]?.string == device && $0["time"] != nil }
      let found = decoded.decodedFixes.filter { $0.subject == subject }
      #expect(found.count == expected.count)
      for (decoded, answer) in zip(found, expected) {
        let fix = decoded.fix
        #expect(fix.time.description == answer["time"]?.string)
        #expect(fix.coordinate.latitude == answer["lat"]?.double)
        #expect(fix.coordinate.longitude == answer["lon"]?.double)
        #expect(fix.altitude?.meters == answer["altMSL"]?.double)
        #expect(fix.speed?.metersPerSecond == answer["speed"]?.double)
        #expect(fix.course?.degrees == (answer["track"]?.double).map { $0 == 360 ? 0 : $0 })
        #expect(fix.isSimulated == (answer["status"]?.double == 8))
        #expect(decoded.timeOrigin == .reported)
      }
    }
    let reasons = Set(decoded.drops.map(\.reason))
    #expect(reasons.isSubset(of: [.timeMissing, .noFix]))
  }

  struct Untimed: CustomTestStringConvertible {
    let name: String
    let count: Int
    var testDescription: String { name }
  }

  @Test(arguments: [
    Untimed(name: "GPSmap-76S.gpsd327", count: 2), Untimed(name: "quectel.gpsd322", count: 2),
    Untimed(name: "skytraq-dgps.gpsd327", count: 4),
    Untimed(name: "telit-pls83-w.gpsd322", count: 1),
    Untimed(name: "telit-pls83-w.gpsd327", count: 2),
    Untimed(name: "ublox-m9n.gpsd322", count: 0),
  ])
  func `reports without time are counted`(_ stream: Untimed) throws {
    let decoded = decodeAll(GPSDJSONDecoder(), try recording("gpsd-json/\(stream.name).jsonl"))
    #expect(decoded.drops.count { $0.reason == .timeMissing } == stream.count)
  }

  @Test func `GST of the epoch gives the accuracy`() throws {
    let decoded = decodeAll(
      GPSDJSONDecoder(), try recording("gpsd-json/ublox-neo-m9n-nmea.gpsd327.jsonl"))
    var sigmas: [String: (Double, Double)] = [:]
    for record in try answers("gpsd-json/ublox-neo-m9n-nmea.gpsd327.jsonl")
    where record["class"]?.string == "GST" {
      sigmas[record["time"]!.string!] = (record["lat"]!.double!, record["lon"]!.double!)
    }
    #expect(sigmas.count == 61)
    for fix in decoded.decodedFixes.map(\.fix) {
      let (latitude, longitude) = try #require(sigmas[fix.time.description])
      let expected = 1.51 * ((latitude * latitude + longitude * longitude) / 2).squareRoot()
      #expect(abs(fix.accuracy!.meters - expected) < 1e-9)
    }
  }

  @Test(arguments: [
    "quectelLC79D-1.gpsd327", "ais.gpsd322", "telit-pls83-w.gpsd322",
    "quectel.gpsd322", "ais-nmea.gpsd327",
  ])
  func `without GST the accuracy is 5 m times the HDOP of the receiver's own sentences`(
    _ name: String
  ) throws {
    let decoded = decodeAll(GPSDJSONDecoder(), try recording("gpsd-json/\(name).jsonl"))
    let log = name.split(separator: ".")[0] == "ais" ? "ais-nmea" : name.split(separator: ".")[0]
    var hdops: [Substring: Double] = [:]
    for epoch in try answers("nmea/\(log).epochs.jsonl") {
      if let time = epoch["time"]?.string { hdops[time[...]] = epoch["hdop"]?.double }
    }
    var others = 0
    for fix in decoded.decodedFixes.map(\.fix) {
      let hdop = try #require(hdops[fix.time.description.dropFirst(11).dropLast()])
      if abs(fix.accuracy!.meters - hdop * 5) > 1e-9 { others += 1 }
    }
    #expect(!decoded.decodedFixes.isEmpty)
    // Where it changes, gpsd may still have the value of the sentence or epoch before.
    #expect(others * 20 <= decoded.decodedFixes.count)
  }

  @Test func `the chunking of a recording does not show`() throws {
    let bytes = try recording("gpsd-json/two-receivers.gpsd322.jsonl")
    for (longest, seed) in [(5, 1), (700, 2), (40_000, 3)] as [(Int, UInt64)] {
      let (whole, inPieces) = decodeInRandomPieces(
        { GPSDJSONDecoder() }, bytes, longest: longest, seed: seed)
      #expect(whole == inPieces)
    }
  }

  @Test func `damage never crashes or invents a number`() throws {
    let bytes = Array(try recording("gpsd-json/telit-pls83-w.gpsd322.jsonl").prefix(6000))
    var random = SeededGenerator(seed: 23)
    for round in 0..<(isLong ? 20_000 : 300) {
      let input = damaged(bytes, using: &random)
      let (whole, inPieces) = decodeInRandomPieces(
        { GPSDJSONDecoder() }, input, longest: 2000, seed: UInt64(round))
      #expect(whole.areSane)
      #expect(whole == inPieces)
    }
  }
}
