import Geo
import Positioning
import Testing

struct GPXDecoderTests {
  private func decode(_ text: String) -> [Decoded] { decodeAll(GPXDecoder(), text) }

  private func decode(points: String) -> [Decoded] {
    decode("<gpx><trk><trkseg>\(points)</trkseg></trk></gpx>")
  }

  private func fix(_ inside: String) -> Fix? {
    decode(
      points: "<trkpt lat=\"48\" lon=\"11\"><time>2026-03-02T08:00:00Z</time>\(inside)</trkpt>"
    )
    .fixes.first
  }

  struct Time: CustomTestStringConvertible {
    let text: String
    let instant: String?
    var testDescription: String { text }
  }

  @Test(arguments: [
    Time(text: "2026-04-26T18:22:27+02:00", instant: "2026-04-26T16:22:27.000Z"),
    Time(text: "2026-04-26T18:22:27.5-01:30", instant: "2026-04-26T19:52:27.500Z"),
    Time(text: "2026-04-26T18:22:27.9996Z", instant: "2026-04-26T18:22:28.000Z"),
    Time(text: "  2026-04-26T18:22:27Z \n", instant: "2026-04-26T18:22:27.000Z"),
    Time(text: "2026-04-26T24:00:00Z", instant: "2026-04-27T00:00:00.000Z"),
    Time(text: "2026-04-26T18:22:27", instant: "2026-04-26T18:22:27.000Z"),
    Time(text: "<![CDATA[2026-04-26T18:22:27Z]]>", instant: "2026-04-26T18:22:27.000Z"),
    Time(text: "2026-04-26T18:22:2&#55;Z", instant: "2026-04-26T18:22:27.000Z"),
    Time(text: "2026-04-31T18:22:27Z", instant: nil),
    Time(text: "yesterday", instant: nil),
    Time(text: String(repeating: "2026-04-26T18:22:27Z ", count: 20), instant: nil),
  ])
  func `a time is an xsd:dateTime, in UTC without a zone`(_ time: Time) {
    let decoded = decode(
      points: "<trkpt lat=\"48\" lon=\"11\"><time>\(time.text)</time></trkpt>")
    #expect(decoded.decodedFixes.first?.fix.time.description == time.instant)
    if time.instant == nil {
      #expect(decoded.drops.map(\.reason) == [.invalidFix])
      #expect(decoded.drops.first?.detail == "time_malformed")
    }
  }

  @Test func `a point without time is dropped with the place of its tag`() {
    let decoded = decode("<gpx>\n<trk><trkseg>\n  <trkpt lat='1' lon='2'/>\n</trkseg></trk></gpx>")
    #expect(
      decoded == [
        .dropped(
          Dropped(
            reason: .timeMissing, position: InputPosition(byteOffset: 22, line: 3, column: 3)))
      ])
  }

  struct BadPoint: CustomTestStringConvertible {
    let attributes: String
    let names: String
    var testDescription: String { attributes }
  }

  @Test(arguments: [
    BadPoint(attributes: "lon='1'", names: "lat_missing"),
    BadPoint(attributes: "lat='' lon='1'", names: "lat_missing"),
    BadPoint(attributes: "", names: "lat_missing, lng_missing"),
    BadPoint(attributes: "lat='north' lon='1'", names: "lat_not_a_number"),
    BadPoint(attributes: "lat='NaN' lon='inf'", names: "lat_not_a_number, lng_not_a_number"),
    BadPoint(attributes: "lat='1e999' lon='0x10'", names: "lat_not_a_number, lng_not_a_number"),
    BadPoint(attributes: "lat='48,0001' lon='11,5'", names: "decimal_comma, decimal_comma"),
    BadPoint(
      attributes: "lat='95.5123' lon='-191.2693'",
      names: "lat_out_of_range 95.5123, lng_out_of_range -191.2693"),
    BadPoint(
      attributes: "lat='90.0000001' lon='1'",
      names: "lat_out_of_range 90.0000001, looks_swapped"),
    BadPoint(attributes: "lat='1' lon='180.0000001'", names: "lng_out_of_range 180.0000001"),
  ])
  func `every wrong coordinate is named`(_ point: BadPoint) {
    let decoded = decode(
      points: "<trkpt \(point.attributes)><time>2026-03-02T08:00:00Z</time></trkpt>")
    #expect(decoded.drops.map(\.detail) == [point.names])
    #expect(decoded.drops.map(\.reason) == [.invalidFix])
    #expect(decoded.decodedFixes.isEmpty)
  }

  @Test func `the edges of the ranges are legal, and both antimeridians are one`() {
    let time = "<time>2026-03-02T08:00:00Z</time>"
    let decoded = decode(
      points: "<trkpt lat='90' lon='180'>\(time)</trkpt><trkpt lat='-90' lon='-180'>\(time)</trkpt>"
    )
    #expect(decoded.decodedFixes.map(\.fix.coordinate.longitude) == [-180, -180])
  }

  @Test(arguments: ["", "gpx:", "x-1:"])
  func `local names count, in any namespace or none`(_ prefix: String) {
    let text = """
      <\(prefix)gpx xmlns:gpx="http://www.topografix.com/GPX/1/1"><\(prefix)trk><\(prefix)trkseg>
      <\(prefix)trkpt lat="48.2" lon="16.4"><\(prefix)ele>171.5</\(prefix)ele>
      <\(prefix)time>2026-03-02T08:00:00Z</\(prefix)time></\(prefix)trkpt>
      </\(prefix)trkseg></\(prefix)trk></\(prefix)gpx>
      """
    let fix = decode(text).decodedFixes.first?.fix
    #expect(fix?.coordinate == Coordinate(latitude: 48.2, longitude: 16.4))
    #expect(fix?.altitude == .meters(171.5))
  }

  @Test func `speed and course stand in the point or in its extensions`() {
    let inPoint = fix("<course>270.5</course><speed>1.5</speed>")
    #expect(inPoint?.speed == .metersPerSecond(1.5))
    #expect(inPoint?.course == Bearing(degrees: 270.5))
    let inExtensions = fix(
      """
      <extensions><gpxtpx:TrackPointExtension xmlns:gpxtpx="urn:x"><gpxtpx:speed>2.5</gpxtpx:speed>
      <gpxtpx:course>10</gpxtpx:course></gpxtpx:TrackPointExtension></extensions>
      """)
    #expect(inExtensions?.speed == .metersPerSecond(2.5))
    #expect(inExtensions?.course == Bearing(degrees: 10))
    #expect(fix("<speed>-1</speed><course>-1</course>")?.speed == nil)
    #expect(fix("<speed>-1</speed><course>-1</course>")?.course == nil)
    #expect(fix("<link><speed>3</speed></link>")?.speed == nil)
  }

  @Test func `accuracy is in meters, and HDOP is its stand-in`() {
    #expect(fix("")?.accuracy == nil)
    #expect(fix("<hdop>1.5</hdop>")?.accuracy == .meters(7.5))
    #expect(fix("<hdop>0</hdop>")?.accuracy == nil)
    #expect(
      fix("<hdop>1.5</hdop><extensions><accuracy>12</accuracy></extensions>")?.accuracy
        == .meters(12))
    #expect(fix("<extensions><accuracy>0</accuracy></extensions>")?.accuracy == nil)
    #expect(fix("<extensions><accuracy>-3</accuracy></extensions>") == nil)
  }

  @Test func `a receiver's own range error replaces the usual one`() {
    let text =
      "<gpx><trkpt lat='1' lon='2'><time>2026-03-02T08:00:00Z</time><hdop>2</hdop></trkpt></gpx>"
    let decoded = decodeAll(GPXDecoder(userRangeError: .meters(3)), text)
    #expect(decoded.decodedFixes.first?.fix.accuracy == .meters(6))
  }

  @Test func `the fix element tells whether there is one`() {
    let none = decode(
      points: "<trkpt lat='1' lon='2'><time>2026-03-02T08:00:00Z</time><fix>none</fix></trkpt>")
    #expect(none == [.noFix(NoFix(time: Timestamp(millisecondsSince1970: 1_772_438_400_000)))])
    #expect(fix("<fix>3d</fix>")?.source == .gps)
    #expect(fix("<fix>dgps</fix>")?.source == .differentialGPS)
    #expect(fix("")?.source == nil)
  }

  @Test func `points of one time keep their order`() {
    let points = (1...5).map {
      "<trkpt lat='\($0)' lon='2'><time>2016-12-16T20:34:50Z</time></trkpt>"
    }
    #expect(decode(points: points.joined()).fixes.map(\.coordinate.latitude) == [1, 2, 3, 4, 5])
  }

  @Test func `routes and waypoints are no part of the trace`() {
    let text = """
      <gpx><wpt lat="1" lon="2"><time>2026-03-02T08:00:00Z</time></wpt>
      <rte><rtept lat="1" lon="2"/></rte></gpx>
      """
    #expect(decode(text).isEmpty)
  }

  @Test func `what stands before malformed XML is kept, and its place is named once`() {
    let decoded = decode(
      """
      <gpx><trk><trkseg><trkpt lat="1" lon="2"><time>2026-03-02T08:00:00Z</time></trkpt>
      <trkpt lat="1" lon="2"><time>2026-03-02T08:00:01Z</tme></trkpt>
      <trkpt lat="1" lon="2"><time>2026-03-02T08:00:02Z</time></trkpt></trkseg></trk></gpx>
      """)
    #expect(decoded.count == 2)
    #expect(decoded.decodedFixes.count == 1)
    #expect(
      decoded.drops == [
        Dropped(
          reason: .malformed, position: InputPosition(byteOffset: 134, line: 2, column: 52),
          detail: "mismatched tag")
      ])
  }

  @Test func `a document that ends early keeps its whole points`() {
    let decoded = decode("<gpx><trkpt lat='1' lon='2'><time>2026-03-02T08:00:00Z</time></trkpt><tr")
    #expect(decoded.decodedFixes.count == 1)
    #expect(decoded.drops.map(\.reason) == [.malformed])
    #expect(decode("").drops.map(\.detail) == ["no element found"])
  }

  @Test func `another kind of document is named`() {
    #expect(
      decode("<kml><Placemark/></kml>").drops.map(\.detail)
        == ["the document is <kml>, not <gpx>"])
    #expect(decode("<html>").drops.map(\.reason) == [.unknownFormat])
  }

  @Test func `a byte order mark and UTF-16 are read`() {
    let text = "<gpx><trkpt lat='1' lon='2'><time>2026-03-02T08:00:00Z</time></trkpt></gpx>"
    #expect(decode("\u{feff}" + text).decodedFixes.count == 1)
    var utf16: [UInt8] = [0xff, 0xfe]
    for unit in text.utf16 { utf16 += [UInt8(unit & 0xff), UInt8(unit >> 8)] }
    #expect(decodeAll(GPXDecoder(), utf16).decodedFixes.count == 1)
    let unknown = decode("<?xml version='1.0' encoding='EBCDIC-7'?>" + text)
    #expect(unknown.drops.map(\.reason) == [.wrongEncoding])
  }
}

/// Documents made to make a reader hold more and more.
struct GPXLimitTests {
  private func decode(_ text: String) -> [Decoded] { decodeAll(GPXDecoder(), text) }

  @Test func `entities that multiply are stopped`() {
    var entities = "<!ENTITY a0 \"0123456789\">"
    for level in 1...12 {
      let references = String(repeating: "&a\(level - 1);", count: 10)
      entities += "<!ENTITY a\(level) \"\(references)\">"
    }
    let decoded = decode("<!DOCTYPE gpx [\(entities)]><gpx>&a12;</gpx>")
    #expect(decoded.drops.map(\.reason) == [.malformed])
    #expect(decoded.drops[0].detail.contains("amplification"))
  }

  @Test func `deep nesting is stopped just past its limit`() {
    func nested(_ depth: Int) -> String {
      String(repeating: "<gpx>", count: depth) + String(repeating: "</gpx>", count: depth)
    }
    #expect(decode(nested(200)).isEmpty)
    #expect(
      decode(nested(201)).drops.map(\.detail) == ["elements nested more than 200 deep"])
  }

  @Test func `a tag of megabytes is stopped`() {
    let decoded = decode("<gpx><!--" + String(repeating: "-x", count: 700_000))
    #expect(decoded.drops.map(\.detail) == ["a tag or comment longer than 1 MiB"])
  }

  @Test func `ever new names are stopped`() {
    var text = "<gpx>"
    for number in 0..<6000 { text += "<n\(number)/>" }
    #expect(decode(text + "</gpx>").drops.map(\.detail) == ["more than 5000 different names"])
  }

  @Test func `a long document type definition is stopped`() {
    var text = "<!DOCTYPE gpx ["
    for number in 0..<6000 { text += "<!ENTITY e\(number) 'x'>" }
    let decoded = decode(text + "]><gpx/>")
    #expect(
      decoded.drops.map(\.detail) == ["a document type definition longer than 64 KiB"])
  }
}
