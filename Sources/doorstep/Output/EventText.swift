import CommandLineArguments
import Geo
import Geofencing

/// Events as people read them, in the time zone of the store.
struct EventText {
  let style: TerminalStyle
  let fences: FenceSet
  let clock: LocalClock

  /// One line, such as `2026-03-02 08:58:41 EST  arrived at Ottawa Store  (37 m from its center)`.
  func line(_ event: FenceEvent, showsSubject: Bool) -> String {
    let fence = fences[event.fence]
    let name = printable(fence?.name ?? event.fence.rawValue)
    let zone = fence?.timeZone
    var line = clock.text(event.time, zone: zone) + "  "
    if showsSubject { line += "\(printable(event.subject.rawValue))  " }
    switch event.kind {
    case .entered: line += style.green("arrived at \(name)")
    case .exited: line += style.yellow("left \(name)")
    case .dwelled: line += "stayed at \(name)"
    case .passed: line += "passed \(name)"
    case .presenceExpired: line += style.dim("no fix for 30 minutes: presence at \(name) unknown")
    case .presenceResumed: line += "still at \(name)"
    }
    line += style.dim("  " + detail(event, zone: zone))
    return line
  }

  private func detail(_ event: FenceEvent, zone: String?) -> String {
    var parts: [String] = []
    if let distance = event.distance { parts.append("\(Int(distance.meters.rounded())) m") }
    parts.append(event.rule.rawValue)
    if let cause = event.cause, cause.rawValue != event.rule.rawValue {
      parts.append(cause.rawValue)
    }
    if event.confirmedAt > event.time {
      let seconds = event.confirmedAt.seconds(since: event.time)
      parts.append("confirmed \(Int(seconds.rounded())) s later")
    }
    if let interval = event.interval {
      parts.append(
        "between \(clock.text(interval.start, zone: zone)) and \(clock.text(interval.end, zone: zone))"
      )
    }
    if event.isLate { parts.append("late") }
    return "(" + parts.joined(separator: ", ") + ")"
  }
}
