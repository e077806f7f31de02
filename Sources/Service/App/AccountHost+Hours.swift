import API
import Geo
import Identity
import JSON
import Persistence
import TimeClock

/// One's own schedule and worked hours, by the days of the store.
extension AccountHost {
  struct ScheduledDay: Sendable {
    let store: Store
    let zone: StoreTimeZone
    let day: CivilDate
    let shifts: [PlannedShift]

    func write(to json: inout JSONWriter) {
      store.writeMembers(to: &json)
      json.member("date", day.text)
      json.name("shifts")
      json.array { json in
        for shift in shifts { json.object { shift.writeMembers(to: &$0, zone: zone) } }
      }
    }
  }

  func scheduledDay(_ accessToken: Secret, at typeNum: String) throws -> ScheduledDay {
    let time = now()
    let employment = try employment(accessToken, at: typeNum, now: time)
    let zone = try Self.zone(of: employment.store)
    let today = zone.day(of: time)
    return ScheduledDay(
      store: employment.store, zone: zone, day: today,
      shifts: try plan(of: employment, in: zone, at: time).shifts(on: today))
  }

  struct WorkedHours: Sendable {
    let store: Store
    let zone: StoreTimeZone
    let days: [DayHours]

    func write(to json: inout JSONWriter) {
      store.writeMembers(to: &json)
      json.member("workedMilliseconds", Int(days.reduce(0) { $0 + $1.workedMilliseconds }))
      json.name("days")
      json.array { json in
        for day in days {
          json.object { json in
            json.member("date", day.day.text)
            json.member("workedMilliseconds", Int(day.workedMilliseconds))
            json.member("isIncomplete", day.isIncomplete)
            json.name("shifts")
            json.array { json in
              for shift in day.shifts { json.object { write(shift, to: &$0) } }
            }
          }
        }
      }
    }

    private func write(_ shift: WorkedShift, to json: inout JSONWriter) {
      json.member("start", shift.start.description)
      json.member("startLocal", zone.text(shift.start))
      let end: Timestamp? = if case .clockedOut(let time) = shift.ending { time } else { nil }
      json.member("end", end?.description)
      json.member("endLocal", end.map { zone.text($0) })
      json.member("missingOut", shift.ending == .missingOut)
      json.member("workedMilliseconds", Int(shift.workedMilliseconds))
    }
  }

  private static let mostDays = 366

  /// The caller's hours at a store, of an employment that has ended too, from one day to another.
  func workedHours(
    _ accessToken: Secret, at typeNum: String, from first: CivilDate, through last: CivilDate
  ) throws -> WorkedHours {
    let time = now()
    let employment = try employment(accessToken, at: typeNum, now: time)
    let count = last.daysSince1970 - first.daysSince1970 + 1
    guard (1...Self.mostDays).contains(count) else {
      throw APIError(
        .validationError,
        "\"to\" is not before \"from\", and at most \(Self.mostDays) days are told.")
    }
    let zone = try Self.zone(of: employment.store)
    let start = zone.instants(of: first).lowerBound
    var shifts: [WorkedShift] = []
    for employment in try accounts.employments(of: employment.user, at: typeNum) {
      let punches = try punches.punches(of: employment.id, fromShiftAt: start).map(\.punch)
      shifts += WorkedShift.shifts(of: punches, now: time)
    }
    return WorkedHours(
      store: employment.store, zone: zone,
      days: DayHours.days(from: first, through: last, of: shifts, in: zone))
  }
}

extension CivilDate {
  /// As `2026-03-02`.
  fileprivate var text: String {
    func digits(_ value: Int, _ count: Int) -> String {
      String(repeating: "0", count: max(0, count - String(value).count)) + String(value)
    }
    return "\(digits(year, 4))-\(digits(month, 2))-\(digits(day, 2))"
  }
}
