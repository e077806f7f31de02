import Geo
import Persistence

/// The hours of one employment on one day of its store.
///
/// A shift belongs to the day on which it begins, over midnight too: that is what people are
/// scheduled and paid by. `workedWithinDayMilliseconds` splits it at midnight instead, for rules
/// that ask what was worked on a Sunday or a holiday. Over many days both sums are the same.
package struct DayHours: Hashable, Sendable {
  package let day: CivilDate
  /// The shifts that begin on the day.
  package let shifts: [WorkedShift]
  /// What was worked in them.
  package let workedMilliseconds: Int64
  /// What was worked between the day's midnights, in shifts that began the day before too.
  package let workedWithinDayMilliseconds: Int64

  /// Whether a clock-out is missing, so that the hours are to be corrected.
  package var isIncomplete: Bool { shifts.contains { $0.ending == .missingOut } }

  /// The hours of each day from `first` through `last`, also of those without any.
  package static func days(
    from first: CivilDate, through last: CivilDate, of shifts: [WorkedShift],
    in zone: StoreTimeZone
  ) -> [DayHours] {
    first.dates(through: last).map { day in
      let instants = zone.instants(of: day)
      let begun = shifts.filter { instants.contains($0.start) }
      return DayHours(
        day: day, shifts: begun,
        workedMilliseconds: begun.reduce(0) { $0 + $1.workedMilliseconds },
        workedWithinDayMilliseconds: shifts.reduce(0) {
          $0 + $1.workedMilliseconds(within: instants)
        })
    }
  }
}
