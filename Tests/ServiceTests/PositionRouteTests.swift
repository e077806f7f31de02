import Service
import Geofencing
import Geo
import HTTP
import Persistence
import Testing

@Suite struct PositionRouteTests {
  let stores: ServedStores

  init() async throws { stores = try await ServedStores() }

  private func post(
    _ body: String, _ target: String = "/v1/positions", stream: Bool = false,
    headers: HTTPHeaders = [:]
  ) async -> ServedStores.Answer {
    var headers = headers
    headers[.contentType] = stream ? "application/x-ndjson" : "application/json"
    return await stores.ask(.post, target, body, headers: headers)
  }

  @Test func `one fix raises its event, which is in the database before the answer`() async throws {
    let answer = await post(stores.fix())
    #expect(answer.status == 200)
    #expect(answer["accepted"] as? Int == 1)
    #expect(answer["events", 0, "event"] as? String == "entered")
    #expect(answer["events", 0, "fence"] as? String == "S")
    #expect(try stores.events().map(\.event.kind) == [.entered])
  }

  @Test(arguments: [false, true])
  func `items that are no fix are told by index, and the others count`(stream: Bool) async {
    let items = [
      stores.fix("D1"), #"{"subject":"D1","lat":"48","lng":11}"#, "7", stores.fix("D2"),
      stores.fix(nil), #"{"time":"2026-03-02T12:00:00Z","lat":95,"lng":11,"subject":"D3"}"#,
    ]
    let answer = await post(
      stream ? items.joined(separator: "\n") : "[\(items.joined(separator: ","))]", stream: stream)
    #expect(answer.status == 200)
    #expect(answer["received"] as? Int == 6)
    #expect(answer["accepted"] as? Int == 2)
    #expect(answer["refusedCount"] as? Int == 4)
    let refused = answer["refused"] as? [[String: Any]] ?? []
    #expect(refused.map { $0["index"] as? Int } == [1, 2, 4, 5])
    #expect(
      refused.map { $0["reason"] as? String }
        == ["invalid_fix", "malformed", "subject_missing", "invalid_fix"])
    #expect(Set(refused.map { $0["code"] as? String }) == ["VALIDATION_ERROR"])
    #expect(
      refused.first?["problems"] as? [String] == ["lat_not_a_number", "time_missing"])
    #expect(answer["eventCount"] as? Int == 2)
  }

  @Test func `what is no fix at all is refused whole`() async {
    let answer = await post(#"{"subject":"D1","lat":48}"#)
    #expect(answer.status == 400)
    #expect(answer.problems == ["lng_missing", "time_missing"])
  }

  @Test func `the subject of a whole request is that of its header or query`() async throws {
    let byHeader = await post(stores.fix(nil), headers: ["X-Subject": "van 7"])
    #expect(byHeader["events", 0, "subject"] as? String == "van 7")
    let byQuery = await post(stores.fix(nil), "/v1/positions?subject=van+8")
    #expect(byQuery["events", 0, "subject"] as? String == "van 8")
    let own = await post(stores.fix("D1"), "/v1/positions?subject=van+9")
    #expect(own["events", 0, "subject"] as? String == "D1")
  }

  @Test func `a fix that does not count is said with its outcome`() async {
    let first = stores.fix()
    let answer = await post("[\(first),\(first),\(stores.fix(after: 3600))]")
    #expect(answer["received"] as? Int == 3)
    #expect(answer["accepted"] as? Int == 1)
    #expect(answer["passedOverCount"] as? Int == 2)
    let outcomes = (answer["passedOver"] as? [[String: Any]] ?? []).map {
      "\($0["index"] ?? "") \($0["outcome"] ?? "")"
    }
    #expect(outcomes == ["1 duplicate", "2 fix_from_future"])
  }

  @Test func `an arrival and a departure are told once, however often they are sent`() async throws
  {
    let walk = (0..<40).map { step in
      stores.fix(after: Double(step * 10 - 400), north: step < 20 ? 0 : 500)
    }
    let body = walk.joined(separator: "\n")
    let first = await post(body, stream: true)
    #expect(first["eventCount"] as? Int == 2)
    let second = await post(body, stream: true)
    #expect(second["accepted"] as? Int == 0)
    #expect(second["eventCount"] as? Int == 0)
    #expect(try stores.events().map(\.event.kind) == [.entered, .exited])
  }

  @Test func `presence goes on after a restart`() async throws {
    #expect(await post(stores.fix(after: -60))["eventCount"] as? Int == 1)
    let again = try await ServedStores(folder: stores.folder)
    let answer = await again.ask(.post, "/v1/positions", again.fix())
    #expect(answer["accepted"] as? Int == 1)
    #expect(answer["eventCount"] as? Int == 0)
  }

  @Test func `a long stream is taken whole, in an answer of bounded size`() async throws {
    var lines = ""
    for number in 0..<3000 {
      lines += stores.fix("D\(number)") + "\n" + (number.isMultiple(of: 2) ? "nonsense\n" : "")
    }
    let answer = await post(lines, stream: true)
    #expect(answer["received"] as? Int == 4500)
    #expect(answer["accepted"] as? Int == 3000)
    #expect(answer["eventCount"] as? Int == 3000)
    #expect((answer["events"] as? [Any])?.count == 1000)
    #expect(answer["refusedCount"] as? Int == 1500)
    #expect((answer["refused"] as? [Any])?.count == 1000)
    #expect(try stores.events().count == 3000)
  }

  @Test func `what was measured long ago and is sent now is no silence`() async throws {
    let lines = (0..<5000).map { stores.fix(after: Double($0 * 10 - 86_400)) }
    let answer = await post(lines.joined(separator: "\n"), stream: true)
    #expect(answer["accepted"] as? Int == 5000)
    #expect(try stores.events().map(\.event.kind) == [.entered])
  }

  @Test func `a fix after a silence tells both, though no second has passed`() async throws {
    _ = await post(stores.fix())
    stores.advance(seconds: 31 * 60)
    let answer = await post(stores.fix())
    #expect(answer["accepted"] as? Int == 1)
    #expect(
      try stores.events().map(\.event.kind) == [.entered, .presenceExpired, .presenceResumed])
  }

  @Test func `a body of another type, or one that is too large, is refused`() async {
    let csv = await stores.ask(.post, "/v1/positions", "a,b", headers: ["Content-Type": "text/csv"])
    #expect(csv.status == 415)
    #expect(csv.code == "UNSUPPORTED_MEDIA_TYPE")
    let large = await post("[" + String(repeating: " ", count: 1 << 20) + "]")
    #expect(large.status == 413)
    #expect(large.code == "PAYLOAD_TOO_LARGE")
  }

  @Test func `silence is told by the service's own clock`() async throws {
    _ = await post(stores.fix())
    stores.advance(seconds: 31 * 60)
    await stores.service.tick()
    #expect(try stores.events().map(\.event.kind) == [.entered, .presenceExpired])
    await stores.service.tick()
    #expect(try stores.events().count == 2)
  }

  @Test func `another process that writes the same subject is no loss`() async throws {
    _ = await post(stores.fix(after: -60))
    let presences = PresenceRepository(database: try Database(path: stores.databasePath))
    let stored = try #require(try presences.presence(of: SubjectID("D1")))
    _ = try presences.record(
      [
        PresenceRepository.Change(
          subject: stored.subject, format: stored.format, snapshot: stored.snapshot,
          fromRevision: stored.revision, events: [])
      ], at: stores.now)
    let answer = await post(stores.fix())
    #expect(answer.status == 200)
    #expect(answer["accepted"] as? Int == 1)
    #expect(try presences.presence(of: SubjectID("D1"))?.revision == stored.revision + 2)
  }
}
