import Geo
import Geofencing
import Positioning

/// What became of a trace, counted.
struct TraceSummary {
  let path: String
  private(set) var fixes = 0
  private(set) var outcomes: [FixOutcome: Int] = [:]
  private(set) var dropped = DropTally()
  private(set) var events: [FenceEvent.Kind: Int] = [:]
  private(set) var first: Timestamp?
  private(set) var last: Timestamp?

  init(path: String) { self.path = path }

  mutating func note(_ judged: TraceReplay.Judged) {
    fixes += 1
    outcomes[judged.outcome, default: 0] += 1
    let time = judged.fix.fix.time
    first = min(first ?? time, time)
    last = max(last ?? time, time)
  }

  mutating func note(_ dropped: Dropped) { self.dropped.note(dropped) }

  mutating func note(_ reason: Dropped.Reason) { dropped.note(reason) }

  mutating func note(_ event: FenceEvent) { events[event.kind, default: 0] += 1 }

  /// The fixes that decided something, as a line such as `1200 fixes: 1180 accepted, 20 duplicate`.
  var outcomeText: String {
    let reasons = FixOutcome.allCases.compactMap { outcome in
      outcomes[outcome].map { "\($0) \(outcome.rawValue)" }
    }
    return reasons.isEmpty
      ? "no fixes" : "\(fixes) fixes: " + reasons.joined(separator: ", ")
  }
}

/// What a decoder passed over, counted by reason, with the first place of each.
struct DropTally {
  private var counts: [Dropped.Reason: Int] = [:]
  private var first: [Dropped.Reason: Dropped] = [:]

  mutating func note(_ dropped: Dropped) {
    counts[dropped.reason, default: 0] += 1
    if first[dropped.reason] == nil { first[dropped.reason] = dropped }
  }

  mutating func note(_ reason: Dropped.Reason) { counts[reason, default: 0] += 1 }

  /// One line for each reason: how often, and where and what first.
  var lines: [String] {
    Dropped.Reason.allCases.compactMap { reason in
      guard let count = counts[reason] else { return nil }
      var line = "\(count) \(reason.rawValue)"
      if let dropped = first[reason] {
        line += ", first at line \(dropped.position.line), column \(dropped.position.column)"
        if !dropped.detail.isEmpty { line += ": \(dropped.detail)" }
      }
      return line
    }
  }
}
