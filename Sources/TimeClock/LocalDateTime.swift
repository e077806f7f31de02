import Geo
import Persistence

/// A date and a time of day as a wall clock shows them; which instant that is depends on the zone.
package struct LocalDateTime: Hashable, Sendable, CustomStringConvertible {
  /// The instant that it were if the wall clock showed UTC.
  let readAsUTC: Timestamp

  init(readAsUTC: Timestamp) { self.readAsUTC = readAsUTC }

  package init(_ date: CivilDate, _ time: TimeOfDay) {
    let minutes = date.daysSince1970 * 1440 + time.minutesAfterMidnight
    readAsUTC = Timestamp(millisecondsSince1970: Int64(minutes) * 60_000)
  }

  package var date: CivilDate {
    let milliseconds = readAsUTC.millisecondsSince1970
    let day = milliseconds / 86_400_000
    return CivilDate(daysSince1970: Int(milliseconds % 86_400_000 < 0 ? day - 1 : day))
  }

  /// As `2026-11-01T01:30:00.000`, with neither `Z` nor an offset.
  package var description: String { String(readAsUTC.description.dropLast()) }
}

/// Why a text gives no instant at a store.
package enum LocalTimeError: Error, Hashable, Sendable, CustomStringConvertible {
  case malformed
  /// Without an offset, and the clock on the wall shows it at both instants.
  case ambiguous(LocalDateTime, earlier: Timestamp, later: Timestamp, StoreTimeZone)
  /// Without an offset, and the clock on the wall never shows it: it is put forward at this instant.
  case missing(LocalDateTime, skippedAt: Timestamp, StoreTimeZone)

  /// The code that clients program against.
  package var code: String {
    switch self {
    case .malformed: "VALIDATION_ERROR"
    case .ambiguous: "AMBIGUOUS_LOCAL_TIME"
    case .missing: "MISSING_LOCAL_TIME"
    }
  }

  package var description: String {
    switch self {
    case .malformed:
      "no date and time: write YYYY-MM-DDThh:mm:ss, best with Z or an offset"
    case .ambiguous(let local, let earlier, let later, let zone):
      "\(local) is there twice in \(zone.identifier), at \(earlier) and \(later); "
        + "write \(zone.text(earlier)) or \(zone.text(later))"
    case .missing(let local, let skippedAt, let zone):
      "\(local) is never there in \(zone.identifier): "
        + "the clock is put forward to \(zone.text(skippedAt)); choose another time"
    }
  }
}

extension StoreTimeZone {
  /// Reads an instant: with `Z` or an offset as it stands, else by the clock on the store's wall.
  package func instant(reading text: String) throws(LocalTimeError) -> Timestamp {
    do throws(Timestamp.ISO8601Problem) {
      return try Timestamp(iso8601: text)
    } catch {
      guard error == .timeZoneMissing, let asUTC = try? Timestamp(iso8601: text + "Z") else {
        throw .malformed
      }
      return try instant(of: LocalDateTime(readAsUTC: asUTC))
    }
  }

  /// The one instant at which the store's wall clock shows this.
  package func instant(of local: LocalDateTime) throws(LocalTimeError) -> Timestamp {
    switch occurrence(of: local) {
    case .once(let instant): return instant
    case .twice(let earlier, let later):
      throw .ambiguous(local, earlier: earlier, later: later, self)
    case .never(let skippedAt): throw .missing(local, skippedAt: skippedAt, self)
    }
  }

  /// The instant of what is planned for a local time, which is always one.
  ///
  /// As RFC 5545, section 3.3.5, has it: the first of two, and of a time that is skipped the instant
  /// by the clock as it was before.
  package func plannedInstant(of local: LocalDateTime) -> Timestamp {
    switch occurrence(of: local) {
    case .once(let instant), .twice(let instant, _): return instant
    case .never(let skippedAt):
      let before = offsetInSeconds(at: skippedAt.advanced(byMilliseconds: -1))
      return local.readAsUTC.advanced(bySeconds: -Double(before))
    }
  }
}
