import Geo
import Geofencing
import Persistence
import TestSupport
import Testing

@testable import TimeClock

@Suite struct PlannedShiftTests {
  private let always = CivilDate(year: 2020, month: 1, day: 1)!

  private func date(_ year: Int, _ month: Int, _ day: Int) -> CivilDate {
    CivilDate(year: year, month: month, day: day)!
  }

  private func hours(_ start: (Int, Int), _ end: (Int, Int)) -> ScheduleEntry.Hours {
    .init(
      start: TimeOfDay(hour: start.0, minute: start.1)!, end: TimeOfDay(hour: end.0, minute: end.1)!
    )
  }

  private func schedule(_ zone: String, _ entries: [ScheduleEntry]) -> Schedule {
    Schedule(
      entries.enumerated().map { .init(id: $0 + 1, entry: $1) },
      in: StoreTimeZone(identifier: zone)!)
  }

  private func weekly(
    _ weekday: Weekday, _ hours: ScheduleEntry.Hours, through last: CivilDate? = nil
  ) -> ScheduleEntry {
    ScheduleEntry(
      employment: 1, store: ClockFixture.ou00, .weekly(weekday, from: always, through: last), hours)
  }

  private func instants(_ start: String, _ end: String) -> Range<Timestamp> {
    ClockFixture.time(start)..<ClockFixture.time(end)
  }

  @Test func `half past eight stays half past eight in summer and in winter`() {
    let shifts = schedule("Europe/London", [weekly(.monday, hours((8, 30), (17, 30)))])
    #expect(
      shifts.shifts(on: date(2026, 7, 6)).map(\.instants)
        == [instants("2026-07-06T07:30:00Z", "2026-07-06T16:30:00Z")])
    #expect(
      shifts.shifts(on: date(2026, 11, 2)).map(\.instants)
        == [instants("2026-11-02T08:30:00Z", "2026-11-02T17:30:00Z")])
    #expect(shifts.shifts(on: date(2026, 11, 3)).isEmpty)
  }

  @Test func `a night shift lasts as long as the night really does`() {
    let nights = schedule(
      "America/Toronto", [weekly(.saturday, hours((22, 0), (6, 0)))])
    let lengths = [date(2026, 3, 7), date(2026, 6, 6), date(2026, 10, 31)].map { day in
      nights.shifts(on: day).map {
        $0.instants.upperBound.seconds(since: $0.instants.lowerBound) / 3600
      }
    }
    #expect(lengths == [[7], [8], [9]])
  }

  @Test func `a begin that is skipped moves on by what is skipped, and no shift is below zero`() {
    let early = schedule("America/Toronto", [weekly(.sunday, hours((2, 30), (3, 0)))])
    let skipped = ClockFixture.time("2026-03-08T07:30:00Z")
    #expect(early.shifts(on: date(2026, 3, 8)).map(\.instants) == [skipped..<skipped])
    let twice = schedule("America/Toronto", [weekly(.sunday, hours((1, 30), (4, 0)))])
    #expect(
      twice.shifts(on: date(2026, 11, 1)).map(\.instants)
        == [instants("2026-11-01T05:30:00Z", "2026-11-01T09:00:00Z")])
  }

  @Test func `a dated shift, or a day off, stands instead of the weekly ones of that employment`() {
    let monday = date(2026, 7, 6)
    let other = ScheduleEntry(
      employment: 2, store: ClockFixture.ou00, .weekly(.monday, from: always, through: nil),
      hours((9, 0), (12, 0)))
    let changed = ScheduleEntry(
      employment: 1, store: ClockFixture.ou00, .dated(monday), hours((12, 0), (20, 0)),
      label: "Buyer")
    let usual = weekly(.monday, hours((8, 0), (16, 0)))
    let withChange = schedule("UTC", [usual, other, changed])
    #expect(withChange.shifts(on: monday).map(\.entry) == [2, 3])
    #expect(withChange.shifts(on: monday).last?.label == "Buyer")
    #expect(withChange.shifts(on: date(2026, 7, 13)).map(\.entry) == [1, 2])
    let off = ScheduleEntry(dayOff: monday, employment: 1, store: ClockFixture.ou00)
    #expect(schedule("UTC", [usual, other, off]).shifts(on: monday).map(\.entry) == [2])
  }

  @Test func `a weekly shift is there from its first day through its last`() {
    let entry = ScheduleEntry(
      employment: 1, store: ClockFixture.ou00,
      .weekly(.monday, from: date(2026, 7, 6), through: date(2026, 7, 20)), hours((8, 0), (9, 0)))
    let found = schedule("UTC", [entry]).shifts(from: date(2026, 6, 1), through: date(2026, 8, 31))
    #expect(found.map(\.day) == [date(2026, 7, 6), date(2026, 7, 13), date(2026, 7, 20)])
  }

  @Test func `today's shift is the one under way, else the next, else the last of the store's day`()
  {
    let shifts = schedule(
      "America/Toronto",
      [
        weekly(.monday, hours((22, 0), (2, 0))), weekly(.tuesday, hours((9, 0), (12, 0))),
        weekly(.tuesday, hours((14, 0), (18, 0))),
      ])
    func entry(_ local: String) -> Int? {
      shifts.shift(at: ClockFixture.time(local + "-04:00"))?.entry
    }
    #expect(entry("2026-07-06T08:00:00") == 1)
    #expect(entry("2026-07-07T01:59:59") == 1)
    #expect(entry("2026-07-07T02:00:00") == 2)
    #expect(entry("2026-07-07T12:00:00") == 3)
    #expect(entry("2026-07-07T23:00:00") == 3)
    #expect(entry("2026-07-08T00:00:00") == nil)
  }

  @Test func `nobody is absent before the window has ended, after midnight too`() throws {
    let shift = try #require(
      schedule("America/Toronto", [weekly(.monday, hours((15, 0), (23, 30)))])
        .shifts(on: date(2026, 7, 6)).first)
    let end = ClockFixture.time("2026-07-07T01:30:00-04:00")
    #expect(shift.attendanceWindow.upperBound == end)
    let midnight = ClockFixture.time("2026-07-07T00:00:00-04:00")
    #expect(shift.attendance([], now: midnight) == .pending)
    #expect(shift.attendance([], now: end.advanced(byMilliseconds: -1)) == .pending)
    #expect(shift.attendance([], now: end) == .absent)
    let came = WorkedShift.shifts(
      of: ClockFixture.history([(.clockIn, "2026-07-06T14:55:00-04:00")]).map(\.punch),
      now: midnight)
    #expect(shift.attendance(came, now: midnight) == .present)
    let dayBefore = WorkedShift.shifts(
      of: ClockFixture.history([
        (.clockIn, "2026-07-05T14:55:00-04:00"), (.clockOut, "2026-07-05T23:30:00-04:00"),
      ]).map(\.punch), now: midnight)
    #expect(shift.attendance(dayBefore, now: end) == .absent)
  }

  @Test func `weekdays are those of the calendar`() {
    #expect(Weekday(of: date(1970, 1, 1)) == .thursday)
    #expect(Weekday(of: date(2026, 3, 2)) == .monday)
    #expect(Weekday(of: date(1969, 12, 28)) == .sunday)
    #expect(Weekday(of: date(2000, 2, 29)) == .tuesday)
  }

  @Test func `entries come back from the database as they were written`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("doorstep.db")
    let written = [
      weekly(.sunday, hours((22, 0), (6, 0)), through: date(2026, 12, 31)),
      weekly(.monday, hours((0, 0), (23, 59))),
      ScheduleEntry(
        employment: 1, store: ClockFixture.ou00, .dated(date(2026, 7, 6)), hours((8, 0), (9, 0)),
        label: "Käthe's"),
      ScheduleEntry(dayOff: date(2026, 7, 7), employment: 1, store: ClockFixture.ou00),
    ]
    let schedules = ScheduleRepository(database: try Database(path: path))
    let stored = try schedules.add(written)
    let (first, last) = (date(2026, 7, 6), date(2026, 7, 7))
    let read = ScheduleRepository(database: try Database(path: path))
    #expect(try read.entries(of: 1, from: first, through: last) == stored)
    #expect(try read.entries(at: ClockFixture.ou00, from: first, through: last) == stored)
    #expect(stored.map(\.entry) == written)
    #expect(try read.entries(of: 2, from: first, through: last).isEmpty)
    #expect(
      try read.entries(of: 1, from: date(2027, 1, 1), through: date(2027, 1, 1)).map(\.id) == [2])
    #expect(try schedules.remove(stored[2].id))
    #expect(try !schedules.remove(stored[2].id))
    #expect(try read.entries(of: 1, from: first, through: last).map(\.id) == [1, 2, 4])
  }
}
