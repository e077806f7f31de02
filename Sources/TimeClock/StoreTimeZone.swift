import Foundation
import Geo

/// A store's time zone, by its IANA name: which instant is which time on the store's wall.
///
/// The rules of the zones are Foundation's.
package struct StoreTimeZone: Hashable, Sendable {
  /// The IANA name, such as `America/Toronto`.
  package let identifier: String
  private let zone: TimeZone

  /// Nil where no zone has this name; abbreviations such as `PST` are none.
  package init?(identifier: String) {
    guard identifier.contains("/") || identifier == "UTC",
      let zone = TimeZone(identifier: identifier)
    else { return nil }
    self.identifier = identifier
    self.zone = zone
  }

  /// How far the store's wall clock is ahead of UTC, in seconds.
  package func offsetInSeconds(at instant: Timestamp) -> Int {
    // Whole seconds, rounded down, so that no fraction is rounded over a change.
    let milliseconds = instant.millisecondsSince1970
    let seconds = (milliseconds - (milliseconds % 1000 + 1000) % 1000) / 1000
    return zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds)))
  }

  /// What the store's wall clock shows.
  package func local(at instant: Timestamp) -> LocalDateTime {
    LocalDateTime(readAsUTC: instant.advanced(bySeconds: Double(offsetInSeconds(at: instant))))
  }

  /// The instant in the store's time with its offset, as `2026-11-01T01:30:00.000-04:00`.
  package func text(_ instant: Timestamp) -> String {
    let offset = offsetInSeconds(at: instant)
    return local(at: instant).description + StoreTimeZone.text(ofOffset: offset)
  }

  /// An offset as ISO 8601 has it, such as `-04:00`.
  static func text(ofOffset seconds: Int) -> String {
    let minutes = abs(seconds) / 60
    func digits(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
    return "\(seconds < 0 ? "-" : "+")\(digits(minutes / 60)):\(digits(minutes % 60))"
  }

  /// The instants at which the wall clock shows one local time.
  package enum Occurrence: Hashable, Sendable {
    case once(Timestamp)
    /// The clock was put back and shows it a second time.
    case twice(earlier: Timestamp, later: Timestamp)
    /// The clock was put forward over it, at this instant.
    case never(skippedAt: Timestamp)
  }

  package func occurrence(of local: LocalDateTime) -> Occurrence {
    let asUTC = local.readAsUTC
    // No zone is a day and more from UTC, so the instants sought lie between these two.
    let day = 26.0 * 3600
    let around = [-day, 0, day].map { offsetInSeconds(at: asUTC.advanced(bySeconds: $0)) }
    let found = Set(around)
      .map { (offset: $0, instant: asUTC.advanced(bySeconds: -Double($0))) }
      .filter { offsetInSeconds(at: $0.instant) == $0.offset }
      .map(\.instant).sorted()
    if let earlier = found.first, let later = found.last {
      return found.count == 1 ? .once(earlier) : .twice(earlier: earlier, later: later)
    }
    return .never(skippedAt: change(between: asUTC, before: around[0], after: around[2]))
  }

  /// The instant at which the offset changes from one to another, over the local time `asUTC`.
  private func change(between asUTC: Timestamp, before: Int, after: Int) -> Timestamp {
    var low = asUTC.advanced(bySeconds: -Double(max(before, after))).millisecondsSince1970
    var high = asUTC.advanced(bySeconds: -Double(min(before, after))).millisecondsSince1970
    // The offset at `low` is still the one before, and at `high` no more.
    while high - low > 1 {
      let middle = low + (high - low) / 2
      if offsetInSeconds(at: Timestamp(millisecondsSince1970: middle)) == before {
        low = middle
      } else {
        high = middle
      }
    }
    return Timestamp(millisecondsSince1970: high)
  }
}
