import Foundation
import TestSupport
import Testing

@Suite struct CheckCommandTests {
  let folder = try! TemporaryFolder()

  func check(_ more: [String], input: String = "") throws -> Program.Result {
    let fences = try folder.write(Samples.fences, to: "fences.geojson")
    return try Program.run(["check", "--fences", fences] + more, input: input)
  }

  func object(_ line: String) throws -> [String: Any] {
    try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
  }

  @Test func `an eligible position ends with 0, and an answer has every member`() throws {
    let result = try check(
      ["--store", "S", "--lat", "48.0", "--lng", "11.0", "--accuracy", "8", "--json"])
    #expect(result.exitCode == 0)
    let answer = try object(result.output)
    #expect(answer["eligible"] as? Bool == true)
    #expect(answer["verdict"] as? String == "inside")
    #expect(answer["reason"] as? String == "inside")
    #expect(answer["distanceMeters"] as? Double == 0)
    #expect(answer["radiusMeters"] as? Double == 200)
    #expect(answer["accuracyMeters"] as? Double == 8)
    #expect(answer["confidence"] as? Double == 1)
    #expect(answer["fixAgeSeconds"] as? Double == 0)
  }

  @Test func `what is not eligible ends with 1`() throws {
    let far = try check(["--store", "S", "--lat", "48.1", "--lng", "11.0", "--accuracy", "8"])
    #expect(far.exitCode == 1)
    #expect(far.output.contains("not eligible at Corner Store"))
    let old = try check(
      ["--store", "S", "--lat", "48.0", "--lng", "11.0", "--age", "121", "--json"])
    #expect(old.exitCode == 1)
    #expect(try object(old.output)["reason"] as? String == "fix_too_old")
  }

  @Test func `a refused position is an answer with null for what is unknown`() throws {
    let result = try check(
      ["--store", "S", "--lat", "95.5123", "--lng", "-191.2693", "--json"])
    #expect(result.exitCode == 1)
    let answer = try object(result.output)
    #expect(answer["reason"] as? String == "invalid_fix")
    #expect(answer["verdict"] is NSNull)
    #expect(answer["distanceMeters"] is NSNull)
    #expect(answer["problems"] as? [String] == ["lat_out_of_range", "lng_out_of_range"])
  }

  @Test(arguments: ["9.3e15", "-9.3e15", "1e300"])
  func `an absurd age is an answer`(age: String) throws {
    let result = try check(["--store", "S", "--lat", "48", "--lng", "11", "--age", age, "--json"])
    #expect(result.exitCode == 1)
    let reason = try object(result.output)["reason"] as? String
    #expect(reason == (age.hasPrefix("-") ? "fix_from_future" : "fix_too_old"))
  }

  @Test func `wrong usage ends with 2, an unknown store with 3`() throws {
    #expect(try check(["--store", "S", "--lat", "north", "--lng", "11"]).exitCode == 2)
    #expect(try check(["--lat", "48", "--lng", "11"]).exitCode == 2)
    let unknown = try check(["--store", "X", "--lat", "48", "--lng", "11"])
    #expect(unknown.exitCode == 3)
    #expect(unknown.errors.contains("there is no fence \"X\""))
  }

  @Test func `requests in bulk get a line each, in order, good or bad`() throws {
    let requests = """
      {"store":"S","lat":48.0,"lng":11.0,"accuracyMeters":8,"ageSeconds":5}
      {"store":"S","lat":48.0,"lng":11.0,"time":"2026-03-02T08:00:00Z","sentAt":"2026-03-02T08:00:30Z"}
      {"store":"S","lat":"48,0001","lng":11.0}
      {"store":"S","lat":NaN,"lng":1e999}
      {"store":"S","lng":11.0}
      {"store":"nowhere","lat":48.0,"lng":11.0}
      not json
      {"store":"S","lat":48.0,"lng":11.0,"time":"2026-03-02T08:00:00"}
      {"store":"S","lat":48.0,"lng":11.0,"simulated":"true"}
      {"store":"S","lat":48.0,"lng":11.0,"long":"\(String(repeating: "x", count: 1 << 20))"}
      {"store":"S","lat":48.0,"lng":" 11,0001"}
      """
    let result = try check(["--json"], input: requests)
    #expect(result.exitCode == 0)
    let answers = try result.lines.map(object)
    #expect(answers.count == 11)
    #expect(answers[0]["eligible"] as? Bool == true)
    #expect(answers[0]["fixAgeSeconds"] as? Double == 5)
    #expect(answers[1]["fixAgeSeconds"] as? Double == 30)
    #expect(answers[1]["accuracyMeters"] is NSNull)
    #expect(answers[2]["problems"] as? [String] == ["decimal_comma"])
    #expect(answers[3]["problems"] as? [String] == ["lat_not_a_number", "lng_not_a_number"])
    #expect(answers[4]["problems"] as? [String] == ["lat_missing"])
    #expect((answers[5]["error"] as? [String: Any])?["code"] as? String == "NOT_FOUND")
    #expect((answers[6]["error"] as? [String: Any])?["code"] as? String == "VALIDATION_ERROR")
    #expect(answers[7]["problems"] as? [String] == ["time_zone_missing"])
    #expect(answers[8]["problems"] as? [String] == ["simulated_not_a_boolean"])
    let tooLong = answers[9]["error"] as? [String: Any]
    #expect(tooLong?["message"] as? String == "line 10: a request has at most 1 MiB")
    #expect(answers[10]["problems"] as? [String] == ["decimal_comma"])
  }
}
