import Foundation
import TestSupport
import Testing

@Suite struct ReplayCommandTests {
  let folder = try! TemporaryFolder()

  func replay(_ more: [String], trace: String = Samples.visit) throws -> Program.Result {
    let fences = try folder.write(Samples.fences, to: "fences.geojson")
    let path = try folder.write(trace, to: "walk.ndjson")
    return try Program.run(["replay", "--fences", fences] + more + [path])
  }

  @Test func `events are NDJSON in order of confirmation, with every member`() throws {
    let result = try replay(["--json"])
    #expect(result.exitCode == 0)
    let events = try result.lines.map {
      try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
    #expect(events.map { $0["event"] as? String } == ["entered", "exited"])
    let entered = try #require(events.first)
    #expect(entered["subject"] as? String == "D1")
    #expect(entered["fence"] as? String == "S")
    #expect(entered["time"] as? String == "2026-03-02T08:01:00.000Z")
    #expect(entered["confirmedAt"] as? String == "2026-03-02T08:01:00.000Z")
    #expect(entered["rule"] as? String == "confident_fix")
    #expect(entered["initial"] as? Bool == false)
    #expect(entered["late"] as? Bool == false)
    #expect(entered["cause"] is NSNull)
    #expect(entered["visit"] as? String == events[1]["visit"] as? String)
    #expect(events[1]["time"] as? String == "2026-03-02T08:10:00.000Z")
    #expect(events[1]["confirmedAt"] as? String == "2026-03-02T08:10:30.000Z")
    #expect(result.errors.contains("6 fixes: 6 accepted"))
  }

  @Test func `the same events are as expected, and a second more is not`() throws {
    let events = try replay(["--json"]).output
    let expected = try folder.write(events, to: "expected.ndjson")
    let same = try replay(["--expect", expected])
    #expect(same.exitCode == 0)
    #expect(same.output == "all 2 expected events, and no other\n")
    let oneSecond = events.replacing("08:01:00.000Z", with: "08:01:01.000Z")
    #expect(try replay(["--expect", folder.write(oneSecond, to: "e.ndjson")]).exitCode == 0)
    let more = events.replacing("08:01:00.000Z", with: "08:01:01.001Z")
    let late = try replay(["--expect", folder.write(more, to: "e.ndjson")])
    #expect(late.exitCode == 1)
    #expect(late.output.contains("~ other time 2026-03-02T08:01:01.001Z  entered at S by D1"))
  }

  @Test func `missing and unexpected events are told apart`() throws {
    let lines = try replay(["--json"]).lines
    let other = lines[0].replacing("\"S\"", with: "\"T\"")
    let result = try replay([
      "--expect", folder.write("\(other)\n\(lines[1])\n", to: "e.ndjson"),
    ])
    #expect(result.exitCode == 1)
    #expect(result.output.contains("- missing    2026-03-02T08:01:00.000Z  entered at T by D1"))
    #expect(result.output.contains("+ unexpected 2026-03-02T08:01:00.000Z  entered at S by D1"))
  }

  @Test func `refused lines end with 0 and a summary that names them`() throws {
    let trace =
      "{\"time\":\"2026-03-02T08:00:00Z\",\"lat\":95,\"lng\":11}\nnonsense\n" + Samples.visit
    let result = try replay(["--json"], trace: trace)
    #expect(result.exitCode == 0)
    #expect(result.lines.count == 2)
    #expect(result.errors.contains("1 invalid_fix, first at line 1"))
    #expect(result.errors.contains("first at line 2"))
  }

  @Test func `people get local time, names and a table`() throws {
    let result = try replay(["--eligibility-every", "5m"])
    #expect(result.output.contains("2026-03-02 09:01:00 UTC+1  D1  arrived at Corner Store"))
    #expect(result.output.contains("2026-03-02 09:10:00 UTC+1  D1  left Corner Store"))
    #expect(result.output.contains("clock: not eligible at Corner Store"))
    #expect(result.output.contains("arrivals"))
  }

  @Test func `a file that is not there, or is no trace, ends with 3 and says so`() throws {
    let fences = try folder.write(Samples.fences, to: "fences.geojson")
    let missing = try Program.run(["replay", "--fences", fences, folder.path("none.nmea")])
    #expect(missing.exitCode == 3)
    #expect(missing.errors.contains("none.nmea: there is no such file"))
    let path = try folder.write("just some text\nand more\n", to: "letter.txt")
    let letter = try Program.run(["replay", "--fences", fences, path])
    #expect(letter.exitCode == 3)
    #expect(letter.errors.contains("letter.txt"))
  }

  @Test func `silence is told by the trace's clock for all its subjects`() throws {
    let trace = [
      Samples.line(second: 0, north: 10), Samples.line(second: 1, north: 10, subject: "D2"),
      Samples.line(second: 1801, north: 10, subject: "D2"),
    ].joined(separator: "\n")
    let result = try replay(["--json"], trace: trace)
    #expect(
      result.lines.map { $0.contains("presence_expired") } == [false, false, true, true, false])
    #expect(result.lines.last?.contains("presence_resumed") == true)
  }
}
