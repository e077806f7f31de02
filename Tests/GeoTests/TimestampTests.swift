import Foundation
import Geo
import TestSupport
import Testing

@Suite struct TimestampTests {
  @Test(arguments: [
    ("1970-01-01T00:00:00Z", 0),
    ("2026-03-02T08:58:41.000Z", 1_772_441_921_000),
    ("2026-03-02T09:58:41+01:00", 1_772_441_921_000),
    ("2026-03-02T09:58:41+0100", 1_772_441_921_000),
    ("2026-03-02T09:58:41+01", 1_772_441_921_000),
    ("2026-03-02T03:28:41-05:30", 1_772_441_921_000),
    ("2026-03-02t08:58:41z", 1_772_441_921_000),
    ("2026-03-02 08:58:41Z", 1_772_441_921_000),
    ("2026-03-02T08:58:41,5Z", 1_772_441_921_500),
    ("2026-03-02T08:58Z", 1_772_441_880_000),
    ("2026-03-02T08:58:41-00:00", 1_772_441_921_000),
    ("1969-12-31T23:59:59.999Z", -1),
    ("2026-03-02T08:58:41.1Z", 1_772_441_921_100),
    ("2026-03-02T08:58:41.1234Z", 1_772_441_921_123),
    ("2026-03-02T08:58:41.1235Z", 1_772_441_921_124),
    ("2026-03-02T08:58:41.123499999999999999999999Z", 1_772_441_921_123),
    ("2026-03-02T08:58:41.9995Z", 1_772_441_922_000),
    ("2016-12-31T23:59:60Z", 1_483_228_800_000),
    ("2016-12-31T24:00:00Z", 1_483_228_800_000),
    ("2016-12-31T24:00Z", 1_483_228_800_000),
    ("2024-02-29T00:00:00Z", 1_709_164_800_000),
    ("0000-01-01T00:00:00Z", -62_167_219_200_000),
    ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
  ])
  func `an instant is read`(_ text: String, _ milliseconds: Int64) throws {
    #expect(try Timestamp(iso8601: text).millisecondsSince1970 == milliseconds)
    let bytes = Array(text.utf8)
    let fromBytes = try bytes.withUnsafeBufferPointer { try Timestamp(iso8601: $0) }
    #expect(fromBytes.millisecondsSince1970 == milliseconds)
  }

  @Test(arguments: [
    "", "2026", "2026-03-02", "2026-03-02T", "2026-03-02T08Z", "26-03-02T08:58:41Z",
    "2026-13-02T08:58:41Z", "2026-00-02T08:58:41Z", "2026-02-29T08:58:41Z", "2026-04-31T08:58:41Z",
    "2026-03-00T08:58:41Z", "2026-03-02T25:00:00Z", "2026-03-02T24:00:01Z", "2026-03-02T24:01:00Z",
    "2026-03-02T24:00:00.001Z", "2026-03-02T08:60:00Z", "2026-03-02T08:58:61Z",
    "2026-03-02T08:58:41.Z", "2026-03-02T08:58:41ZZ", "2026-03-02T08:58:41 Z",
    "2026-03-02T08:58:41+24:00", "2026-03-02T08:58:41+01:60", "2026-03-02T08:58:41+1",
    "2026-03-02T08:58:41+01:0", "+2026-03-02T08:58:41Z", "-2026-03-02T08:58:41Z",
    "2026/03/02T08:58:41Z", "2026-03-02T08.58.41Z", "20260302T085841Z", " 2026-03-02T08:58:41Z",
    "2026-03-02T08:58:41Z ", "２026-03-02T08:58:41Z", "9999-12-31T23:59:59.9999Z",
    "9999-12-31T23:59:59-01:00", "0000-01-01T00:00:00+01:00",
  ])
  func `what is no instant is refused`(_ text: String) {
    #expect(throws: Timestamp.ISO8601Problem.malformed) { try Timestamp(iso8601: text) }
  }

  @Test(arguments: ["2026-03-02T08:58:41", "2026-03-02T08:58", "2026-03-02 08:58:41.25"])
  func `a time without a zone is told as such`(_ text: String) {
    #expect(throws: Timestamp.ISO8601Problem.timeZoneMissing) { try Timestamp(iso8601: text) }
  }

  @Test func `what is written is read back, and reads as Foundation writes it`() throws {
    var generator = SeededGenerator(seed: 51)
    let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    for index in 0..<5000 {
      let milliseconds = Int64.random(
        in: Timestamp.earliest
          .millisecondsSince1970...Timestamp.latest.millisecondsSince1970, using: &generator)
      let instant = Timestamp(millisecondsSince1970: milliseconds)
      #expect(try Timestamp(iso8601: instant.description) == instant)
      // Foundation's calendar is Julian before 1582.
      guard index < 500, milliseconds > -12_000_000_000_000 else { continue }
      let whole = Timestamp(millisecondsSince1970: milliseconds / 1000 * 1000)
      let date = Date(timeIntervalSince1970: Double(whole.millisecondsSince1970 / 1000))
      #expect(whole.description == date.formatted(style))
    }
  }

  @Test func `seconds become an instant to the millisecond, within four digits of year`() {
    #expect(Timestamp(secondsSince1970: 1.0004)?.millisecondsSince1970 == 1000)
    #expect(Timestamp(secondsSince1970: 1.0006)?.millisecondsSince1970 == 1001)
    #expect(Timestamp(secondsSince1970: -0.0004)?.millisecondsSince1970 == 0)
    #expect(Timestamp(secondsSince1970: 253_402_300_799.999) == .latest)
    #expect(Timestamp(secondsSince1970: 253_402_300_800) == nil)
    #expect(Timestamp(secondsSince1970: -62_167_219_200) == .earliest)
    #expect(Timestamp(secondsSince1970: -62_167_219_200.001) == nil)
    #expect(Timestamp(secondsSince1970: .nan) == nil)
    #expect(Timestamp(secondsSince1970: .infinity) == nil)
  }

  @Test func `days are those of Foundation's calendar`() throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(identifier: "UTC"))
    // From 1600 to 2400 in steps that meet every day of the month, and all leap days.
    for day in stride(from: -135_140, through: 157_054, by: 17) {
      let date = CivilDate(daysSince1970: day)
      let parts = calendar.dateComponents(
        [.year, .month, .day], from: Date(timeIntervalSince1970: Double(day) * 86_400))
      #expect(date.year == parts.year && date.month == parts.month && date.day == parts.day)
      #expect(date.daysSince1970 == day)
      #expect(CivilDate(year: date.year, month: date.month, day: date.day) == date)
    }
  }

  @Test func `every day of the era comes back`() {
    var day = CivilDate(daysSince1970: -719_528)
    #expect(day == CivilDate(year: 0, month: 1, day: 1))
    for number in -719_528..<(-719_528 + 146_097) {
      let next = CivilDate(daysSince1970: number + 1)
      guard next.daysSince1970 == number + 1,
        (next.year, next.month, next.day) > (day.year, day.month, day.day)
      else {
        Issue.record("day \(number)")
        return
      }
      day = next
    }
  }

  @Test(arguments: [
    (2024, 2, 29, true), (2023, 2, 29, false), (1900, 2, 29, false), (2000, 2, 29, true),
    (2024, 2, 30, false), (2024, 4, 30, true), (2024, 4, 31, false), (2024, 12, 31, true),
    (2024, 12, 32, false), (2024, 0, 1, false), (2024, 13, 1, false), (2024, 1, 0, false),
    (-1, 1, 1, false), (0, 1, 1, true), (9999, 12, 31, true), (10_000, 1, 1, false),
  ])
  func `there is such a day or there is not`(
    _ year: Int, _ month: Int, _ day: Int, _ exists: Bool
  ) {
    #expect((CivilDate(year: year, month: month, day: day) != nil) == exists)
  }
}
