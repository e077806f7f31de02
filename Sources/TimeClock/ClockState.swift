import Geo
import Persistence

/// Where one employment's clock stands after a sequence of punches.
package enum ClockState: Hashable, Sendable {
  case notClockedIn
  case clockedIn(since: Timestamp)
  case onBreak(since: Timestamp, clockedInSince: Timestamp)

  /// How long a shift can be open before its clock-out counts as forgotten: 16 h.
  package static let openLimitMilliseconds: Int64 = 16 * 3_600_000

  /// Computes the state from an employment's punches in order, from any clock-in on.
  package init(after punches: some Sequence<Punch>) {
    self = punches.reduce(.notClockedIn) { $0.following($1.kind, at: $1.time) ?? $0 }
  }

  /// When the open shift began; nil where there is none.
  package var clockedInSince: Timestamp? {
    switch self {
    case .notClockedIn: nil
    case .clockedIn(let since): since
    case .onBreak(_, let clockedInSince): clockedInSince
    }
  }

  /// Whether the shift has been open for longer than 16 h.
  ///
  /// Then a clock-in begins another shift, and the clock-out of this one is missing; a clock-out
  /// stays possible. Nothing has to run for that: it follows from the time.
  package func isMissingOut(at now: Timestamp) -> Bool {
    clockedInSince.map { ClockState.isMissingOut(clockedInSince: $0, at: now) } ?? false
  }

  package static func isMissingOut(clockedInSince since: Timestamp, at now: Timestamp) -> Bool {
    now.milliseconds(since: since) > openLimitMilliseconds
  }

  /// The state after a punch; nil where this state does not allow it.
  package func following(_ kind: Punch.Kind, at time: Timestamp) -> ClockState? {
    switch (self, kind) {
    case (.notClockedIn, .clockIn): .clockedIn(since: time)
    case (_, .clockIn): isMissingOut(at: time) ? .clockedIn(since: time) : nil
    case (.clockedIn, .clockOut), (.onBreak, .clockOut): .notClockedIn
    case (.clockedIn(let since), .breakStart): .onBreak(since: time, clockedInSince: since)
    case (.onBreak(_, let clockedInSince), .breakEnd): .clockedIn(since: clockedInSince)
    case (.notClockedIn, .clockOut), (.notClockedIn, .breakStart), (.notClockedIn, .breakEnd),
      (.clockedIn, .breakEnd), (.onBreak, .breakStart):
      nil
    }
  }

  /// What a person means who only says "it is me": a clock-in after a forgotten clock-out, and the
  /// end of a break rather than of the shift.
  package func nextKind(at now: Timestamp) -> Punch.Kind {
    if isMissingOut(at: now) { return .clockIn }
    return switch self {
    case .notClockedIn: .clockIn
    case .clockedIn: .clockOut
    case .onBreak: .breakEnd
    }
  }
}

/// The open shifts whose clock-out was forgotten: those open for longer than 16 h.
///
/// Depends on its arguments alone, so that asking late, or twice, changes nothing.
package func missingOuts(
  among shifts: [PunchRepository.ClockHead], at now: Timestamp
) -> [PunchRepository.ClockHead] {
  shifts.filter { shift in
    shift.clockedInSince.map { ClockState.isMissingOut(clockedInSince: $0, at: now) } ?? false
  }
}
