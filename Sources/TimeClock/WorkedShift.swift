import Geo
import Geofencing
import Persistence

/// A shift as it was worked: from a clock-in to what ended it.
package struct WorkedShift: Hashable, Sendable {
  package enum Ending: Hashable, Sendable {
    case clockedOut(Timestamp)
    case open
    /// Nobody clocked out within 16 h: what was worked after the last punch is not known, and does
    /// not count until it is corrected.
    case missingOut
  }

  package let employment: Int
  package let store: Fence.ID
  package let start: Timestamp
  package let ending: Ending
  /// The stretches of work between the breaks, in order; each end is not in it. An open shift's
  /// last one reaches to the present.
  package let work: [Range<Timestamp>]
  package let breaks: [Range<Timestamp>]

  /// The time worked, in elapsed milliseconds, whatever wall clocks did meanwhile; never negative.
  package var workedMilliseconds: Int64 { work.reduce(0) { $0 + $1.milliseconds } }

  /// The part of the time worked that lies in these instants.
  package func workedMilliseconds(within instants: Range<Timestamp>) -> Int64 {
    work.reduce(0) { $0 + $1.clamped(to: instants).milliseconds }
  }

  /// The shifts of one employment's punches, in order.
  package static func shifts(of punches: [Punch], now: Timestamp) -> [WorkedShift] {
    var shifts: [WorkedShift] = []
    var current: Draft?
    for punch in punches {
      if punch.kind == .clockIn {
        if let forgotten = current { shifts.append(forgotten.shift(.missingOut)) }
        current = Draft(punch)
        continue
      }
      guard var draft = current else { continue }
      draft.mark(punch.kind, at: punch.time)
      if punch.kind == .clockOut {
        shifts.append(draft.shift(.clockedOut(punch.time)))
        current = nil
      } else {
        current = draft
      }
    }
    guard var last = current else { return shifts }
    if ClockState.isMissingOut(clockedInSince: last.start, at: now) {
      return shifts + [last.shift(.missingOut)]
    }
    last.mark(.clockOut, at: now)
    return shifts + [last.shift(.open)]
  }

  /// A shift whose end has not been reached in the sequence.
  private struct Draft {
    let employment: Int
    let store: Fence.ID
    let start: Timestamp
    var work: [Range<Timestamp>] = []
    var breaks: [Range<Timestamp>] = []
    /// When the present stretch of work, or the break, began.
    var since: Timestamp
    var isOnBreak = false

    init(_ clockIn: Punch) {
      employment = clockIn.employment
      store = clockIn.store
      start = clockIn.time
      since = clockIn.time
    }

    /// Ends the present stretch.
    mutating func mark(_ kind: Punch.Kind, at time: Timestamp) {
      let stretch = since..<max(since, time)
      if isOnBreak { breaks.append(stretch) } else { work.append(stretch) }
      isOnBreak = kind == .breakStart
      since = stretch.upperBound
    }

    func shift(_ ending: Ending) -> WorkedShift {
      WorkedShift(
        employment: employment, store: store, start: start, ending: ending,
        work: work, breaks: breaks)
    }
  }
}

extension Range<Timestamp> {
  fileprivate var milliseconds: Int64 { upperBound.milliseconds(since: lowerBound) }
}
