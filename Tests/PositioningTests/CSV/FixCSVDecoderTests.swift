import Geo
import Positioning
import TestSupport
import Testing

struct FixCSVDecoderTests {
  private func decode(_ text: String) -> [Decoded] { decodeAll(FixCSVDecoder(), text) }

  @Test func `Doorstep's own columns are read`() {
    let decoded = decode(
      """
      subject,time,lat,lng,accuracyMeters,speedMetersPerSecond,courseDegrees,altitudeMeters,source,simulated
      D1,2026-03-02T08:58:41.000Z,48.001619,11.0,8,1.4,180,512.3,gps,false
      "D ""2"", b",2026-03-02T09:58:41+01:00,-48.001619,-11,,,,,,true

      """)
    #expect(
      decoded == [
        .fix(
          DecodedFix(
            subject: SubjectID("D1"),
            fix: Fix(
              coordinate: Coordinate(latitude: 48.001619, longitude: 11)!,
              time: Timestamp(millisecondsSince1970: 1_772_441_921_000), accuracy: .meters(8),
              speed: .metersPerSecond(1.4), course: Bearing(degrees: 180),
              altitude: .meters(512.3), source: .gps))),
        .fix(
          DecodedFix(
            subject: SubjectID("D \"2\", b"),
            fix: Fix(
              coordinate: Coordinate(latitude: -48.001619, longitude: -11)!,
              time: Timestamp(millisecondsSince1970: 1_772_441_921_000), isSimulated: true))),
      ])
  }

  @Test(arguments: [
    "time,lat,lng", "Timestamp,Latitude,Longitude", "datetime,LAT,LON", "epoch,lat,long",
    "\"time\",\"lat\",\"lng\"", "timestamp_utc,Latitude (deg),Longitude (deg)", "﻿time,lat,lon",
    "# made by a logger\n\n Time , Lat , Lon ",
  ])
  func `usual names are known, in any case`(_ header: String) {
    let decoded = decode(header + "\n1687453740,1.5,2.5\n")
    #expect(
      decoded.decodedFixes.map(\.fix.coordinate) == [Coordinate(latitude: 1.5, longitude: 2.5)])
    #expect(decoded.count == 1)
  }

  @Test func `seconds, milliseconds and zoned texts of one instant are equal`() {
    let decoded = decode(
      """
      time,lat,lng
      1687453740,1,2
      1687453740000,1,2
      2023-06-22T17:09:00Z,1,2
      2023-06-22T19:09:00+02:00,1,2
      2023/06/22 17:09:00Z,1,2
      """)
    #expect(decoded.decodedFixes.count == 5)
    #expect(Set(decoded.decodedFixes.map(\.fix.time)).count == 1)
  }

  @Test func `numbers above 1e11 are milliseconds, and the column's name is stronger`() {
    func time(_ header: String, _ text: String) -> Int64? {
      decode("\(header),lat,lng\n\(text),1,2").decodedFixes.first?.fix.time.millisecondsSince1970
    }
    #expect(time("time", "100000000000") == 100_000_000_000_000)
    #expect(time("time", "100000000001") == 100_000_000_001)
    #expect(time("epochMs", "1000") == 1000)
    #expect(time("timestamp_ms", "1687453740123") == 1_687_453_740_123)
    #expect(time("epochSeconds", "1687453740.1234") == 1_687_453_740_123)
  }

  @Test func `a time without a zone is refused unless the header says UTC`() {
    let local = decode("time,lat,lng\n2023-06-22T17:09:00,1,2")
    #expect(
      local.drops == [
        Dropped(
          reason: .invalidFix, position: InputPosition(byteOffset: 13, line: 2, column: 1),
          detail: "time_zone_missing")
      ])
    #expect(decode("time_utc,lat,lng\n2023-06-22 17:09:00,1,2").decodedFixes.count == 1)
    #expect(decode("date,lat,lng\n2023-06-22 17:09:00,1,2").drops.count == 1)
    #expect(
      decode("date,time,lat,lng\n2023/06/22,17:09:00.25,1,2").decodedFixes.map(
        \.fix.time.description)
        == ["2023-06-22T17:09:00.250Z"])
  }

  struct BadRow: CustomTestStringConvertible {
    let row: String
    let detail: String
    var reason = Dropped.Reason.invalidFix
    var column = 1
    var testDescription: String { row }
  }

  @Test(arguments: [
    BadRow(row: ",1,2,3", detail: "", reason: .timeMissing),
    BadRow(row: "noon,1,2,3", detail: "time_malformed"),
    BadRow(row: "5,,2,3", detail: "lat_missing", column: 3),
    BadRow(row: "5,,,", detail: "lat_missing, lng_missing", column: 3),
    BadRow(row: "5", detail: "lat_missing, lng_missing"),
    BadRow(row: "5,NaN,2,3", detail: "lat_not_a_number", column: 3),
    BadRow(row: "5,1e999,-Infinity,3", detail: "lat_not_a_number, lng_not_a_number", column: 3),
    BadRow(row: "5,\"48,0001\",\"11,0001\",3", detail: "decimal_comma, decimal_comma", column: 3),
    BadRow(
      row: "5,48,0001,11,0001,3", detail: "6 fields where the header has 4",
      reason: .malformed, column: 14),
    BadRow(row: "5,1,2,-3", detail: "accuracy_negative -3.0", column: 7),
    BadRow(row: "5,1,2,\"3,5\"", detail: "decimal_comma", column: 7),
    BadRow(
      row: "5,95.5123,-191.2693,3",
      detail: "lat_out_of_range 95.5123, lng_out_of_range -191.2693", column: 3),
    BadRow(row: "5,139.7,35.6,3", detail: "lat_out_of_range 139.7, looks_swapped", column: 3),
  ])
  func `every wrong field is named with its place`(_ bad: BadRow) {
    let decoded = decode("time,lat,lng,accuracy\n\(bad.row)\n6,1,2,3\n")
    #expect(decoded.decodedFixes.count == 1)
    #expect(decoded.drops.map(\.reason) == [bad.reason])
    #expect(decoded.drops.map(\.detail) == [bad.detail])
    #expect(decoded.drops.map(\.position.line) == [2])
    #expect(decoded.drops.map(\.position.column) == [bad.column])
  }

  @Test func `semicolons and tabs separate where the header has them`() {
    #expect(decode("time;lat;lng\n5;1.5;2.5").decodedFixes.count == 1)
    #expect(decode("time\tlat\tlng\n5\t1.5\t2.5").decodedFixes.count == 1)
    #expect(
      decode("time;lat;lng\n5;48,0001;11,0001").drops.map(\.detail)
        == ["decimal_comma, decimal_comma"])
  }

  @Test(arguments: ["\n", "\r\n", "\r"])
  func `every line end counts as one line`(_ end: String) {
    let lines = ["time,lat,lng,note", "5,1,2,\"a\(end)b\"", "", "6,95,200,", "7,1,2,x", ""]
    let decoded = decode(lines.joined(separator: end))
    #expect(decoded.decodedFixes.count == 2)
    #expect(decoded.drops.map(\.position.line) == [5])
  }

  @Test func `hemisphere letters give the sign, and a second sign is refused`() {
    let header = "time,latitude,N/S,longitude,E/W\n"
    func coordinate(_ row: String) -> Coordinate? {
      decode(header + row).decodedFixes.first?.fix.coordinate
    }
    #expect(coordinate("5,1.5,S,2.5,W") == Coordinate(latitude: -1.5, longitude: -2.5))
    #expect(coordinate("5,1.5,n,2.5,e") == Coordinate(latitude: 1.5, longitude: 2.5))
    #expect(coordinate("5,-1.5,S,2.5,E") == nil)
    #expect(coordinate("5,1.5,X,2.5,E") == nil)
  }

  @Test func `the unit of a speed is in its name`() {
    func speed(_ header: String, _ value: String) -> Double? {
      decode("time,lat,lng,\(header)\n5,1,2,\(value)").decodedFixes.first?.fix.speed?
        .metersPerSecond
    }
    #expect(speed("speed", "3.5") == 3.5)
    #expect(abs(speed("speed_kmh", "36")! - 10) < 1e-12)
    #expect(abs(speed("speed_knots", "1")! - 1852.0 / 3600) < 1e-12)
    #expect(speed("speed", "X.138") == nil)
  }

  @Test func `a name is a subject only where nothing else is and rows are no waypoints`() {
    #expect(decode("name,time,lat,lng\nAda,5,1,2").decodedFixes.first?.subject?.rawValue == "Ada")
    #expect(
      decode("name,subject,time,lat,lng\nAda,D1,5,1,2").decodedFixes.first?.subject?.rawValue
        == "D1")
    #expect(
      decode("name,date,time,lat,lng\nAda,2020-01-02,03:04:05,1,2").decodedFixes.first?.subject
        == nil)
  }

  @Test func `a header without a position or a time ends the reading with one reason`() {
    #expect(
      decode("a,b\n1,2\n3,4").drops.map(\.detail)
        == ["the header has no columns for latitude and longitude"])
    #expect(decode("\n\nlat,lng\n1,2\n3,4").drops.map(\.position.line) == [3])
    #expect(decode("").drops.map(\.detail) == ["there is no header"])
    #expect(decode("lat,lng").drops.map(\.detail) == ["the header has no column for the time"])
  }

  @Test func `too long a record is passed over up to its line end`() {
    let long = String(repeating: "x", count: 70_000)
    let decoded = decode("time,lat,lng,note\n5,1,2,\(long)\n6,1,2,\n")
    #expect(decoded.decodedFixes.count == 1)
    #expect(decoded.drops.map(\.reason) == [.lineTooLong])
    #expect(decoded.drops.map(\.position.line) == [2])
  }

  @Test func `a quote that is never closed is named`() {
    let decoded = decode("time,lat,lng,note\n5,1,2,\"x\n6,1,2,\n")
    #expect(decoded.decodedFixes.isEmpty)
    #expect(decoded.drops.map(\.reason) == [.truncated])
    #expect(decoded.drops.map(\.position.column) == [7])
  }

  @Test func `the chunking does not show`() {
    let text = "\u{feff}# c\r\ntime;lat;lng;note\r\n5;1;2;\"a\r\n\"\"b\"\r\n6;95;1;\r\r\n7;1;2;é"
    let whole = decode(text)
    #expect(whole.decodedFixes.count == 2)
    for pieces in 1...9 {
      #expect(decodeAll(FixCSVDecoder(), text, pieces: pieces) == whole)
    }
  }

  @Test func `damage never crashes, invents a number, or shows the chunking`() {
    let text = """
      subject;time;lat;N/S;lng;E/W;hdop;speed;simulated
      "D;1";2026-03-02T08:58:41.000Z;48.001619;N;11.0;E;1.2;1.4;false
      D1;1687453740;1.25;S;0.5;W;;;1
      """
    var random = SeededGenerator(seed: 21)
    for round in 0..<(isLong ? 50_000 : 1000) {
      let input = damaged(Array(text.utf8), using: &random)
      let (whole, inPieces) = decodeInRandomPieces(
        { FixCSVDecoder() }, input, longest: 20, seed: UInt64(round))
      #expect(whole.areSane)
      #expect(whole == inPieces)
    }
  }
}
