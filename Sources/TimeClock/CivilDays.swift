import Geo
import Persistence

/// Days as a store's people mean them.
///
/// Each is the instants from its midnight up to the next one, which is not in it, so that every
/// instant is in exactly one. A midnight that the wall clock shows twice is the first one, and where
/// it is skipped the day begins with what follows.
extension StoreTimeZone {
  package func instants(of day: CivilDate) -> Range<Timestamp> {
    start(of: day)..<start(of: day.advanced(byDays: 1))
  }

  /// The day whose instants hold this one.
  package func day(of instant: Timestamp) -> CivilDate {
    let date = local(at: instant).date
    // Put back over midnight, the wall clock shows the day before once more.
    let next = date.advanced(byDays: 1)
    return instant < start(of: next) ? date : next
  }

  private func start(of day: CivilDate) -> Timestamp {
    let midnight = Int64(day.daysSince1970) * 86_400_000
    let local = LocalDateTime(readAsUTC: Timestamp(millisecondsSince1970: midnight))
    return switch occurrence(of: local) {
    case .once(let instant), .twice(let instant, _), .never(let instant): instant
    }
  }
}

extension CivilDate {
  /// The date so many days later.
  package func advanced(byDays days: Int) -> CivilDate {
    CivilDate(daysSince1970: daysSince1970 + days)
  }

  /// The dates from this one through another; none where that is before.
  func dates(through last: CivilDate) -> [CivilDate] {
    guard daysSince1970 <= last.daysSince1970 else { return [] }
    return (daysSince1970...last.daysSince1970).map { CivilDate(daysSince1970: $0) }
  }
}
