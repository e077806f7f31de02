import Foundation
import Geo

/// Writes instants as the clock on a wall shows them.
struct LocalClock {
  private let fallback: TimeZone

  /// Makes a clock that shows UTC where no zone is known.
  init() { fallback = TimeZone(secondsFromGMT: 0) ?? .current }

  /// The date and time of day in an IANA zone, with the zone's short name.
  func text(_ timestamp: Timestamp, zone: String?) -> String {
    let zone = zone.flatMap { TimeZone(identifier: $0) } ?? fallback
    let date = Date(timeIntervalSince1970: Double(timestamp.millisecondsSince1970) / 1000)
    let offset = zone.secondsFromGMT(for: date)
    let local = timestamp.advanced(bySeconds: Double(offset)).description
    let name = zone == fallback ? "UTC" : LocalClock.name(ofOffset: offset)
    return "\(local.prefix(10)) \(local.dropFirst(11).prefix(8)) \(name)"
  }

  private static func name(ofOffset seconds: Int) -> String {
    let minutes = abs(seconds) / 60
    let hours = "\(minutes / 60)"
    let rest = minutes % 60 == 0 ? "" : ":\(minutes % 60 < 10 ? "0" : "")\(minutes % 60)"
    return "UTC\(seconds < 0 ? "-" : "+")\(hours)\(rest)"
  }
}
