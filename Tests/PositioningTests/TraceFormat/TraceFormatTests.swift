import Foundation
import Glibc
import Geo
import Positioning
import TestSupport
import Testing

private func decoder(_ fileName: String = "") -> TraceDecoder {
  TraceDecoder(fileName: fileName)
}

private func format(_ bytes: [UInt8], fileName: String = "", pieces: Int? = nil) -> TraceFormat? {
  var decoder = decoder(fileName)
  var output: [Decoded] = []
  let length = pieces ?? max(1, bytes.count)
  for start in stride(from: 0, to: bytes.count, by: length) {
    bytes[start..<min(bytes.count, start + length)].withUnsafeBytes {
      decoder.decode($0, into: &output)
    }
  }
  decoder.finish(into: &output)
  return decoder.format
}

struct TraceFormatTests {
  struct Sample: CustomTestStringConvertible {
    let text: String
    let format: TraceFormat?
    var testDescription: String { text.debugDescription }
  }

  static let samples = [
    Sample(text: "$GPRMC,120000,A,4812.34,N,1622.11,E,1.0,90.0,150625,,*1C\r\n", format: .nmea),
    Sample(text: "# a log\n\n$GPRMC,120000", format: .nmea),
    Sample(text: "\u{1}\u{7f}bin$$GNGGA,1,2\r\n", format: .nmea),
    Sample(text: "!AIVDM,1,1,,A,x,0*00\n", format: .nmea),
    Sample(text: "NMEA,$GPGGA,1,2*00,1234567\n", format: .nmea),
    Sample(text: "\\s:a,c:1*00\\$GPGGA,1,2*00\n", format: .nmea),
    Sample(text: "<?xml version='1.0'?><gpx/>", format: .gpx),
    Sample(text: "\u{feff}\n  <gpx/>", format: .gpx),
    Sample(text: "<!-- made by --><gpx/>", format: .gpx),
    Sample(text: "time,lat,lng\n", format: .csv),
    Sample(text: "# x\nLatitude;Longitude;Time", format: .csv),
    Sample(text: "{\"lat\":1,\"lng\":2,\"time\":3}\n", format: .ndjson),
    Sample(text: "{\"lat\":1,\"lng\":2,\"time\":3,\"class\":\"x\"}\n", format: .ndjson),
    Sample(text: "[{\"lat\":1}]", format: .ndjson),
    Sample(text: "{\"class\":\"VERSION\",\"release\":\"3.22\"}\n", format: .gpsd),
    Sample(text: "e\":3}\n{\"class\":\"TPV\",\"mode\":1}\n", format: .gpsd),
    Sample(text: "", format: nil),
    Sample(text: "hello\nworld\n", format: nil),
    Sample(text: "price $5,00\n", format: nil),
    Sample(text: "a,b,c\n1,2,3\n", format: nil),
  ]

  @Test(arguments: samples)
  func `the first line that is of a format decides, in any chunking`(_ sample: Sample) {
    let bytes = Array(sample.text.utf8)
    for pieces in [nil, 1, 3] { #expect(format(bytes, pieces: pieces) == sample.format) }
  }

  @Test func `the extension decides only where the content does not`() {
    #expect(format(Array("hello\n".utf8), fileName: "a.NMEA") == .nmea)
    #expect(format(Array("<gpx/>".utf8), fileName: "a.csv") == .gpx)
    #expect(format([], fileName: "a.gpx") == .gpx)
    #expect(format([], fileName: "gpx") == nil)
  }

  @Test func `an unknown input is dropped once`() {
    for text in ["", "hello\nworld", String(repeating: "hello\n", count: 30_000)] {
      let decoded = decodeAll(decoder(), text)
      #expect(decoded.drops.map(\.reason) == [.unknownFormat])
      #expect(decoded.count == 1)
    }
  }

  @Test func `text of 16-bit characters is refused once, with or without its mark`() {
    let text = "$GPRMC,120000,A,4812.34,N\r\n"
    let little = text.utf16.flatMap { [UInt8($0 & 0xff), UInt8($0 >> 8)] }
    let big = text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xff)] }
    for bytes in [little, big, [0xff, 0xfe] + little, [0xfe, 0xff] + big] {
      for pieces in [nil, 1] {
        let decoded = decodeAll(decoder("a.nmea"), bytes, pieces: pieces)
        #expect(decoded.drops.map(\.reason) == [.wrongEncoding])
      }
    }
  }

  @Test func `the format's decoder gets every byte`() {
    let text = "# noise\n\ntime,lat,lng\n1,95,0\n2,45,0"
    for pieces in [nil, 1, 7] {
      let decoded = decodeAll(decoder(), text, pieces: pieces)
      #expect(
        decoded.drops.map(\.position) == [InputPosition(byteOffset: 24, line: 4, column: 3)])
      #expect(decoded.decodedFixes.count == 1)
    }
  }
}

@Suite(.enabled(if: SharedFiles.areThere, "needs the shared recordings"))
struct TraceFormatRecordingTests {
  private func files(_ folder: String) throws -> [String] {
    let path = try #require(SharedFiles.path("traces/\(folder)"))
    return try FileManager.default.contentsOfDirectory(atPath: path).sorted()
      .map { "\(folder)/\($0)" }
  }

  private func expect(_ expected: TraceFormat?, _ folder: String, _ suffixes: [String]) throws {
    var count = 0
    for file in try files(folder) where suffixes.contains(where: { file.hasSuffix($0) }) {
      // The oracles beside the recordings are no traces.
      let words = ["fixes", "points", "epochs", "sentences", "tpv", "tpv322", "truth"]
      if words.contains(where: { file.hasSuffix(".\($0).jsonl") }) { continue }
      let bytes = try recording(file)
      #expect(format(Array(bytes.prefix(70_000))) == expected, "\(file)")
      count += 1
    }
    #expect(count > 0)
  }

  @Test func `every recording is known without its name`() throws {
    try expect(.nmea, "nmea", [".log", ".nmea"])
    try expect(.nmea, "synthetic", [".nmea"])
    try expect(.nmea, "long", [".nmea"])
    try expect(.gpx, "gpx", [".gpx"])
    try expect(.gpx, "gpl2-gpsbabel", [".gpx"])
    try expect(.csv, "csv", [".csv"])
    try expect(.csv, "gpl2-gpsbabel", [".csv"])
    try expect(.gpsd, "gpsd-json", [".jsonl"])
    try expect(nil, "not-nmea", [".log", ".bndm.log"])
  }

  @Test func `a recording of any format is read from its file as from memory`() throws {
    let reader = TraceReader()
    func fixes(_ name: String) throws -> [DecodedFix] {
      var found: [Decoded] = []
      let path = try #require(SharedFiles.path("traces/\(name)"))
      try reader.read(.file(path: path)) { found.append($0) }
      return found.decodedFixes
    }
    #expect(
      try fixes("nmea/bt-q818.log")
        == decodeAll(
          NMEADecoder(mode: .recorded(reference: nil)), try recording("nmea/bt-q818.log")
        ).decodedFixes)
    #expect(try fixes("nmea/bt-q818.log").count == 10)
    #expect(try fixes("gpx/cerknicko-jezero.gpx").count == 296)
    #expect(try fixes("csv/signalk-gps.unicsv.csv").count == 1202)
    #expect(try fixes("gpsd-json/quectelLC79D-1.gpsd327.jsonl").count == 29)
  }

  @Test func `NMEA saved as UTF-16 is refused`() throws {
    let decoded = decodeAll(
      TraceDecoder(), try recording("gpl2-gpsbabel/nmea-utf16.nmea"))
    #expect(decoded.drops.map(\.reason) == [.wrongEncoding])
    #expect(decoded.count == 1)
  }
}

struct TraceReaderTests {
  private let reader = TraceReader()

  private func withFile<Result>(
    _ text: String, named name: String = "trace", _ body: (String) throws -> Result
  ) throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: name)
    try Data(text.utf8).write(to: file)
    return try body(file.path)
  }

  @Test func `a file larger than one piece is read to its end`() throws {
    var text = "time,lat,lng\n"
    for second in 0..<20_000 { text += "\(second),48.5,11.25\n" }
    try withFile(text, named: "walk.csv") { path in
      var count = 0
      let format = try reader.read(.file(path: path)) { decoded in
        guard case .fix(let decoded) = decoded else { return }
        #expect(decoded.fix.time.millisecondsSince1970 == Int64(count) * 1000)
        count += 1
      }
      #expect(format == .csv)
      #expect(count == 20_000)
    }
  }

  @Test func `what cannot be opened is named`() throws {
    #expect(throws: TraceError.notFound(path: "/nowhere/a.gpx")) {
      try reader.read(.file(path: "/nowhere/a.gpx")) { _ in }
    }
    let folder = FileManager.default.temporaryDirectory.path
    #expect(throws: TraceError.isDirectory(path: folder)) {
      try reader.read(.file(path: folder)) { _ in }
    }
    #expect(TraceError.notFound(path: "a").description == "a: there is no such file")
    #expect(
      TraceError.cannotRead(name: "a", code: EIO).description == "a: Input/output error")
  }

  @Test func `an error of the receiver ends the reading`() throws {
    struct Enough: Error {}
    try withFile("time,lat,lng\n1,1,1\n2,1,1\n") { path in
      var count = 0
      #expect(throws: Enough.self) {
        try reader.read(.file(path: path)) { _ in
          count += 1
          throw Enough()
        }
      }
      #expect(count == 1)
    }
  }

  @Test func `sources have names`() {
    #expect(TraceSource(argument: "-") == .standardInput)
    #expect(TraceSource(argument: "a/b.gpx").name == "b.gpx")
    #expect(TraceSource(argument: "a/b.gpx").defaultSubject == SubjectID("b.gpx"))
  }
}
