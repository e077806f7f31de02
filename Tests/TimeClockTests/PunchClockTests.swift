import Geo
import Geofencing
import Persistence
import TestSupport
import Testing

@testable import TimeClock

@Suite struct PunchClockTests {
  private let folder: TemporaryFolder
  private let database: Database
  private let clock: PunchClock
  private let punches: PunchRepository

  init() throws {
    folder = try TemporaryFolder()
    database = try Database(path: folder.path("doorstep.db"))
    clock = PunchClock(database: database)
    punches = PunchRepository(database: database)
  }

  @discardableResult
  private func punch(
    _ kind: Punch.Kind, store: Fence.ID = ClockFixture.ou00, at time: Timestamp
  ) throws -> StoredPunch {
    try clock.record(
      ClockFixture.attempt(kind, store: store), at: ClockFixture.report(store: store, now: time))
  }

  private func refusal(_ body: () throws -> StoredPunch) -> String? {
    do {
      _ = try body()
      return nil
    } catch {
      guard case .refused(let refusal)? = error as? PunchError else { return "\(error)" }
      return refusal.code
    }
  }

  @Test func `a day at the clock is recorded in order and read back whole`() throws {
    let day: [(Punch.Kind, Double)] = [
      (.clockIn, 0), (.breakStart, 3600), (.breakEnd, 5400), (.clockOut, 8 * 3600),
    ]
    var recorded: [StoredPunch] = []
    for (kind, seconds) in day {
      recorded.append(try punch(kind, at: noon.advanced(bySeconds: seconds)))
    }
    #expect(recorded.map(\.sequence) == [1, 2, 3, 4])
    let read = try punches.punches(of: 1)
    #expect(read.map(\.punch.kind) == day.map(\.0))
    #expect(read.map(\.punch.time) == recorded.map(\.punch.time))
    #expect(read.allSatisfy { $0.punch.evidence?.reason == .inside })
    #expect(try clock.state(of: 1, now: noon.advanced(bySeconds: 9 * 3600)) == .notClockedIn)
  }

  @Test func `leaving one store and coming to another in the same second are both taken`() throws {
    let start = noon.advanced(bySeconds: -3600)
    try punch(.clockIn, at: start)
    #expect(refusal { try punch(.clockIn, store: ClockFixture.pa00, at: noon) } == "CONFLICT")
    try punch(.clockOut, at: noon)
    try punch(.clockIn, store: ClockFixture.pa00, at: noon)
    #expect(try clock.state(of: 1, now: noon) == .notClockedIn)
    #expect(try clock.state(of: 2, now: noon) == .clockedIn(since: noon))
    #expect(try punches.openShifts(of: 7).map(\.store) == [ClockFixture.pa00])
  }

  @Test func `an employment has one open shift, and the day after a forgotten clock-out another`()
    throws
  {
    try punch(.clockIn, at: noon)
    let soon = noon.advanced(bySeconds: 3600)
    #expect(refusal { try punch(.clockIn, at: soon) } == "CONFLICT")
    let nextDay = noon.advanced(bySeconds: 24 * 3600 + 300)
    try punch(.clockIn, at: nextDay)
    #expect(try clock.state(of: 1, now: nextDay) == .clockedIn(since: nextDay))
    #expect(try punches.openShifts().map(\.clockedInSince) == [nextDay])
  }

  @Test func `of 20 clock-ins at once one is taken and the others are duplicates`() async throws {
    let path = folder.path("doorstep.db")
    let outcomes = await withTaskGroup(of: String.self) { group in
      for number in 0..<20 {
        group.addTask {
          do {
            let clock = PunchClock(database: try Database(path: path, busyMilliseconds: 30_000))
            let report = ClockFixture.report(now: noon.advanced(byMilliseconds: Int64(number)))
            _ = try clock.record(ClockFixture.attempt(.clockIn), at: report)
            return "taken"
          } catch {
            guard case .refused(let refusal)? = error as? PunchError else { return "\(error)" }
            return refusal.code
          }
        }
      }
      return await group.reduce(into: [String: Int]()) { $0[$1, default: 0] += 1 }
    }
    // Whose clock is a little behind the first one's meets the shift that is open.
    #expect(outcomes["taken"] == 1)
    #expect(outcomes["DUPLICATE_PUNCH", default: 0] + outcomes["CONFLICT", default: 0] == 19)
    #expect(try punches.punches(of: 1).count == 1)
  }

  @Test func `a punch and what the caller adds are kept together or not at all`() throws {
    struct Failure: Error {}
    let schedule = ScheduleRepository(database: database)
    let day = CivilDate(year: 2026, month: 3, day: 2)!
    let entry = ScheduleEntry(dayOff: day, employment: 1, store: ClockFixture.ou00)
    #expect(throws: Failure.self) {
      try database.transaction(wrapping: { $0 as any Error }) {
        try punch(.clockIn, at: noon)
        try schedule.add([entry])
        throw Failure()
      }
    }
    #expect(try punches.punches(of: 1).isEmpty)
    #expect(try punches.head(of: 1) == nil)
    #expect(try schedule.entries(of: 1, from: day, through: day).isEmpty)
    try database.transaction(wrapping: { $0 as any Error }) {
      try punch(.clockIn, at: noon)
      try schedule.add([entry])
    }
    #expect(try punches.punches(of: 1).map(\.sequence) == [1])
    #expect(try schedule.entries(of: 1, from: day, through: day).count == 1)
  }
}
