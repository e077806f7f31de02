import Geo
import Positioning
import TestSupport
import Testing

/// Coordinates come out as exact as they were written, or not at all.
struct NMEACoordinateTests {
  private func decode(_ latitude: String, _ longitude: String) -> [Decoded] {
    NMEADecoder.decodeAll(["GPRMC,120000,A,\(latitude),\(longitude),1.0,90.0,150625"])
  }

  struct Written: Sendable {
    var latitude: String
    var longitude: String
    var north: Double
    var east: Double
    init(_ latitude: String, _ longitude: String, _ north: Double, _ east: Double) {
      (self.latitude, self.longitude, self.north, self.east) = (latitude, longitude, north, east)
    }
  }

  @Test(arguments: [
    Written("4428.9949512,N", "01321.7979123,E", 44.48324918666667, 13.363298538333333),
    Written("4812.34,N", "1622.11,E", 48.20566666666667, 16.3685),
    Written("4426.291992,N", "159.931976,W", 44.4381998666666667, -1.99886626666666667),
    Written("0.001,N", "0.000,E", 0.0000166666666666667, 0),
    Written("9000.000,S", "18000.000,W", -90, -180),
    Written("9000.000,N", "18000.000,E", 90, -180),
    Written("4812.,N", "00022,E", 48.2, 0.366666666666667),
    Written("0059.99999999999,N", "17959.99999999999999,W", 1, -180),
    Written("000000048.0,N", "000000.5,E", 0.8, 0.00833333333333333),
  ])
  func `minutes are the two digits before the point`(written: Written) throws {
    let coordinate = try #require(
      decode(written.latitude, written.longitude).fixes.first?.coordinate)
    #expect(abs(coordinate.latitude - written.north) <= 2e-13)
    #expect(abs(coordinate.longitude - written.east) <= 2e-13)
  }

  @Test(arguments: [
    ("36000.0000,N", "72000.0000,E", Dropped.Reason.invalidFix, "latitude 36000.0000"),
    ("9000.0001,N", "00000.0000,E", .invalidFix, "latitude 9000.0001"),
    ("4800.0000,N", "18000.0001,E", .invalidFix, "longitude 18000.0001"),
    ("8960.0000,N", "00000.0000,E", .invalidFix, "latitude 8960.0000"),
    ("4800.0000,N", "01660.0000,E", .invalidFix, "longitude 01660.0000"),
    ("3403.130,N", "-11814.617,E", .malformed, "longitude -11814.617"),
    ("-3403.130,N", "11814.617,E", .malformed, "latitude -3403.130"),
    ("+3403.130,N", "11814.617,E", .malformed, "latitude +3403.130"),
    ("3403.130,X", "11814.617,E", .malformed, "N or S X"),
    ("3403.130,", "11814.617,E", .malformed, "N or S "),
    ("3403.130,N", "11814.617,", .malformed, "E or W "),
    ("3403.130,n", "11814.617,E", .malformed, "N or S n"),
    (",N", "11814.617,E", .malformed, "latitude "),
    ("3403.1.3,N", "1.0,E", .malformed, "latitude 3403.1.3"),
    ("34 3.1,N", "1.0,E", .malformed, "latitude 34 3.1"),
    ("nan,N", "1.0,E", .malformed, "latitude nan"),
    ("3403.13e1,N", "1.0,E", .malformed, "latitude 3403.13e1"),
    (".5,N", "1.0,E", .malformed, "latitude .5"),
    ("99999999999999999999999999,N", "1.0,E", .malformed, "latitude 999999999999999999999999"),
  ])
  func `what is no coordinate is named`(
    latitude: String, longitude: String, reason: Dropped.Reason, detail: String
  ) {
    let output = decode(latitude, longitude)
    #expect(output.fixes.isEmpty && output.noFixes.isEmpty)
    #expect(output.reasons == [reason])
    #expect(output.drops.first?.detail == detail)
  }

  @Test func `a void sentence's coordinate is not looked at`() {
    let output = NMEADecoder.decodeAll([
      "GPRMC,000416.984,V,36000.0000,N,72000.0000,E,0.0,,260125,,"
    ])
    #expect(output.drops.isEmpty && output.noFixes.count == 1)
  }

  @Test func `exactly 0, 0 is no position, one digit beside it is`() {
    #expect(decode("0000.0000,N", "00000.0000,E").noFixes.count == 1)
    #expect(decode("0000.0000,S", "00000.0000,W").fixes.isEmpty)
    #expect(decode("0000.0001,N", "00000.0000,E").fixes.count == 1)
    #expect(decode("0000.0000,N", "00000.0001,W").fixes.count == 1)
  }

  @Test func `any coordinate of seven decimals is the nearest double`() {
    var random = SeededGenerator(seed: 5)
    for _ in 0..<2000 {
      let units = Int.random(in: 0...5_400_000_000_0, using: &random)
      let minutes = units % 600_000_000
      let text =
        "\(pad(units / 600_000_000, 2))\(pad(minutes / 10_000_000, 2)).\(pad(minutes % 10_000_000, 7))"
      // Nearest to the true quotient, which fits into a double's 53 bits above and below the line.
      #expect(
        decode("\(text),N", "01622.11,E").fixes.first?.coordinate.latitude == Double(units) / 6e8)
    }
  }

  private func pad(_ value: Int, _ digits: Int) -> String {
    String(repeating: "0", count: max(0, digits - "\(value)".count)) + "\(value)"
  }

  @Test(
    arguments: [
      ("00176", 176.0), ("-0028", -28), ("-30.40", -30.4), ("0.0", 0), ("1133.4", 1133.4),
      ("", nil),
      ("x", nil), ("-", nil), (".", nil), ("1.2.3", nil), (".5", 0.5), ("5.", 5),
      ("0.1000000000000000000000000001", 0.1), ("1e5", nil),
    ] as [(String, Double?)])
  func `altitude is above the sea, as written`(field: String, altitude: Double?) {
    let fixes = NMEADecoder.decodeAll(["GPGGA,120000,4812.3,N,01622.1,E,1,06,2.1,\(field),M,,,,"])
      .fixes
    #expect(fixes.map(\.altitude?.meters) == [altitude])
  }
}
