import Foundation
import TestSupport
import Testing

@Suite struct DecodeCommandTests {
  let folder = try! TemporaryFolder()

  @Test func `a trace goes through every format and keeps its fixes`() throws {
    let ndjson = try folder.write(Samples.visit, to: "walk.ndjson")
    let wanted = try Program.run(["decode", "--quiet", "--subject", "D1", ndjson]).lines
    #expect(wanted.count == 6)
    for format in ["nmea", "gpx"] {
      let written = try Program.run(["decode", "--quiet", "--format", format, ndjson])
      #expect(written.exitCode == 0)
      let path = try folder.write(written.output, to: "walk.\(format)")
      let read = try Program.run(["decode", "--quiet", "--subject", "D1", path]).lines
      #expect(read.count == wanted.count)
      for (line, other) in zip(read, wanted) {
        let (a, b) = (try object(line), try object(other))
        #expect(a["time"] as? String == b["time"] as? String)
        let distance = abs((a["lat"] as? Double ?? 0) - (b["lat"] as? Double ?? 1))
        #expect(distance < 1e-8)
        let accuracy = abs((a["accuracyMeters"] as? Double ?? 0) - 8)
        #expect(accuracy < 0.01)
      }
    }
  }

  @Test func `a subject that is not given is the file's name`() throws {
    let line = "{\"time\":\"2026-03-02T08:00:00Z\",\"lat\":48,\"lng\":11}\n"
    let path = try folder.write(line, to: "device7.ndjson")
    let result = try Program.run(["decode", path])
    #expect(try object(result.lines[0])["subject"] as? String == "device7.ndjson")
  }

  @Test func `dropped sentences are summed up on standard error alone`() throws {
    let path = try folder.write(
      "$GPGGA,120000,4812.34,N,01622.11,E,1,09,0.9,180.1,M,43.0,M,,*00\r\n", to: "bad.nmea")
    let result = try Program.run(["decode", path])
    #expect(result.exitCode == 0)
    #expect(result.output.isEmpty)
    #expect(result.errors.contains("1 checksum_wrong, first at line 1"))
  }

  @Test func `the shipped sample is what the simulator makes`() throws {
    let made = try Program.run(["simulate", "commute", "--seed", "1"])
    let shipped = try String(
      contentsOf: SharedFiles.checkout.appending(path: "samples/commute.nmea"), encoding: .utf8)
    #expect(made.output == shipped)
  }

  @Test func `help teaches by example`() throws {
    let result = try Program.run(["help"])
    #expect(result.exitCode == 0)
    #expect(result.output.contains("doorstep replay --fences fences samples/commute.nmea"))
  }

  private func object(_ line: String) throws -> [String: Any] {
    try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
  }
}
