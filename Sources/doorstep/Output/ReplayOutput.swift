import CommandLineArguments
import Geo
import Geofencing
import Glibc
import JSON

/// What a replay prints: lines for people, or NDJSON for programs.
struct ReplayOutput: ~Copyable {
  private let asJSON: Bool
  /// Whether only a comparison is wanted.
  private let isQuiet: Bool
  private var output: StandardOutput
  private var json = JSONWriter()
  private let style = Diagnostics.style(of: STDOUT_FILENO)
  /// Whether lines say whose they are: where a trace names subjects.
  var namesSubjects = false
  private var farFromAllFences = 0
  /// Farther than this from every fence, eligibility is no news.
  private static let farInMeters = 20_000.0

  init(asJSON: Bool, isQuiet: Bool, followsClock: Bool) {
    self.asJSON = asJSON
    self.isQuiet = isQuiet
    output = StandardOutput(flushesEachLine: followsClock)
  }

  mutating func event(_ event: FenceEvent, in fences: FenceSet) throws(CommandFailure) {
    if asJSON {
      json.removeAll()
      event.write(to: &json)
      json.endLine()
      try output.write(json.bytes)
      return
    }
    if isQuiet { return }
    let text = EventText(style: style, fences: fences, clock: LocalClock())
    try output.line(text.line(event, showsSubject: namesSubjects))
  }

  /// Tells whether a fix makes its subject eligible at the store that it is at, or nearest to.
  mutating func eligibility(of fix: SubjectFix, in fences: FenceSet) throws(CommandFailure) {
    if asJSON || isQuiet { return }
    guard let nearest = fences.near(fix.fix.coordinate, limit: 1).first,
      let answer = fences.eligibility(
        at: nearest.fence.id, of: .fix(fix.fix), in: .init(now: fix.fix.time))
    else { return }
    if nearest.distanceToGo.meters > Self.farInMeters {
      farFromAllFences += 1
      return
    }
    let time = LocalClock().text(fix.fix.time, zone: nearest.fence.timeZone)
    let sentence = EligibilityText.sentence(answer, store: nearest.fence.name)
    let subject = namesSubjects ? "\(printable(fix.subject.rawValue))  " : ""
    try output.line(time + "  " + subject + style.dim("clock: " + sentence))
  }

  /// Ends the output: what was read goes to standard error, and a table of it to people.
  mutating func summary(_ summaries: [TraceSummary]) throws(CommandFailure) {
    if !asJSON, !isQuiet {
      var table = TextTable(columns: [
        .init("trace"), .init("fixes", .right), .init("used", .right), .init("arrivals", .right),
        .init("departures", .right), .init("from (UTC)"), .init("to (UTC)"),
      ])
      for summary in summaries {
        table.append([
          summary.path, "\(summary.fixes)", "\(summary.outcomes[.accepted, default: 0])",
          "\(summary.events[.entered, default: 0])", "\(summary.events[.exited, default: 0])",
          summary.first?.shortText ?? "-", summary.last?.shortText ?? "-",
        ])
      }
      try output.line("")
      for line in table.lines(style: style) { try output.line(line) }
    }
    try output.flush()
    if farFromAllFences > 0 {
      Diagnostics.note(
        "\(farFromAllFences) moments were more than 20 km from every fence: are these the stores of "
          + "this trace?")
    }
    for summary in summaries {
      Diagnostics.note("\(summary.path): \(summary.outcomeText)")
      for line in summary.dropped.lines { Diagnostics.note("  passed over: \(line)") }
    }
  }
}

extension Timestamp {
  /// Date and time of day in UTC, to the second.
  fileprivate var shortText: String {
    String(description.prefix(19).replacing("T", with: " "))
  }
}
