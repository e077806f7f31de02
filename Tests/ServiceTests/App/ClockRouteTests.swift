import Foundation
import Geo
import Geofencing
import HTTP
import Identity
import Persistence
import Testing

@Suite struct ClockRouteTests {
  let app: ClockedStores

  init() async throws { app = try await ClockedStores() }

  @Test func `somebody signs in, clocks in and out, and sees the hours`() async throws {
    let token = await app.token()
    let before = await app.ask(.post, "ou00/clock/status", app.at(), token: token)
    #expect(before.status == 200)
    #expect(before["status"] as? String == "notClockedIn")
    #expect(before["eligibility", "eligible"] as? Bool == true)
    let clockIn = await app.ask(.post, "OU00/clock/in", app.at(45.4228496), token: token)
    #expect(clockIn.status == 200)
    #expect(clockIn["typeNum"] as? String == "ou00")
    #expect(clockIn["timeZone"] as? String == "America/Toronto")
    #expect(clockIn["time"] as? String == "2026-03-02T12:00:00.000Z")
    #expect(clockIn["localTime"] as? String == "2026-03-02T07:00:00.000-05:00")
    app.stores.advance(seconds: 3600)
    let during = await app.ask(.post, "ou00/clock/status", app.at(), token: token)
    #expect(during["status"] as? String == "clockedIn")
    #expect(during["clockedInSince"] as? String == "2026-03-02T12:00:00.000Z")
    #expect(await app.ask(.post, "ou00/clock/break/start", app.at(), token: token).status == 200)
    app.stores.advance(seconds: 600)
    #expect(await app.ask(.post, "ou00/clock/break/end", app.at(), token: token).status == 200)
    app.stores.advance(seconds: 1800)
    #expect(await app.ask(.post, "ou00/clock/out", app.at(), token: token).status == 200)
    let hours = await app.ask(
      .get, "ou00/hours?from=2026-03-01&to=2026-03-02", token: token)
    #expect(hours["days", 0, "workedMilliseconds"] as? Int == 0)
    #expect(hours["days", 1, "workedMilliseconds"] as? Int == 5_400_000)
    let day = await app.ask(.post, "ou00/schedule/today", token: token)
    #expect(day["date"] as? String == "2026-03-02")
    var found: [StoredPunch] = []
    try PunchRepository(database: try app.database).forEachPunch { found.append($0) }
    #expect(found.map(\.punch.kind) == [.clockIn, .breakStart, .breakEnd, .clockOut])
    #expect(found.allSatisfy { $0.punch.evidence != nil })
    #expect(found.first?.punch.origin.remoteAddress == "127.0.0.1")
    #expect(found.first?.punch.origin.clientName == "test/1")
  }

  @Test(arguments: [
    (45.4232986, 1.0, 200), (45.4233004, 1.0, 403), (45.4237494, 8.0, 403),
  ])
  func `a clock-in counts within 200 m by the ellipsoid`(
    latitude: Double, accuracy: Double, status: Int
  ) async throws {
    let answer = await app.ask(
      .post, "ou00/clock/in", app.at(latitude, accuracy: accuracy), token: await app.token())
    #expect(answer.status == status)
    #expect(try app.punchCount() == (status == 200 ? 1 : 0))
  }

  @Test func `G1: a coarse fix is uncertain, and never outside`() async {
    let answer = await app.ask(
      .post, "ou00/clock/status", app.at(45.4237494, accuracy: 150), token: await app.token())
    #expect(answer["eligibility", "verdict"] as? String == "uncertain")
    #expect(answer["eligibility", "reason"] as? String == "accuracy_too_low")
  }

  @Test func `G5: the store in the path is judged, and the other one is suggested`() async {
    let token = await app.token()
    let answer = await app.ask(.post, "ou00/clock/status", app.at(45.4485), token: token)
    #expect(answer["eligibility", "eligible"] as? Bool == false)
    #expect(answer["suggestion", "typeNum"] as? String == "far0")
    #expect(answer["suggestion", "storeName"] as? String == "Far Store")
    let there = await app.ask(.post, "far0/clock/status", app.at(45.4485), token: token)
    #expect(there["eligibility", "eligible"] as? Bool == true)
    #expect(there["suggestion"] == nil)
    let bo = await app.token("bo")
    let other = await app.ask(.post, "ou00/clock/status", app.at(45.4485), token: bo)
    #expect(other.status == 200)
    #expect(other["suggestion"] == nil)
  }

  @Test func `G7: an old fix takes no clock-in, and one without its time is none`() async throws {
    let token = await app.token()
    let old = await app.ask(
      .post, "ou00/clock/in", app.at(accuracy: 2, age: 10_800), token: token)
    #expect(old.code == "OUTSIDE_GEOFENCE")
    #expect(old["error", "details", "eligibility", "reason"] as? String == "fix_too_old")
    let timeless = await app.ask(
      .post, "ou00/clock/in", #"{"lat":45.4215,"lng":-75.6972}"#, token: token)
    #expect(timeless.status == 400)
    #expect(timeless.problems == ["time_missing"])
    #expect(try app.punchCount() == 0)
  }

  @Test func `G15: a refusal says how far it is, and by which fence`() async {
    let answer = await app.ask(
      .post, "ou00/clock/in", app.at(45.4237494), token: await app.token())
    #expect(answer.status == 403)
    #expect(answer.code == "OUTSIDE_GEOFENCE")
    let distance = answer["error", "details", "eligibility", "distanceMeters"] as? Double ?? 0
    #expect(abs(distance - 250) < 0.01)
    #expect(answer["error", "details", "eligibility", "radiusMeters"] as? Double == 200)
    #expect(answer["error", "details", "fenceVersion"] as? Int == 1)
  }

  @Test func `O1: a repeat with the same key gets the first answer and makes one punch`()
    async throws
  {
    let token = await app.token()
    let body = app.at()
    let first = await app.ask(.post, "ou00/clock/in", body, token: token, key: "k1")
    app.stores.advance(seconds: 5)
    let second = await app.ask(.post, "ou00/clock/in", body, token: token, key: "k1")
    #expect(first.status == 200)
    #expect(second.status == 200)
    #expect(second.text == first.text)
    #expect(try app.punchCount() == 1)
    let other = await app.ask(.post, "ou00/clock/in", app.at(), token: token, key: "k1")
    #expect(other.status == 422)
    #expect(other.code == "IDEMPOTENCY_MISMATCH")
  }

  @Test func `O17: a refusal is not kept under its key`() async throws {
    let token = await app.token()
    let outside = await app.ask(
      .post, "ou00/clock/in", app.at(45.4237494), token: token, key: "k")
    #expect(outside.status == 403)
    #expect(await app.ask(.post, "ou00/clock/in", app.at(), token: token, key: "k").status == 200)
    #expect(try app.punchCount() == 1)
  }

  @Test func `a second punch is a duplicate for 60 s, and a conflict after`() async {
    let token = await app.token()
    #expect(await app.ask(.post, "ou00/clock/in", app.at(), token: token).status == 200)
    app.stores.advance(seconds: 60)
    let duplicate = await app.ask(.post, "ou00/clock/in", app.at(), token: token)
    #expect(duplicate.status == 409)
    #expect(duplicate.code == "DUPLICATE_PUNCH")
    app.stores.advance(seconds: 0.001)
    let conflict = await app.ask(.post, "ou00/clock/in", app.at(), token: token)
    #expect(conflict.status == 409)
    #expect(conflict.code == "CONFLICT")
    #expect(conflict["error", "details", "status"] as? String == "clockedIn")
    let elsewhere = await app.ask(.post, "pa00/clock/in", app.at(), token: token)
    #expect(elsewhere.code == "CONFLICT")
    #expect(elsewhere["error", "details", "typeNum"] as? String == "ou00")
  }

  @Test func `revoked access ends at once, and nobody is let in at a store of others`()
    async throws
  {
    let token = await app.token()
    #expect(await app.ask(.post, "ou00/clock/status", app.at(), token: token).status == 200)
    let ana = try app.user("ana")
    _ = try app.administration.revoke(user: ana, from: "ou00", now: app.stores.now)
    for path in ["ou00/clock/status", "ou00/clock/in", "ou00/schedule/today"] {
      let answer = await app.ask(.post, path, app.at(), token: token)
      #expect(answer.status == 403)
      #expect(answer.code == "STORE_ACCESS_REVOKED")
    }
    #expect(await app.ask(.post, "pa00/clock/status", app.at(), token: token).status == 200)
    for path in ["x1/clock/in", "none/clock/in"] {
      #expect(await app.ask(.post, path, app.at(), token: token).code == "FORBIDDEN")
    }
    #expect(try app.punchCount() == 0)
  }

  @Test func `a role without the permission takes no punch`() async {
    let answer = await app.ask(.post, "x1/clock/in", app.at(), token: await app.token("cy"))
    #expect(answer.code == "FORBIDDEN")
  }

  @Test func `today's shift is told in the store's time`() async throws {
    let employment = try AccountRepository(database: app.database)
      .employments(of: app.user("ana"), at: "ou00")[0].id
    let hours = ScheduleEntry.Hours(
      start: TimeOfDay(hour: 8, minute: 30)!, end: TimeOfDay(hour: 17, minute: 0)!)
    try ScheduleRepository(database: app.database).add([
      ScheduleEntry(
        employment: employment, store: Fence.ID("ou00"),
        .weekly(.monday, from: CivilDate(year: 2026, month: 1, day: 1)!, through: nil), hours,
        label: "Buyer")
    ])
    let token = await app.token()
    let day = await app.ask(.post, "ou00/schedule/today", token: token)
    #expect(day["shifts", 0, "start"] as? String == "2026-03-02T13:30:00.000Z")
    #expect(day["shifts", 0, "endLocal"] as? String == "2026-03-02T17:00:00.000-05:00")
    let status = await app.ask(.post, "ou00/clock/status", app.at(), token: token)
    #expect(status["shift", "label"] as? String == "Buyer")
    #expect(await app.ask(.post, "pa00/schedule/today", token: token)["shifts", 0] == nil)
  }

  @Test func `a stay at another store is suggested with its visit`() async throws {
    let token = await app.token()
    let subject = "user-\(try app.user("ana"))"
    for seconds in [0.0, 20] {
      app.stores.advance(seconds: seconds)
      let fix = """
        {"subject":"\(subject)","time":"\(app.stores.now)","lat":45.4485,"lng":-75.6972,\
        "accuracyMeters":8}
        """
      #expect(await app.stores.ask(.post, "/v1/positions", fix).status == 200)
    }
    let status = await app.ask(.post, "ou00/clock/status", app.at(45.4485), token: token)
    #expect(status["suggestion", "typeNum"] as? String == "far0")
    #expect((status["suggestion", "visitId"] as? String)?.isEmpty == false)
  }

  @Test(arguments: [
    "", "?from=2026-03-02", "?from=2026-02-30&to=2026-03-02", "?from=2026-03-03&to=2026-03-02",
    "?from=2025-03-01&to=2026-03-02",
  ])
  func `hours are of a year at most, between two dates`(query: String) async {
    let answer = await app.ask(.get, "ou00/hours\(query)", token: await app.token())
    #expect(answer.status == 400)
    #expect(answer.code == "VALIDATION_ERROR")
  }

  @Test func `who does not say who they are is told nothing of the body`() async {
    #expect(await app.ask(.post, "ou00/clock/in", "{").code == "UNAUTHORIZED")
    #expect(await app.ask(.post, "ou00/clock/in", "{", token: await app.token()).status == 400)
  }
}
