import Geo
import Persistence
import Testing

@testable import TimeClock

@Suite struct StoreTimeZoneTests {
  private func zone(_ name: String) -> StoreTimeZone { StoreTimeZone(identifier: name)! }

  private func local(_ text: String) -> LocalDateTime {
    LocalDateTime(readAsUTC: ClockFixture.time(text + "Z"))
  }

  @Test func `every instant shows on the wall what zoneinfo says`() {
    #expect(ZoneTable.locals.count > 60)
    for row in ZoneTable.locals {
      let text = zone(row[0]).text(ClockFixture.time(row[1]))
      #expect(text.replacing(".000", with: "") == row[2], "\(row)")
      // And so until the last millisecond of the second.
      let end = ClockFixture.time(row[1]).advanced(byMilliseconds: 999)
      #expect(zone(row[0]).text(end).replacing(".999", with: "") == row[2], "\(row)")
    }
  }

  @Test func `every local time occurs at the instants that zoneinfo says`() {
    #expect(ZoneTable.occurrences.count > 100)
    var kinds: [Int] = [0, 0, 0]
    for row in ZoneTable.occurrences {
      let times = row.dropFirst(2).filter { $0 != "never" }.map { ClockFixture.time($0) }
      let expected: StoreTimeZone.Occurrence =
        row[2] == "never"
        ? .never(skippedAt: times[0])
        : times.count == 1 ? .once(times[0]) : .twice(earlier: times[0], later: times[1])
      #expect(zone(row[0]).occurrence(of: local(row[1])) == expected, "\(row)")
      kinds[row[2] == "never" ? 0 : times.count] += 1
    }
    #expect(kinds.allSatisfy { $0 > 20 })
  }

  @Test func `every day begins and ends when zoneinfo says, and holds its instants`() {
    for row in ZoneTable.days {
      let parts = row[1].split(separator: "-").map { Int($0)! }
      let day = CivilDate(year: parts[0], month: parts[1], day: parts[2])!
      let instants = zone(row[0]).instants(of: day)
      #expect(instants == ClockFixture.time(row[2])..<ClockFixture.time(row[3]), "\(row)")
      guard !instants.isEmpty else { continue }
      #expect(zone(row[0]).day(of: instants.lowerBound) == day)
      // Where the clock is put back over midnight, it shows the day before again by then.
      #expect(zone(row[0]).day(of: instants.lowerBound.advanced(bySeconds: 1800)) == day)
      #expect(zone(row[0]).day(of: instants.upperBound.advanced(byMilliseconds: -1)) == day)
      #expect(zone(row[0]).day(of: instants.upperBound) != day)
    }
  }

  @Test func `days follow each other without a gap in every zone`() {
    for name in Set(ZoneTable.locals.map { $0[0] }) {
      for year in [2006, 2011, 2026] {
        var day = CivilDate(year: year, month: 1, day: 1)!
        for _ in 0..<366 {
          let next = day.advanced(byDays: 1)
          #expect(
            zone(name).instants(of: day).upperBound == zone(name).instants(of: next).lowerBound)
          day = next
        }
      }
    }
  }

  @Test func `a local time that exists twice is refused with both instants, with an offset taken`()
    throws
  {
    let toronto = zone("America/Toronto")
    let first = ClockFixture.time("2026-11-01T05:30:00Z")
    let second = ClockFixture.time("2026-11-01T06:30:00Z")
    let error = #expect(throws: LocalTimeError.self) {
      try toronto.instant(reading: "2026-11-01 01:30")
    }
    #expect(
      error
        == .ambiguous(local("2026-11-01T01:30:00"), earlier: first, later: second, toronto))
    #expect(error?.code == "AMBIGUOUS_LOCAL_TIME")
    #expect(error?.description.contains("2026-11-01T01:30:00.000-05:00") == true)
    #expect(try toronto.instant(reading: "2026-11-01T01:30:00-04:00") == first)
    #expect(try toronto.instant(reading: "2026-11-01T01:30:00-05:00") == second)
    #expect(try toronto.instant(reading: "2026-11-01 02:00").seconds(since: second) == 1800)
  }

  @Test func `a local time that is skipped is refused with the instant that skips it`() {
    let toronto = zone("America/Toronto")
    let error = #expect(throws: LocalTimeError.self) {
      try toronto.instant(reading: "2026-03-08T02:30")
    }
    #expect(error?.code == "MISSING_LOCAL_TIME")
    #expect(error?.description.contains("2026-03-08T03:00:00.000-04:00") == true)
  }

  @Test(arguments: ["", "today", "2026-11-01", "2026-13-01 10:00", "2026-11-01 25:00", "10:00"])
  func `what is no date and time is refused`(text: String) {
    #expect(throws: LocalTimeError.malformed) { try zone("UTC").instant(reading: text) }
  }

  @Test(arguments: ["", "PST", "GMT+3", "Mars/Phobos", "local"])
  func `only names of zones are zones`(name: String) {
    #expect(StoreTimeZone(identifier: name) == nil)
  }
}
