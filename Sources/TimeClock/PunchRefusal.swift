import Geo
import Geofencing
import Persistence

/// Why a punch was not taken; nothing was recorded.
package enum PunchRefusal: Error, Hashable, Sendable, CustomStringConvertible {
  /// The state of the clock does not allow a punch of this kind.
  case conflict(Punch.Kind, in: ClockState)
  /// A clock-in while a shift at another store is open.
  case openElsewhere(store: Fence.ID, since: Timestamp)
  /// The same punch was taken within the last 60 s: this one.
  case duplicate(of: StoredPunch)
  /// The position does not show the person at the store. Where `acceptsReason` is true the punch is
  /// taken if it is sent again with a stated reason.
  case outsideGeofence(Eligibility, acceptsReason: Bool)

  /// The code that clients program against.
  package var code: String {
    switch self {
    case .conflict, .openElsewhere: "CONFLICT"
    case .duplicate: "DUPLICATE_PUNCH"
    case .outsideGeofence: "OUTSIDE_GEOFENCE"
    }
  }

  package var description: String {
    switch self {
    case .conflict(let kind, let state): PunchRefusal.text(kind, state)
    case .openElsewhere(let store, let since):
      "still clocked in at store '\(store)' since \(since); clock out there first"
    case .duplicate(let stored):
      "this was recorded already at \(stored.punch.time); nothing needs to be done"
    case .outsideGeofence(let eligibility, let acceptsReason):
      "the position does not show you at the store (\(eligibility.reason.rawValue)); "
        + (acceptsReason ? "state a reason, or try again there" : "try again there")
    }
  }

  private static func text(_ kind: Punch.Kind, _ state: ClockState) -> String {
    let finding =
      switch state {
      case .notClockedIn: "not clocked in"
      case .clockedIn(let since): "clocked in since \(since)"
      case .onBreak(let since, _): "on a break since \(since)"
      }
    let advice =
      switch (kind, state) {
      case (.clockIn, _): "clock out first"
      case (_, .notClockedIn): "clock in first"
      case (.breakStart, _): "end the break first"
      case (.breakEnd, _), (.clockOut, _): "start a break first"
      }
    return "\(finding): \(advice)"
  }
}

/// Why a punch could not be recorded.
package enum PunchError: Error, Equatable, CustomStringConvertible {
  case refused(PunchRefusal)
  case database(DatabaseError)

  package var description: String {
    switch self {
    case .refused(let refusal): refusal.description
    case .database(let error): error.description
    }
  }
}
