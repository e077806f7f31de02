import Geo
import Geofencing
import Persistence
import TestSupport
import Testing

@testable import TimeClock

@Suite struct PunchAuditTests {
  private let folder: TemporaryFolder
  private let database: Database
  private let punches: PunchRepository

  init() throws {
    folder = try TemporaryFolder()
    database = try Database(path: folder.path("doorstep.db"))
    punches = PunchRepository(database: database)
  }

  /// A punch as the rules would make it, but of a kind and mark of the test's choice.
  private func punch(
    _ kind: Punch.Kind, _ report: JudgedReport?, evidence: PunchEvidence? = nil,
    isOutside: Bool = false, after seconds: Double = 0
  ) -> Punch {
    Punch(
      kind: kind, employment: 1, user: 7, store: ClockFixture.ou00,
      time: noon.advanced(bySeconds: seconds), isOutside: isOutside,
      evidence: evidence ?? report?.evidence)
  }

  private func problems(_ list: [Punch]) throws -> [PunchAudit.Problem] {
    for (index, punch) in list.enumerated() {
      guard case .recorded = try punches.append(punch, after: index) else {
        Issue.record("not recorded")
        return []
      }
    }
    return try auditPunches(in: punches).findings.map(\.problem)
  }

  @Test func `punches that the rules took are all found right, and counted`() throws {
    var random = SeededGenerator(seed: 3)
    let clock = PunchClock(database: database, rules: ClockRules(clockOutOutside: .flag))
    var now = noon
    for _ in 0..<700 {
      now = now.advanced(bySeconds: .random(in: 30...20_000, using: &random))
      let place = ClockFixture.at(
        45.4215 + .random(in: -0.004...0.004, using: &random), -75.6972)
      let store = Bool.random(using: &random) ? ClockFixture.ou00 : ClockFixture.pa00
      let fix = Fix(
        coordinate: place, time: now.advanced(bySeconds: -.random(in: -70...150, using: &random)),
        accuracy: .meters(.random(in: 0...130, using: &random)))
      let last = SubjectPresence.CountedFix(
        coordinate: ClockFixture.center,
        time: fix.time.advanced(bySeconds: -.random(in: 1...5, using: &random)), accuracy: nil)
      let report = [Eligibility.Report.fix(fix), .noFix, .invalid([.latitudeMissing])][
        max(0, Int.random(in: -9...2, using: &random))]
      let judged = JudgedReport(
        report, at: store, in: ClockFixture.fences, revision: 4,
        circumstances: .init(
          now: now, sentAt: Bool.random(using: &random) ? now.advanced(bySeconds: 7) : nil,
          lastCounted: Bool.random(using: &random) ? last : nil))!
      let kind = Punch.Kind.allCases.randomElement(using: &random)!
      _ = try? clock.record(ClockFixture.attempt(kind, store: store), at: judged)
    }
    let audit = try auditPunches(in: punches)
    #expect(audit.findings == [])
    #expect(audit.punches > 60)
    #expect(audit.clockIns > 20)
    #expect(audit.outside > 10)
  }

  @Test func `a clock-in from outside is found`() throws {
    let far = ClockFixture.report(at: ClockFixture.north250, now: noon)
    #expect(try problems([punch(.clockIn, far)]) == [.clockInOutside(.outside)])
  }

  @Test func `a clock-in whose evidence was made up is found`() throws {
    let near = ClockFixture.report(now: noon).evidence
    let far = ClockFixture.report(at: ClockFixture.north250, now: noon).evidence
    func evidence(
      fix: PunchEvidence.ReportedFix?, reason: Eligibility.Reason = .inside, distance: Distance?
    ) -> PunchEvidence {
      PunchEvidence(
        fence: near.fence, fenceRevision: 1, fix: fix, sentAt: nil, lastCounted: nil,
        verdict: near.verdict, reason: reason, distance: distance,
        confidence: near.confidence, visit: nil, rule: nil)
    }
    let made = [
      evidence(fix: far.fix, distance: near.distance),
      evidence(fix: near.fix, distance: .meters(3)), evidence(fix: nil, distance: near.distance),
      evidence(fix: near.fix, reason: .nearEdge, distance: near.distance),
    ]
    let found = try made.map { evidence in
      var audit = PunchAudit()
      audit.examine(
        StoredPunch(id: 1, sequence: 1, punch: punch(.clockIn, nil, evidence: evidence)))
      return try #require(audit.findings.first).problem
    }
    #expect(
      found == [
        .clockInOutside(.outside), .otherAnswer(recorded: .inside, judged: .inside), .noEvidence,
        .otherAnswer(recorded: .nearEdge, judged: .inside),
      ])
  }

  @Test func `a clock-out from outside is right only where it is marked`() throws {
    let near = ClockFixture.report(now: noon)
    let far = ClockFixture.report(at: ClockFixture.north250, now: noon.advanced(bySeconds: 90))
    #expect(
      try problems([punch(.clockIn, near), punch(.clockOut, far, after: 90)])
        == [.outsideNotMarked(.outside)])
  }

  @Test func `a punch without evidence, or out of sequence, is found`() throws {
    let later = noon.advanced(bySeconds: 90)
    #expect(
      try problems([
        punch(.clockIn, nil), punch(.breakEnd, ClockFixture.report(now: later), after: 90),
      ]) == [.noEvidence, .outOfSequence(.clockedIn(since: noon))])
  }

  @Test func `a gap in an employment's numbers is found`() {
    var audit = PunchAudit()
    let report = ClockFixture.report(now: noon)
    audit.examine(StoredPunch(id: 1, sequence: 1, punch: punch(.clockIn, report)))
    audit.examine(StoredPunch(id: 2, sequence: 3, punch: punch(.clockOut, report)))
    #expect(
      audit.findings == [.init(punch: 2, problem: .outOfSequence(.clockedIn(since: noon)))])
  }

  @Test func `a punch is judged by the fence as it was, not as it is`() throws {
    let wide = try FenceSet([
      ClockFixture.circle(ClockFixture.ou00, ClockFixture.center, radius: 300)
    ])
    let report = ClockFixture.report(at: ClockFixture.north250, now: noon, fences: wide)
    #expect(try problems([punch(.clockIn, report)]) == [])
    #expect(try punches.punch(1)?.punch.evidence?.fence.area == wide[ClockFixture.ou00]?.area)
  }
}
