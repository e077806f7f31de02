import Geo
import Positioning
import Testing

struct GPSDJSONDecoderTests {
  private func decode(_ lines: String...) -> [Decoded] {
    decodeAll(GPSDJSONDecoder(), lines.joined(separator: "\n"))
  }

  private let noon = Timestamp(millisecondsSince1970: 1_749_988_800_000)

  private func tpv(
    _ second: Int = 0, lat: Double = 48.2, lon: Double = 16.4, device: String = "a",
    more: String = ""
  ) -> String {
    let time = noon.advanced(bySeconds: Double(second))
    return #"{"class":"TPV","device":"\#(device)","mode":3,"time":"\#(time)","#
      + #""lat":\#(lat),"lon":\#(lon)\#(more)}"#
  }

  @Test func `everything but mode, time and position may be missing`() {
    #expect(
      decode(tpv(device: "/dev/ttyACM0")) == [
        .fix(
          DecodedFix(
            subject: SubjectID("/dev/ttyACM0"),
            fix: Fix(
              coordinate: Coordinate(latitude: 48.2, longitude: 16.4)!, time: noon, source: .gps)))
      ])
  }

  @Test func `mode 0 and 1 tell that there is no fix, once for each time`() {
    let lost = #"{"class":"TPV","device":"a","mode":1,"time":"2025-06-15T12:00:05.000Z"}"#
    let decoded = decode(
      #"{"class":"TPV","device":"a","mode":0}"#, #"{"class":"TPV","device":"a","mode":1}"#,
      tpv(), lost, lost, #"{"class":"TPV","device":"a"}"#)
    #expect(decoded.decodedFixes.count == 1)
    #expect(decoded.noFixes.map(\.time) == [nil, noon.advanced(bySeconds: 5), nil])
    guard case .noFix = decoded[0], case .fix = decoded[1] else {
      Issue.record("the fix belongs between the two")
      return
    }
  }

  @Test func `a mode without coordinates is no fix and loses none`() {
    let decoded = decode(tpv(), #"{"class":"TPV","device":"a","mode":3,"eph":20}"#)
    #expect(decoded.decodedFixes.count == 1)
    #expect(decoded.drops.map(\.reason) == [.noFix])
  }

  @Test func `exactly 0, 0 is no fix, and an error estimate of 0 is unknown`() {
    let decoded = decode(
      tpv(lat: 0, lon: 0, more: #","epx":0.0,"epy":0.0,"eph":0.0"#),
      tpv(1, lat: 0, lon: 0.00001, more: #","eph":0.0"#))
    #expect(decoded.noFixes.map(\.time) == [noon])
    #expect(decoded.decodedFixes.map(\.fix.accuracy) == [nil])
  }

  @Test func `status is no fix of its own, but tells its kind`() {
    func fix(_ status: Int) -> Fix? {
      decode(tpv(more: ",\"status\":\(status)")).decodedFixes.first?.fix
    }
    #expect(fix(1)?.source == .gps)
    #expect(fix(2)?.source == .differentialGPS)
    #expect(fix(4)?.source == .differentialGPS)
    #expect(fix(8)?.isSimulated == true)
    #expect(fix(7)?.isSimulated == false)
  }

  @Test func `several reports of one device and time are one fix, the last`() {
    let decoded = decode(
      tpv(), tpv(more: #","speed":0.1"#), tpv(1), tpv(1, more: #","speed":0.2,"track":90"#))
    #expect(decoded.count == 2)
    #expect(decoded.decodedFixes.map(\.fix.speed?.metersPerSecond) == [0.1, 0.2])
  }

  @Test func `devices are kept apart`() {
    let decoded = decode(
      tpv(lat: 50, device: "a"), tpv(lat: 52, device: "b"), tpv(lat: 50.1, device: "a"),
      tpv(1, lat: 50, device: "a"), tpv(1, lat: 52, device: "b"))
    #expect(
      decoded.decodedFixes.map { "\($0.subject!) \($0.fix.coordinate.latitude)" }
        == ["a 50.1", "b 52.0", "a 50.0", "b 52.0"])
  }

  @Test func `accuracy is GST's, else HDOP's, else eph's`() {
    func accuracy(_ lines: String...) -> Double? {
      decodeAll(GPSDJSONDecoder(), lines.joined(separator: "\n")).decodedFixes.first?.fix.accuracy?
        .meters
    }
    let gst =
      #"{"class":"GST","device":"a","time":"2025-06-15T12:00:00.000Z","lat":3.0,"lon":4.0}"#
    let oldGST =
      #"{"class":"GST","device":"a","time":"2025-06-15T11:59:59.000Z","lat":3.0,"lon":4.0}"#
    let sky = #"{"class":"SKY","device":"a","hdop":2.0}"#
    let eph = tpv(more: #","eph":20.9,"epx":9.484"#)
    let sigmas = 1.51 * 12.5.squareRoot()
    #expect(accuracy(eph).map { abs($0 - 5.5) < 1e-9 } == true)
    #expect(accuracy(sky, eph) == 10)
    #expect(accuracy(eph, sky) == 10)
    #expect(accuracy(gst, sky, eph) == sigmas)
    #expect(accuracy(eph, sky, gst) == sigmas)
    #expect(accuracy(oldGST, eph, sky) == 10)
    #expect(accuracy(sky.replacingOccurrences("\"a\"", "\"b\""), tpv()) == nil)
    #expect(accuracy(tpv(), sky.replacingOccurrences("2.0", "0")) == nil)
  }

  @Test func `a receiver's own range error replaces the usual one, by both ways`() {
    let eph = decodeAll(GPSDJSONDecoder(userRangeError: .meters(3)), tpv(more: #","eph":38"#))
    #expect(eph.decodedFixes.first?.fix.accuracy == .meters(6))
    let sky = decodeAll(
      GPSDJSONDecoder(userRangeError: .meters(3)),
      tpv() + "\n" + #"{"class":"SKY","device":"a","hdop":2.0}"#)
    #expect(sky.decodedFixes.first?.fix.accuracy == .meters(6))
  }

  @Test func `an old HDOP gives way to eph`() {
    let sky = #"{"class":"SKY","device":"a","time":"2025-06-15T12:00:00.000Z","hdop":2.0}"#
    func accuracy(_ second: Int) -> Double {
      decode(sky, tpv(second, more: #","eph":38"#)).decodedFixes[0].fix.accuracy!.meters
    }
    #expect(accuracy(10) == 10)
    #expect(decode(sky, tpv(11)).decodedFixes[0].fix.accuracy == nil)
  }

  @Test func `a report without time is dropped in a log`() {
    let decoded = decode(#"{"class":"TPV","mode":2,"lat":1,"lon":2}"#)
    #expect(decoded.drops.map(\.reason) == [.timeMissing])
  }

  @Test func `a report without time has the reception's in live use, until its own comes`() {
    var decoder = GPSDJSONDecoder()
    var output: [Decoded] = []
    func receive(_ line: String, at second: Double) {
      let moment = noon.advanced(bySeconds: second)
      Array((line + "\n").utf8).withUnsafeBytes {
        decoder.decode($0, receivedAt: moment, into: &output)
      }
    }
    receive(#"{"class":"TPV","device":"a","mode":2,"lat":1,"lon":2}"#, at: 0.2)
    receive(tpv(lat: 1, lon: 2), at: 0.3)
    #expect(output.isEmpty)
    receive(#"{"class":"TPV","device":"a","mode":2,"lat":1,"lon":2}"#, at: 1.2)
    #expect(output.decodedFixes.map(\.timeOrigin) == [.reported])
    decoder.flush(into: &output)
    #expect(output.decodedFixes.map(\.timeOrigin) == [.reported, .received])
    #expect(output.decodedFixes[1].fix.time == noon.advanced(bySeconds: 1.2))
  }

  @Test func `after a flush the same epoch is a duplicate`() {
    var decoder = GPSDJSONDecoder()
    var output: [Decoded] = []
    for _ in 0..<2 {
      Array((tpv() + "\n").utf8).withUnsafeBytes { decoder.decode($0, into: &output) }
      decoder.flush(into: &output)
    }
    #expect(output.decodedFixes.count == 1)
    #expect(output.drops.map(\.reason) == [.duplicate])
  }

  @Test func `a device that goes is no fix, and is known by a number`() {
    let decoded = decode(
      #"{"class":"DEVICE","path":"a","activated":"2025-06-15T12:00:00.000Z"}"#, tpv(),
      #"{"class":"DEVICE","path":"a","activated":0}"#)
    #expect(decoded.count == 2)
    #expect(decoded.noFixes == [NoFix(subject: SubjectID("a"))])
  }

  @Test func `what is no JSON is skipped and counted`() {
    let decoded = decode(
      #"{"class":"TPV","mode":3,"lat":nan,"lon":nan}"#,
      #"{"class":"SKY","satellites":[{"PRN":1,}]}"#, "not json", "SOURCETABLE 200 OK\r",
      "$GPGGA,,,,,,0,,,,,,,,*66", "# a comment", "", #"{"no":"class"}"#, tpv())
    #expect(decoded.decodedFixes.count == 1)
    #expect(
      decoded.drops.map(\.reason)
        == [.invalidFix, .malformed, .malformed, .malformed, .unsupported, .malformed])
    #expect(decoded.drops.map(\.position.line) == [1, 2, 3, 4, 5, 8])
  }

  @Test func `other records are passed over`() {
    #expect(
      decode(
        #"{"class":"VERSION","release":"3.22","proto_major":3,"proto_minor":14}"#,
        #"{"class":"DEVICES","devices":[]}"#, #"{"class":"WATCH","enable":true}"#,
        #"{"class":"AIS","device":"a","lat":1,"lon":2}"#, #"{"class":"NEW","mode":3}"#
      ).isEmpty)
  }

  @Test func `a record of many kilobytes is read, and one over the limit passed over`() {
    let satellites = String(repeating: #"{"PRN":1},"#, count: 6000)
    let long = #"{"class":"SKY","device":"a","satellites":[\#(satellites){}],"hdop":2.0}"#
    let longer = #"{"class":"SKY","device":"a","satellites":[\#(satellites)\#(satellites){}]}"#
    let decoded = decode(tpv(), long, longer, tpv(1))
    #expect(decoded.decodedFixes.count == 2)
    #expect(decoded.decodedFixes[0].fix.accuracy == .meters(10))
    #expect(decoded.drops.map(\.reason) == [.lineTooLong])
    #expect(decoded.drops.map(\.position.line) == [3])
  }

  @Test func `a wrong coordinate or time is named`() {
    let decoded = decode(
      tpv(lat: 95, lon: 100),
      #"{"class":"TPV","mode":3,"lat":1,"lon":"x","time":"2025-06-15T12:00:00Z"}"#,
      #"{"class":"TPV","mode":3,"lat":1,"lon":2,"time":"soon"}"#,
      #"{"class":"TPV","mode":3,"lat":1,"time":"2025-06-15T12:00:00Z"}"#)
    #expect(
      decoded.drops.map(\.detail)
        == ["lat_out_of_range", "lng_not_a_number", "time_malformed", "lng_missing"])
  }

  @Test func `state does not grow with the number of devices`() {
    let lines = (0..<1000).map { tpv($0, device: "d\($0)") }
    let decoded = decodeAll(GPSDJSONDecoder(), lines.joined(separator: "\n"))
    #expect(decoded.decodedFixes.count == 1000)
  }
}

extension String {
  fileprivate func replacingOccurrences(_ old: String, _ new: String) -> String {
    split(separator: old, omittingEmptySubsequences: false).joined(separator: new)
  }
}
