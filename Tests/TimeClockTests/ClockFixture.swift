import Geo
import Geofencing
import Persistence

@testable import TimeClock

/// A store, another 120 m east of it, and a person who works at both.
enum ClockFixture {
  static let ou00 = Fence.ID("ou00")
  static let pa00 = Fence.ID("pa00")
  static let center = at(45.4215, -75.6972)
  /// North of `ou00`, by GeographicLib.
  static let north150 = at(45.4228496, -75.6972)
  static let north199 = at(45.4232986, -75.6972)
  static let north200 = at(45.4233004, -75.6972)
  static let north250 = at(45.4237494, -75.6972)

  static let fences = try! FenceSet([
    circle(ou00, center), circle(pa00, at(45.4215, -75.6956668)),
  ])

  static func at(_ latitude: Double, _ longitude: Double) -> Coordinate {
    Coordinate(latitude: latitude, longitude: longitude)!
  }

  static func circle(_ id: Fence.ID, _ center: Coordinate, radius: Double = 200) -> Fence {
    Fence(id: id, area: .circle(center: center, radius: .meters(radius)))
  }

  /// A fix at `place`, judged at `store` when it is `age` seconds old.
  static func report(
    at place: Coordinate = center, store: Fence.ID = ou00, now: Timestamp, accuracy: Double = 8,
    age: Double = 2, isAssigned: Bool = true, fences: FenceSet = fences
  ) -> JudgedReport {
    let fix = Fix(
      coordinate: place, time: now.advanced(bySeconds: -age), accuracy: .meters(accuracy))
    return JudgedReport(
      .fix(fix), at: store, in: fences, revision: 1,
      circumstances: .init(now: now, isAssigned: isAssigned))!
  }

  static func attempt(
    _ kind: Punch.Kind, store: Fence.ID = ou00, reason: String? = nil
  ) -> PunchAttempt {
    PunchAttempt(
      kind, employment: store == ou00 ? 1 : 2, user: 7, store: store, statedReason: reason)
  }

  /// Stored punches of employment 1, numbered in order.
  static func history(_ punches: [(Punch.Kind, String)]) -> [StoredPunch] {
    punches.enumerated().map { index, punch in
      StoredPunch(
        id: index + 1, sequence: index + 1,
        punch: Punch(kind: punch.0, employment: 1, user: 7, store: ou00, time: time(punch.1)))
    }
  }

  static func time(_ text: String) -> Timestamp { try! Timestamp(iso8601: text) }
}

let noon = ClockFixture.time("2026-03-02T12:00:00Z")
