import Geo
import Geofencing
import Persistence

/// A shift of one day as it is planned, with the instants that the entry's times have on that day.
package struct PlannedShift: Hashable, Sendable {
  /// The schedule entry's.
  package let entry: Int
  package let employment: Int
  package let store: Fence.ID
  /// The day on which it begins, and to which it belongs.
  package let day: CivilDate
  /// From its begin up to its end, which is not in it.
  package let instants: Range<Timestamp>
  package let label: String?
}

/// Schedule entries read in a store's time zone.
package struct Schedule: Hashable, Sendable {
  private let entries: [ScheduleRepository.StoredEntry]
  private let zone: StoreTimeZone

  package init(_ entries: [ScheduleRepository.StoredEntry], in zone: StoreTimeZone) {
    self.entries = entries
    self.zone = zone
  }

  /// The shifts that begin on a day, by their begin.
  package func shifts(on day: CivilDate) -> [PlannedShift] {
    let onDay = entries.filter { $0.entry.recurrence.includes(day) }
    let dated = Set(onDay.filter { $0.entry.recurrence.isDated }.map(\.entry.employment))
    return
      onDay
      .filter { $0.entry.recurrence.isDated || !dated.contains($0.entry.employment) }
      .compactMap { shift($0, on: day) }
      .sorted { ($0.instants.lowerBound, $0.entry) < ($1.instants.lowerBound, $1.entry) }
  }

  /// The shifts that begin on a day from `first` through `last`, by their begin.
  package func shifts(from first: CivilDate, through last: CivilDate) -> [PlannedShift] {
    first.dates(through: last).flatMap { shifts(on: $0) }
  }

  /// Today's shift: the one that is under way, though it may have begun yesterday; else the next of
  /// the store's day; else its last; nil where the day has none.
  package func shift(at now: Timestamp) -> PlannedShift? {
    let today = zone.day(of: now)
    let todays = shifts(on: today)
    let underWay = (shifts(on: today.advanced(byDays: -1)) + todays)
      .last { $0.instants.contains(now) }
    return underWay ?? todays.first { $0.instants.lowerBound > now } ?? todays.last
  }

  private func shift(
    _ stored: ScheduleRepository.StoredEntry, on day: CivilDate
  ) -> PlannedShift? {
    guard let hours = stored.entry.hours else { return nil }
    let lastDay = hours.endsOnNextDay ? day.advanced(byDays: 1) : day
    let start = zone.plannedInstant(of: LocalDateTime(day, hours.start))
    let end = zone.plannedInstant(of: LocalDateTime(lastDay, hours.end))
    return PlannedShift(
      entry: stored.id, employment: stored.entry.employment, store: stored.entry.store, day: day,
      // A begin in the hour that is skipped may fall behind the end.
      instants: start..<max(start, end), label: stored.entry.label)
  }
}

extension ScheduleEntry.Recurrence {
  fileprivate var isDated: Bool {
    if case .dated = self { return true }
    return false
  }

  fileprivate func includes(_ day: CivilDate) -> Bool {
    switch self {
    case .dated(let date): day == date
    case .weekly(let weekday, let first, let last):
      weekday == Weekday(of: day) && first.daysSince1970 <= day.daysSince1970
        && last.map { day.daysSince1970 <= $0.daysSince1970 } ?? true
    }
  }
}
