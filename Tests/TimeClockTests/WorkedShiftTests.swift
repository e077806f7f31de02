import Geo
import Persistence
import TestSupport
import Testing

@testable import TimeClock

@Suite struct WorkedShiftTests {
  private func shifts(
    _ punches: [(Punch.Kind, String)], now: String = "2030-01-01T00:00:00Z"
  ) -> [WorkedShift] {
    WorkedShift.shifts(
      of: ClockFixture.history(punches).map(\.punch), now: ClockFixture.time(now))
  }

  private func date(_ year: Int, _ month: Int, _ day: Int) -> CivilDate {
    CivilDate(year: year, month: month, day: day)!
  }

  private func minutes(_ shifts: [WorkedShift]) -> [Int64] {
    shifts.map { $0.workedMilliseconds / 60_000 }
  }

  private func days(
    _ shifts: [WorkedShift], _ zone: String, from first: CivilDate, through last: CivilDate
  ) -> [DayHours] {
    DayHours.days(
      from: first, through: last, of: shifts, in: StoreTimeZone(identifier: zone)!)
  }

  @Test func `clocking out during a break ends the break and the shift`() {
    let found = shifts([
      (.clockIn, "2026-03-02T10:43:00Z"), (.breakStart, "2026-03-02T10:44:00Z"),
      (.clockOut, "2026-03-02T10:45:00Z"),
    ])
    #expect(minutes(found) == [1])
    #expect(found.first?.ending == .clockedOut(ClockFixture.time("2026-03-02T10:45:00Z")))
    #expect(found.first?.breaks.count == 1)
  }

  @Test func `an hour in the evening is an hour of that day, where UTC has the next`() {
    let worked = shifts([
      (.clockIn, "2025-11-13T16:30:00-07:00"), (.clockOut, "2025-11-13T17:30:00-07:00"),
    ])
    let found = days(
      worked, "America/Denver", from: date(2025, 11, 12), through: date(2025, 11, 14))
    #expect(found.map { $0.workedMilliseconds / 60_000 } == [0, 60, 0])
    #expect(found.map { $0.workedWithinDayMilliseconds / 60_000 } == [0, 60, 0])
  }

  @Test func `the day before yesterday in a zone behind UTC is that day's`() {
    let worked = shifts([
      (.clockIn, "2026-06-10T20:00:00-03:00"), (.clockOut, "2026-06-10T23:30:00-03:00"),
    ])
    let found = days(
      worked, "America/Asuncion", from: date(2026, 6, 9), through: date(2026, 6, 12))
    #expect(found.map { $0.workedMilliseconds / 60_000 } == [0, 210, 0, 0])
  }

  @Test func `a shift over midnight is its first day's, and is split where that is asked`() {
    let worked = shifts([
      (.clockIn, "2026-07-06T22:00:00-04:00"), (.breakStart, "2026-07-06T23:30:00-04:00"),
      (.breakEnd, "2026-07-07T00:30:00-04:00"), (.clockOut, "2026-07-07T06:00:00-04:00"),
    ])
    let found = days(
      worked, "America/Toronto", from: date(2026, 7, 6), through: date(2026, 7, 7))
    #expect(found.map { $0.workedMilliseconds / 60_000 } == [420, 0])
    #expect(found.map { $0.workedWithinDayMilliseconds / 60_000 } == [90, 330])
    #expect(found.map(\.shifts.count) == [1, 0])
  }

  @Test(arguments: [
    ("2026-03-07T22:00:00-05:00", "2026-03-08T06:00:00-04:00", 7.0),
    ("2026-10-31T22:00:00-04:00", "2026-11-01T06:00:00-05:00", 9.0),
    ("2026-06-06T22:00:00-04:00", "2026-06-07T06:00:00-04:00", 8.0),
  ])
  func `over a change of the clocks the elapsed hours count`(
    start: String, end: String, hours: Double
  ) {
    let worked = shifts([(.clockIn, start), (.clockOut, end)])
    #expect(minutes(worked) == [Int64(hours * 60)])
    let day = StoreTimeZone(identifier: "America/Toronto")!.day(of: ClockFixture.time(start))
    let found = days(worked, "America/Toronto", from: day, through: day.advanced(byDays: 1))
    #expect(
      found.map { $0.workedWithinDayMilliseconds / 60_000 } == [120, Int64(hours * 60) - 120])
  }

  @Test func `a shift nobody clocked out of counts only up to its last punch, and says so`() {
    let worked = shifts([
      (.clockIn, "2026-03-02T09:00:00Z"), (.breakStart, "2026-03-02T12:00:00Z"),
      (.breakEnd, "2026-03-02T12:30:00Z"), (.clockIn, "2026-03-03T09:05:00Z"),
      (.clockOut, "2026-03-03T10:05:00Z"), (.clockIn, "2026-03-04T09:00:00Z"),
    ])
    #expect(worked.map(\.ending).map { $0 == .missingOut } == [true, false, true])
    #expect(minutes(worked) == [180, 60, 0])
    let found = days(worked, "UTC", from: date(2026, 3, 2), through: date(2026, 3, 4))
    #expect(found.map(\.isIncomplete) == [true, false, true])
  }

  @Test func `an open shift counts up to now, and a forgotten one does not`() {
    let punches: [(Punch.Kind, String)] = [(.clockIn, "2026-03-02T09:00:00Z")]
    let open = shifts(punches, now: "2026-03-03T01:00:00Z")
    #expect(open.map(\.ending) == [.open])
    #expect(minutes(open) == [16 * 60])
    let forgotten = shifts(punches, now: "2026-03-03T01:00:00.001Z")
    #expect(forgotten.map(\.ending) == [.missingOut])
    #expect(minutes(forgotten) == [0])
    let onBreak = shifts(
      punches + [(.breakStart, "2026-03-02T10:00:00Z")], now: "2026-03-02T12:00:00Z")
    #expect(minutes(onBreak) == [60])
    #expect(minutes(shifts(punches, now: "2026-03-02T08:00:00Z")) == [0])
  }

  @Test(arguments: 1...20)
  func `work and breaks fill each shift, and both ways to count days agree`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var state = ClockState.notClockedIn
    var time = ClockFixture.time("2026-02-20T00:00:00Z")
    var punches: [Punch] = []
    for _ in 0..<80 {
      time = time.advanced(bySeconds: .random(in: 1...30_000, using: &random))
      let kinds = Punch.Kind.allCases.filter { state.following($0, at: time) != nil }
      let kind = kinds.randomElement(using: &random)!
      state = state.following(kind, at: time)!
      punches.append(
        Punch(kind: kind, employment: 1, user: 7, store: ClockFixture.ou00, time: time))
    }
    let worked = WorkedShift.shifts(of: punches, now: time)
    #expect(worked.count == punches.filter { $0.kind == .clockIn }.count)
    for shift in worked {
      #expect(shift.workedMilliseconds >= 0)
      guard case .clockedOut(let end) = shift.ending else { continue }
      let breaks = shift.breaks.reduce(0) { $0 + $1.upperBound.milliseconds(since: $1.lowerBound) }
      #expect(shift.workedMilliseconds + breaks == end.milliseconds(since: shift.start))
    }
    for zone in ["America/Toronto", "Australia/Lord_Howe", "Asia/Kolkata"] {
      let found = days(worked, zone, from: date(2026, 2, 1), through: date(2026, 4, 30))
      let total = worked.reduce(0) { $0 + $1.workedMilliseconds }
      #expect(found.reduce(0) { $0 + $1.workedMilliseconds } == total)
      #expect(found.reduce(0) { $0 + $1.workedWithinDayMilliseconds } == total)
    }
  }
}
