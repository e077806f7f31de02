import Geo
import Positioning
import TestSupport
import Testing

struct FixNDJSONDecoderTests {
  private func decode(_ text: String) -> [Decoded] { decodeAll(FixNDJSONDecoder(), text) }

  @Test func `the documented line is read`() {
    let decoded = decode(
      """
      {"subject": "D1", "time": "2026-03-02T08:58:41.000Z", "lat": 48.001619, "lng": 11.0, \
      "accuracyMeters": 8, "speedMetersPerSecond": 1.4, "courseDegrees": 180, \
      "altitudeMeters": 512.3, "source": "gps", "simulated": false}
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
              altitude: .meters(512.3), source: .gps)))
      ])
  }

  @Test func `seconds, milliseconds and zoned texts of one instant are equal`() {
    let times = [
      "1687453740", "1687453740000", "\"2023-06-22T17:09:00Z\"",
      "\"2023-06-22T19:09:00+02:00\"",
    ]
    let decoded = decode(times.map { "{\"time\":\($0),\"lat\":1,\"lng\":2}\n" }.joined())
    #expect(decoded.decodedFixes.count == 4)
    #expect(Set(decoded.decodedFixes.map(\.fix.time)).count == 1)
  }

  @Test func `unknown fields are ignored, null is absent, and zero accuracy is unknown`() {
    let decoded = decode(
      """
      {"time":1,"lat":1,"lng":2,"accuracyMeters":0,"subject":null,"battery":{"lat":95},"source":"x"}

      {"time":1,"lat":1,"lng":2,"accuracyMeters":null,"speedMetersPerSecond":-1,"courseDegrees":-1}
      """)
    #expect(decoded.decodedFixes.count == 2)
    #expect(decoded.decodedFixes[0] == decoded.decodedFixes[1])
    #expect(decoded.decodedFixes[0].fix.accuracy == nil)
    #expect(decoded.decodedFixes[0].fix.speed == nil)
  }

  struct BadLine: CustomTestStringConvertible {
    let fields: String
    let detail: String
    var reason = Dropped.Reason.invalidFix
    var testDescription: String { fields }
  }

  @Test(arguments: [
    BadLine(fields: "\"time\":1,\"lat\":NaN,\"lng\":2", detail: "lat_not_a_number"),
    BadLine(fields: "\"time\":1,\"lat\":\"NaN\",\"lng\":2", detail: "lat_not_a_number"),
    BadLine(
      fields: "\"time\":1,\"lat\":1e999,\"lng\":-Infinity",
      detail: "lat_not_a_number, lng_not_a_number"),
    BadLine(fields: "\"time\":1,\"lat\":null", detail: "lat_missing, lng_missing"),
    BadLine(fields: "\"time\":1,\"lat\":\"48.5\",\"lng\":2", detail: "lat_not_a_number"),
    BadLine(fields: "\"time\":1,\"lat\":\"48,0001\",\"lng\":2", detail: "decimal_comma"),
    BadLine(
      fields: "\"time\":1,\"lat\":95.5123,\"lng\":-191.2693",
      detail: "lat_out_of_range 95.5123, lng_out_of_range -191.2693"),
    BadLine(
      fields: "\"time\":1,\"lat\":1,\"lng\":180.0000001",
      detail: "lng_out_of_range 180.0000001"),
    BadLine(
      fields: "\"time\":1,\"lat\":1,\"lng\":2,\"accuracyMeters\":-1",
      detail: "accuracy_negative -1.0"),
    BadLine(
      fields: "\"time\":1,\"lat\":1,\"lng\":2,\"accuracyMeters\":\"8\"",
      detail: "accuracy_not_a_number"),
    BadLine(fields: "\"lat\":1,\"lng\":2", detail: "", reason: .timeMissing),
    BadLine(
      fields: "\"time\":\"2023-06-22T17:09:00\",\"lat\":1,\"lng\":2",
      detail: "time_zone_missing"),
    BadLine(fields: "\"time\":\"1687453740\",\"lat\":1,\"lng\":2", detail: "time_malformed"),
    BadLine(fields: "\"time\":true,\"lat\":1", detail: "lng_missing, time_malformed"),
    BadLine(fields: "\"time\":1e300,\"lat\":1,\"lng\":2", detail: "time_malformed"),
    BadLine(
      fields: "\"time\":1,\"lat\":1,\"lng\":2,\"simulated\":\"yes\",\"subject\":7",
      detail: "subject is not a text, simulated is neither true nor false"),
    BadLine(
      fields: "\"time\":1,\"lat\":1,\"lng\":2,\"speedMetersPerSecond\":\"fast\"",
      detail: "speedMetersPerSecond is not a number"),
  ])
  func `every wrong field is named`(_ bad: BadLine) {
    let decoded = decode("{\(bad.fields)}\n{\"time\":1,\"lat\":1,\"lng\":2}\n")
    #expect(decoded.drops.map(\.detail) == [bad.detail])
    #expect(decoded.drops.map(\.reason) == [bad.reason])
    #expect(decoded.decodedFixes.count == 1)
  }

  @Test func `a line that is no JSON is dropped with its place, and the next is read`() {
    let decoded = decode(
      "{\"time\":1,\"lat\":1,\"lng\":2}\n{\"time\":1,}\n[1]\n{\"time\":2,\"lat\":1,\"lng\":2}")
    #expect(decoded.decodedFixes.count == 2)
    #expect(decoded.drops.map(\.reason) == [.malformed, .malformed])
    #expect(decoded.drops.map(\.position.line) == [2, 3])
    #expect(decoded.drops[0].position.column == 11)
    #expect(decoded.drops[0].position.byteOffset == 27 + 10)
  }

  @Test func `an array as a whole file is refused once`() {
    let decoded = decode(
      "[\n{\"time\":1,\"lat\":1,\"lng\":2},\n{\"time\":1,\"lat\":1,\"lng\":2}]\n")
    #expect(decoded.map { _ in 0 } == [0])
    #expect(decoded.drops.map(\.reason) == [.unknownFormat])
  }

  @Test func `a line just over the limit is passed over, one just under is read`() {
    let fix = "{\"time\":1,\"lat\":1,\"lng\":2}"
    func padded(_ length: Int) -> String {
      fix + String(repeating: " ", count: length - fix.count) + "\n"
    }
    #expect(decode(padded(1 << 20) + fix).decodedFixes.count == 2)
    let decoded = decode(padded(1 << 20 + 1) + fix)
    #expect(decoded.decodedFixes.count == 1)
    #expect(decoded.drops.map(\.reason) == [.lineTooLong])
    #expect(decoded.drops.map(\.position.line) == [1])
    for pieces in [4096, 99_991] {
      #expect(decodeAll(FixNDJSONDecoder(), padded(1 << 20 + 1) + fix, pieces: pieces) == decoded)
    }
  }

  @Test func `damage never crashes, invents a number, or shows the chunking`() {
    var writer = FixNDJSONWriter()
    for fix in randomFixes(count: 4, seed: 5) { writer.append(fix, subject: SubjectID("é\"\\")) }
    var random = SeededGenerator(seed: 22)
    for round in 0..<(isLong ? 50_000 : 1000) {
      let input = damaged(writer.bytes, using: &random)
      let (whole, inPieces) = decodeInRandomPieces(
        { FixNDJSONDecoder() }, input, longest: 60, seed: UInt64(round))
      #expect(whole.areSane)
      #expect(whole == inPieces)
    }
  }
}

/// Fixes with every field known or not, and numbers of any length.
func randomFixes(count: Int, seed: UInt64) -> [Fix] {
  var random = SeededGenerator(seed: seed)
  func maybe<Value>(_ value: Value) -> Value? {
    Bool.random(using: &random) ? value : nil
  }
  func number(_ range: ClosedRange<Double>) -> Double {
    let value = Double.random(in: range, using: &random)
    let power = [1.0, 10, 1e3, 1e7].randomElement(using: &random)!
    return Bool.random(using: &random) ? value : (value * power).rounded() / power
  }
  return (0..<count).map { _ in
    Fix(
      coordinate: Coordinate(latitude: number(-90...90), longitude: number(-180...180))!,
      time: Timestamp(
        millisecondsSince1970: Int64.random(
          in: -1_000_000_000_000...4_000_000_000_000, using: &random)),
      accuracy: maybe(.meters(number(0.001...5000))),
      speed: maybe(.metersPerSecond(number(0...90))),
      course: maybe(Bearing(degrees: number(0...359))!),
      altitude: maybe(.meters(number(-400...9000))),
      source: maybe(Fix.Source.allCases.randomElement(using: &random)!),
      isSimulated: Bool.random(using: &random))
  }
}
