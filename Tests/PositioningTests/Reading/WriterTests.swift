import Geo
import JSON
import Positioning
import TestSupport
import Testing

/// What the writers write, and that the readers read it back.
struct WriterTests {
  private let fixes = randomFixes(count: 500, seed: 30)
  private let subject = SubjectID("D \"1\", é\n<&>")

  @Test func `NDJSON has the documented names in their order`() {
    var writer = FixNDJSONWriter()
    let coordinate = Coordinate(latitude: 48.001619, longitude: 11)!
    let time = Timestamp(millisecondsSince1970: 1_772_441_921_000)
    writer.append(
      Fix(
        coordinate: coordinate, time: time, accuracy: .meters(8), speed: .metersPerSecond(1.4),
        course: Bearing(degrees: 180), altitude: .meters(-512.3), source: .gps),
      subject: SubjectID("D1"))
    writer.append(Fix(coordinate: coordinate, time: time, isSimulated: true), subject: nil)
    #expect(
      String(decoding: writer.bytes, as: UTF8.self) == """
        {"subject":"D1","time":"2026-03-02T08:58:41.000Z","lat":48.001619,"lng":11,\
        "accuracyMeters":8,"speedMetersPerSecond":1.4,"courseDegrees":180,\
        "altitudeMeters":-512.3,"source":"gps","simulated":false}
        {"time":"2026-03-02T08:58:41.000Z","lat":48.001619,"lng":11,"simulated":true}

        """)
    writer.removeAll()
    #expect(writer.bytes.isEmpty)
  }

  @Test func `NDJSON reads back equal`() {
    var writer = FixNDJSONWriter()
    for fix in fixes { writer.append(fix, subject: subject) }
    let decoded = decodeAll(FixNDJSONDecoder(), writer.bytes)
    #expect(decoded.decodedFixes.map(\.fix) == fixes)
    #expect(decoded.count == fixes.count)
    #expect(decoded.decodedFixes.allSatisfy { $0.subject == subject })
  }

  @Test func `separated values read back equal`() {
    var writer = FixCSVWriter()
    for fix in fixes { writer.append(fix, subject: subject) }
    let decoded = decodeAll(FixCSVDecoder(), writer.bytes)
    #expect(decoded.decodedFixes.map(\.fix) == fixes)
    #expect(decoded.count == fixes.count)
    #expect(decoded.decodedFixes.allSatisfy { $0.subject == subject })
  }

  @Test func `GPX reads back equal`() {
    var writer = GPXWriter(name: "a <b> & \u{1}\"c\"")
    var bytes: [UInt8] = []
    for (index, fix) in fixes.enumerated() {
      if index == 100 { writer.beginSegment() }
      writer.append(fix)
      bytes += writer.bytes
      writer.removeAll()
    }
    writer.finish()
    bytes += writer.bytes
    let decoded = decodeAll(GPXDecoder(), bytes)
    #expect(decoded.decodedFixes.map(\.fix) == fixes)
    #expect(decoded.count == fixes.count)
    #expect(
      String(decoding: bytes, as: UTF8.self).contains("<name>a &lt;b&gt; &amp; \"c\"</name>"))
  }

  @Test func `an empty GPX is whole`() {
    var writer = GPXWriter(name: "")
    writer.finish()
    #expect(decodeAll(GPXDecoder(), writer.bytes).isEmpty)
  }
}
