import Positioning

/// What a trace held, counted, for people.
struct DecodeSummary {
  private let name: String
  private let isDateGiven: Bool
  private var fixes = 0
  private var noFixes = 0
  private var dropped = DropTally()
  private var origins: [DecodedFix.TimeOrigin: Int] = [:]

  /// `isDateGiven` says that the user gave the day of a trace without dates.
  init(name: String, isDateGiven: Bool) {
    self.name = name
    self.isDateGiven = isDateGiven
  }

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
    var lines = [
      "\(name): \(fixes) \(fixes == 1 ? "fix" : "fixes"), \(noFixes) times without a position"
    ]
    if let assumed = origins[.dateAssumed] {
      lines.append(
        "  the trace has no date: that of \(assumed) fixes, and of those counted on from them, is "
          + (isDateGiven ? "the one given" : "assumed; give --date"))
    }
    if let repaired = origins[.rolloverRepaired] {
      lines.append("  the date of \(repaired) fixes was repaired: 1024 weeks were missing")
    }
    return lines + dropped.lines.map { "  passed over: \($0)" }
  }
}
