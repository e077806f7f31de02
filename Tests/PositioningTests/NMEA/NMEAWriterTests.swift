import Geo
import Positioning
import TestSupport
import Testing

struct NMEAWriterTests {
  @Test func `a fix is written as RMC, GGA and GST`() throws {
    let fix = Fix(
      coordinate: try #require(Coordinate(latitude: -48.2057611666, longitude: 16.3685185)),
      time: timestamp("2025-06-15T12:00:00.250Z"), accuracy: .meters(15.1), speed: .knots(1.2),
      course: Bearing(degrees: 359.999), altitude: .meters(-30.4), source: .differentialGPS)
    var output: [UInt8] = []
    try NMEAWriter().write(fix, to: &output)
    let expected = [
      "GNRMC,120000.250,A,4812.3456700,S,01622.1111100,E,1.200,0.00,150625,,,D",
      "GNGGA,120000.250,4812.3456700,S,01622.1111100,E,2,,,-30.400,M,,M,,",
      "GNGST,120000.250,,,,,10.0000,10.0000,",
    ].map(sentence).joined()
    #expect(String(decoding: output, as: UTF8.self) == expected)
  }

  @Test func `what is written reads back the same`() throws {
    var random = SeededGenerator(seed: 11)
    var fixes: [Fix] = []
    var output: [UInt8] = []
    let first = timestamp("1980-01-06T00:00:00Z").millisecondsSince1970
    let last = timestamp("2079-12-31T23:59:59.999Z").millisecondsSince1970
    let talker: NMEATalker = try #require(NMEATalker("GP"))
    let writer = NMEAWriter(talker: talker)
    for index in 0..<1000 {
      func sometimes<T>(_ value: T) -> T? { Bool.random(using: &random) ? value : nil }
      let corner = index % 10 == 0
      let fix = Fix(
        coordinate: try #require(
          Coordinate(
            latitude: corner ? 89.9999999999 : .random(in: -90...90, using: &random),
            longitude: corner ? -180 : .random(in: -180...180, using: &random))),
        time: Timestamp(millisecondsSince1970: .random(in: first...last, using: &random)),
        accuracy: sometimes(.meters(.random(in: 0.01...5000, using: &random))),
        speed: sometimes(.metersPerSecond(.random(in: 0...300, using: &random))),
        course: sometimes(Bearing(degrees: .random(in: 0..<359.99, using: &random))) ?? nil,
        altitude: sometimes(.meters(.random(in: -400...9000, using: &random))),
        source: [.gps, .differentialGPS, .manual].randomElement(using: &random),
        isSimulated: index % 7 == 0)
      fixes.append(fix)
      try writer.write(fix, to: &output)
    }
    let settings = NMEADecoder.Settings(acceptsSimulated: true)
    let given = NMEADecoder.decodeAll(output, mode: .recorded(reference: nil), settings: settings)
    #expect(given.drops.isEmpty)
    #expect(given.fixes.count == fixes.count)
    for (read, written) in zip(given.fixes, fixes) {
      func isClose(_ a: Double?, _ b: Double?, _ tolerance: Double) -> Bool {
        if let a, let b { abs(a - b) <= tolerance } else { (a == nil) == (b == nil) }
      }
      #expect(read.time == written.time)
      #expect(isClose(read.coordinate.latitude, written.coordinate.latitude, 1e-9))
      #expect(isClose(read.coordinate.longitude, written.coordinate.longitude, 1e-9))
      #expect(isClose(read.accuracy?.meters, written.accuracy?.meters, 1e-4))
      #expect(isClose(read.speed?.metersPerSecond, written.speed?.metersPerSecond, 3e-4))
      #expect(isClose(read.course?.degrees, written.course?.degrees, 0.00501))
      #expect(isClose(read.altitude?.meters, written.altitude?.meters, 0.00051))
      #expect(read.isSimulated == written.isSimulated)
      #expect(read.isSimulated || read.source == written.source)
    }
  }

  @Test func `no sentence is longer than the standard's 82 characters`() throws {
    var output: [UInt8] = []
    let fix = Fix(
      coordinate: try #require(Coordinate(latitude: -89.123456789, longitude: -179.123456789)),
      time: timestamp("2025-12-31T23:59:59.999Z"), accuracy: .meters(12345.678),
      speed: .knots(999.99), course: Bearing(degrees: 359.99), altitude: .meters(-12345.678))
    try NMEAWriter().write(fix, to: &output)
    #expect(output.split(separator: 0x0a).allSatisfy { $0.count < 82 })
  }

  @Test(arguments: ["1979-12-31T23:59:59.999Z", "2080-01-01T00:00:00Z"])
  func `a year that NMEA has no name for is refused, and nothing written`(time: String) throws {
    let coordinate = try #require(Coordinate(latitude: 1, longitude: 1))
    var output: [UInt8] = []
    #expect(throws: NMEAWriter.Problem.self) {
      try NMEAWriter().write(Fix(coordinate: coordinate, time: timestamp(time)), to: &output)
    }
    #expect(output.isEmpty)
  }

  @Test func `a talker is two capitals or digits`() {
    for text in ["GP", "II", "U0"] { #expect(NMEATalker(text) != nil) }
    for text in ["", "G", "GPS", "gp", "P1", "Ä", "G,"] { #expect(NMEATalker(text) == nil) }
  }
}
