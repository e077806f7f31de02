import Geo
import Geofencing

/// A planned shift, or a day off, as the clock on the store's wall has it.
///
/// It names no instant: those follow for each day from the rules of the store's time zone, so that
/// 08:30 stays 08:30 in summer and in winter.
package struct ScheduleEntry: Hashable, Sendable {
  package let employment: Int
  package let store: Fence.ID
  package let recurrence: Recurrence
  /// Nil for a day off.
  package let hours: Hours?
  /// What the person is planned as, such as "Buyer".
  package let label: String?

  /// On which days the shift begins.
  package enum Recurrence: Hashable, Sendable {
    /// Every week on this day, from one date to another, both included; nil for no end.
    case weekly(Weekday, from: CivilDate, through: CivilDate?)
    /// On one date, instead of all that is planned weekly for it.
    case dated(CivilDate)
  }

  /// From one time of day to another; where the end is not after the start it is that of the next
  /// day.
  package struct Hours: Hashable, Sendable {
    package let start: TimeOfDay
    package let end: TimeOfDay

    package init(start: TimeOfDay, end: TimeOfDay) {
      self.start = start
      self.end = end
    }

    package var endsOnNextDay: Bool { end.minutesAfterMidnight <= start.minutesAfterMidnight }
  }

  /// Plans a shift.
  package init(
    employment: Int, store: Fence.ID, _ recurrence: Recurrence, _ hours: Hours,
    label: String? = nil
  ) {
    self.init(
      employment: employment, store: store, recurrence: recurrence, hours: hours, label: label)
  }

  /// Takes a day off, whatever is planned weekly for it.
  package init(dayOff date: CivilDate, employment: Int, store: Fence.ID) {
    self.init(
      employment: employment, store: store, recurrence: .dated(date), hours: nil, label: nil)
  }

  init(
    employment: Int, store: Fence.ID, recurrence: Recurrence, hours: Hours?, label: String?
  ) {
    self.employment = employment
    self.store = store
    self.recurrence = recurrence
    self.hours = hours
    self.label = label
  }
}

/// A minute of the day as a wall clock shows it.
package struct TimeOfDay: Hashable, Sendable {
  /// 0 to 1439.
  package let minutesAfterMidnight: Int

  /// Nil where there is no such time.
  package init?(hour: Int, minute: Int) {
    guard (0...23).contains(hour), (0...59).contains(minute) else { return nil }
    minutesAfterMidnight = hour * 60 + minute
  }

  package init?(minutesAfterMidnight: Int) {
    guard (0..<1440).contains(minutesAfterMidnight) else { return nil }
    self.minutesAfterMidnight = minutesAfterMidnight
  }
}

/// A day of the week, numbered as ISO 8601 does.
package enum Weekday: Int, Hashable, Sendable, CaseIterable {
  case monday = 1
  case tuesday, wednesday, thursday, friday, saturday, sunday

  package init(of date: CivilDate) {
    // 1970-01-01 was a Thursday.
    let daysAfterMonday = (date.daysSince1970 % 7 + 10) % 7
    self = Weekday.allCases[daysAfterMonday]
  }
}
