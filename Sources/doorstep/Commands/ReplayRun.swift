import CommandLineArguments
import Geo
import Geofencing
import Positioning

/// One run of the replay command over its traces, one after the other.
struct ReplayRun: ~Copyable {
  private var engine: PresenceEngine
  private var output: ReplayOutput
  private var pace: ReplayPace?
  private let eligibilityEvery: Duration?
  private let keepsEvents: Bool
  /// All events so far, where they are compared at the end.
  private(set) var events: [FenceEvent] = []
  private var summaries: [TraceSummary] = []

  init(
    engine: PresenceEngine, output: consuming ReplayOutput, pace: ReplayPace?,
    eligibilityEvery: Duration?, keepsEvents: Bool
  ) {
    self.engine = engine
    self.output = output
    self.pace = pace
    self.eligibilityEvery = eligibilityEvery
    self.keepsEvents = keepsEvents
  }

  /// Replays a trace to its end.
  mutating func run(_ path: String, options: TraceOptions) throws {
    var replay = TraceReplay(engine: engine)
    var summary = TraceSummary(path: path)
    var moments = EligibilityMoments(every: eligibilityEvery)
    let fallback = options.subject ?? TraceSource(argument: path).defaultSubject
    try options.read(path) { decoded in
      switch decoded {
      case .fix(let fix):
        let subjectFix = SubjectFix(subject: fix.subject ?? fallback, fix: fix.fix)
        if fix.subject != nil { output.namesSubjects = true }
        pace?.wait(until: fix.fix.time)
        var found: [FenceEvent] = []
        replay.receive(subjectFix, events: &found) { summary.note($0) }
        try tell(found, in: engine.fences, summary: &summary)
        if moments.isDue(at: fix.fix.time) {
          try output.eligibility(of: subjectFix, in: engine.fences)
        }
      case .noFix: summary.note(.noFix)
      case .dropped(let dropped): summary.note(dropped)
      }
    }
    var found: [FenceEvent] = []
    replay.finish(events: &found) { summary.note($0) }
    try tell(found, in: engine.fences, summary: &summary)
    engine = replay.engine
    summaries.append(summary)
  }

  private mutating func tell(
    _ found: [FenceEvent], in fences: FenceSet, summary: inout TraceSummary
  ) throws(CommandFailure) {
    for event in found {
      summary.note(event)
      try output.event(event, in: fences)
      if keepsEvents { events.append(event) }
    }
  }

  /// Writes what is left, and the summary for people.
  mutating func finish() throws {
    try output.summary(summaries)
  }
}
