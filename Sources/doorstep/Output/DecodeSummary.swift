import Positioning

/// What a trace held, counted, for people.
struct DecodeSummary {
  private let name: String
  private var fixes = 0
  private var noFixes = 0
  private var dropped = DropTally()
  private var origins: [DecodedFix.TimeOrigin: Int] = [:]

  init(name: String) { self.name = name }

  mutating func note(_ decoded: Decoded) {
    switch decoded {
    case .fix(let fix):
      fixes += 1
      if fix.timeOrigin != .reported { origins[fix.timeOrigin, default: 0] += 1 }
    case .noFix: noFixes += 1
    case .dropped(let dropped): self.dropped.note(dropped)
    }
  }

  var lines: [String] {
    var lines = ["\(name): \(fixes) fixes, \(noFixes) times without a position"]
    if let assumed = origins[.dateAssumed] {
      lines.append("  the date of \(assumed) fixes is assumed: the trace has none; give --date")
    }
    if let repaired = origins[.rolloverRepaired] {
      lines.append("  the date of \(repaired) fixes was repaired: 1024 weeks were missing")
    }
    return lines + dropped.lines.map { "  passed over: \($0)" }
  }
}
