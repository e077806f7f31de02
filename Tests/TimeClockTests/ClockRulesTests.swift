import Geo
import Geofencing
import Persistence
import Testing

@testable import TimeClock

@Suite struct ClockRulesTests {
  private let clockedIn = ClockFixture.history([(.clockIn, "2026-03-02T09:00:00Z")])

  private func judge(
    _ kind: Punch.Kind, _ place: JudgedReport, after punches: [StoredPunch] = [],
    policy: ClockRules.OutsidePolicy = .block, reason: String? = nil
  ) throws(PunchRefusal) -> Punch {
    try ClockRules(clockOutOutside: policy).judge(
      ClockFixture.attempt(kind, reason: reason), at: place,
      after: ClockHistory(punches: punches))
  }

  @Test(arguments: [0, 1, 59.999, 60])
  func `the same punch within 60 s is a duplicate of the first`(seconds: Double) throws {
    let now = ClockFixture.time("2026-03-02T09:00:00Z").advanced(bySeconds: seconds)
    let error = #expect(throws: PunchRefusal.self) {
      try judge(.clockIn, ClockFixture.report(now: now), after: clockedIn)
    }
    #expect(error == .duplicate(of: clockedIn[0]))
    #expect(error?.code == "DUPLICATE_PUNCH")
  }

  @Test func `after 60 s it is a conflict, and says what to do`() throws {
    let now = ClockFixture.time("2026-03-02T09:01:00.001Z")
    let error = #expect(throws: PunchRefusal.self) {
      try judge(.clockIn, ClockFixture.report(now: now), after: clockedIn)
    }
    #expect(error == .conflict(.clockIn, in: .clockedIn(since: clockedIn[0].punch.time)))
    #expect(error?.code == "CONFLICT")
    #expect(error?.description.contains("clock out first") == true)
  }

  @Test func `another kind within 60 s is none`() throws {
    let now = ClockFixture.time("2026-03-02T09:00:00Z")
    let out = try judge(.clockOut, ClockFixture.report(now: now), after: clockedIn)
    #expect(out.time == now)
  }

  @Test(arguments: [ClockRules.OutsidePolicy.block, .flag, .withReason])
  func `a clock-in is refused outside the fence without exception`(
    policy: ClockRules.OutsidePolicy
  ) throws {
    _ = try judge(.clockIn, ClockFixture.report(at: ClockFixture.north199, now: noon))
    for place in [ClockFixture.north200, ClockFixture.north250] {
      let report = ClockFixture.report(at: place, now: noon)
      let error = #expect(throws: PunchRefusal.self) {
        try judge(.clockIn, report, policy: policy, reason: "the door was locked")
      }
      #expect(error == .outsideGeofence(report.eligibility, acceptsReason: false))
      #expect(error?.code == "OUTSIDE_GEOFENCE")
    }
  }

  @Test func `the edge is that of the ellipsoid, not of a sphere`() throws {
    // 200.4 m due east and 199.95 m due north, by GeographicLib.
    let east = ClockFixture.at(45.4214999713, -75.6946395208)
    let outside = ClockFixture.report(at: east, now: noon)
    #expect(abs((outside.eligibility.distance?.meters ?? 0) - 200.4) < 0.001)
    #expect(throws: PunchRefusal.self) { try judge(.clockIn, outside) }
    let north = ClockFixture.at(45.4232990817, -75.6972)
    let inside = ClockFixture.report(at: north, now: noon)
    #expect(abs((inside.eligibility.distance?.meters ?? 0) - 199.95) < 0.001)
    _ = try judge(.clockIn, inside)
  }

  @Test func `a coarse fix outside is uncertain and never outside, and makes no clock-in`() throws {
    let report = ClockFixture.report(at: ClockFixture.north250, now: noon, accuracy: 150)
    #expect(report.eligibility.verdict == .uncertain)
    #expect(report.eligibility.reason == .accuracyTooLow)
    #expect(throws: PunchRefusal.self) { try judge(.clockIn, report) }
  }

  @Test func `a cached fix at the store makes no clock-in, however accurate`() throws {
    _ = try judge(.clockIn, ClockFixture.report(now: noon, accuracy: 2, age: 120))
    let old = ClockFixture.report(now: noon, accuracy: 2, age: 3 * 3600)
    #expect(old.eligibility.reason == .fixTooOld)
    #expect(throws: PunchRefusal.self) { try judge(.clockIn, old) }
  }

  @Test func `the store that is asked for is judged, not another of the same person`() throws {
    let fences = try FenceSet([
      ClockFixture.circle(ClockFixture.ou00, ClockFixture.center),
      // 3 km north.
      ClockFixture.circle(ClockFixture.pa00, ClockFixture.at(45.44849, -75.6972)),
    ])
    let second = ClockFixture.at(45.44849, -75.6972)
    let there = ClockFixture.report(
      at: second, store: ClockFixture.pa00, now: noon, fences: fences)
    let here = ClockFixture.report(at: second, now: noon, fences: fences)
    let rules = ClockRules()
    let punch = try rules.judge(
      ClockFixture.attempt(.clockIn, store: ClockFixture.pa00), at: there, after: ClockHistory())
    #expect(punch.store == ClockFixture.pa00)
    #expect(throws: PunchRefusal.self) {
      try rules.judge(ClockFixture.attempt(.clockIn), at: here, after: ClockHistory())
    }
  }

  @Test(arguments: [Punch.Kind.clockOut, .breakStart])
  func `who forgot and is at home may clock out as the policy says`(kind: Punch.Kind) throws {
    // 5 km north.
    let home = ClockFixture.report(
      at: ClockFixture.at(45.46648, -75.6972), now: ClockFixture.time("2026-03-02T18:00:00Z"))
    let blocked = #expect(throws: PunchRefusal.self) { try judge(kind, home, after: clockedIn) }
    #expect(blocked == .outsideGeofence(home.eligibility, acceptsReason: false))

    let flagged = try judge(kind, home, after: clockedIn, policy: .flag)
    #expect(flagged.isOutside)
    #expect(flagged.evidence?.verdict == .outside)

    for reason in [nil, "", " \n"] {
      let silent = #expect(throws: PunchRefusal.self) {
        try judge(kind, home, after: clockedIn, policy: .withReason, reason: reason)
      }
      #expect(silent == .outsideGeofence(home.eligibility, acceptsReason: true))
    }
    let explained = try judge(
      kind, home, after: clockedIn, policy: .withReason, reason: "forgot")
    #expect(explained.isOutside)
    #expect(explained.statedReason == "forgot")
  }

  @Test func `no policy helps who is not assigned`() throws {
    let stranger = ClockFixture.report(now: noon, isAssigned: false)
    let error = #expect(throws: PunchRefusal.self) {
      try judge(.clockOut, stranger, after: clockedIn, policy: .flag)
    }
    #expect(error == .outsideGeofence(stranger.eligibility, acceptsReason: false))
  }

  @Test func `nobody works at two stores at once, but a forgotten clock-out bars nobody`() throws {
    let other = PunchRepository.ClockHead(
      employment: 2, user: 7, store: ClockFixture.pa00, lastSequence: 3, clockedInSince: noon)
    let history = ClockHistory(punches: [], openElsewhere: [other])
    let limit = noon.advanced(bySeconds: 16 * 3600)
    let error = #expect(throws: PunchRefusal.self) {
      try ClockRules().judge(
        ClockFixture.attempt(.clockIn), at: ClockFixture.report(now: limit), after: history)
    }
    #expect(error == .openElsewhere(store: ClockFixture.pa00, since: noon))
    #expect(error?.code == "CONFLICT")
    _ = try ClockRules().judge(
      ClockFixture.attempt(.clockIn),
      at: ClockFixture.report(now: limit.advanced(byMilliseconds: 1)), after: history)
  }

  @Test func `a clock that was set back makes no punch before another, and no duplicate`() throws {
    let history = ClockFixture.history([
      (.clockIn, "2026-03-02T09:00:00Z"), (.clockOut, "2026-03-02T09:00:30Z"),
    ])
    let before = ClockFixture.time("2026-03-02T08:30:00Z")
    let punch = try judge(.clockIn, ClockFixture.report(now: before), after: history)
    #expect(punch.time == history[1].punch.time)
    #expect(punch.receivedAt == before)
  }
}
