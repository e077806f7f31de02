import CommandLineArguments
import Geo
import Geofencing
import Persistence
import Positioning

/// What happens while a source is watched: fixes go through the engine, presence and events into
/// the database, and what they say to standard output, in that order.
actor WatchSession {
  private var engine: PresenceEngine
  private var memory: PresenceMemory
  private var fences: WatchedFences
  private var output: WatchOutput
  /// The newest fix and when it came: what the source's own clock says goes on from there.
  private var newest: (fix: Timestamp, receivedAt: Timestamp)?
  private let subject: SubjectID?
  private let fallbackSubject: SubjectID
  /// Why the source was given up.
  private var failure: LiveProblem?

  init(
    fences source: FenceSource, settings: EngineSettings, subject: SubjectID?,
    fallbackSubject: SubjectID, asJSON: Bool
  ) throws {
    let database = try source.openDatabase()
    var fences = WatchedFences(source: source, database: database)
    var engine = PresenceEngine(
      fences: try fences.load(), settings: settings, pastLength: 512)
    var memory = PresenceMemory(database: database)
    try memory.restore(to: &engine)
    self.engine = engine
    self.memory = memory
    self.fences = fences
    self.subject = subject
    self.fallbackSubject = fallbackSubject
    output = WatchOutput(asJSON: asJSON)
    if engine.fences.count == 0 {
      Diagnostics.note("there are no fences: only positions are shown; give --fences FILE")
    }
  }

  /// Takes what the source says.
  func receive(_ event: LiveEvent) throws {
    switch event {
    case .connected(let name): output.status("connected: \(name)")
    case .disconnected(let problem, let retryAfter):
      if let retryAfter {
        output.status(retry(problem, after: retryAfter))
      } else {
        failure = problem
      }
    case .decoded(.fix(let fix), let receivedAt): try receive(fix, at: receivedAt)
    case .decoded(.noFix(let none), _): output.noFix(none.subject ?? fallbackSubject)
    case .decoded(.dropped, _): break
    case .fixLost(let subject, let loss):
      output.status("\(subject ?? fallbackSubject): fix lost (\(loss.rawValue))")
    case .ended: break
    }
  }

  private func receive(_ decoded: DecodedFix, at now: Timestamp) throws {
    let subject = subject ?? decoded.subject ?? fallbackSubject
    var events: [FenceEvent] = []
    let fix: Fix
    let outcome: FixOutcome
    switch ClockRepair.judge(decoded.fix, now: now, settings: engine.settings) {
    case .fromFuture:
      fix = decoded.fix
      outcome = .fixFromFuture
    case .plausible(let judged), .weekRollover(let judged):
      fix = judged
      if newest.map({ fix.time > $0.fix }) ?? true { newest = (fix.time, now) }
      engine.advance(to: sourceTime(at: now), events: &events)
      outcome = engine.receive(fix, from: subject, events: &events)
    }
    try memory.note(subject, events: events, engine: engine, at: now)
    try output.fix(fix, of: subject, outcome: outcome, engine: engine)
    try output.events(events, fences: engine.fences)
  }

  /// The time by the clock of the source: a recording that is fed as if it were live, or a receiver
  /// whose clock is wrong, falls silent by its own time.
  private func sourceTime(at now: Timestamp) -> Timestamp {
    guard let newest else { return now }
    return newest.fix.advanced(byMilliseconds: max(0, now.milliseconds(since: newest.receivedAt)))
  }

  /// Takes the time, so that silence is told without a fix, edits of the fences hold, and what is
  /// known is saved.
  func tick(at now: Timestamp) throws {
    var events: [FenceEvent] = []
    let time = sourceTime(at: now)
    engine.advance(to: time, events: &events)
    if let changed = try fences.changed() {
      try engine.replaceFences(
        by: changed.fences, at: time, revision: changed.revision, events: &events)
      output.status("the fences were changed: there are \(changed.fences.count)")
    }
    engine.settle(events: &events)
    try memory.note(events: events, engine: engine, at: now)
    try output.events(events, fences: engine.fences)
  }

  /// Saves what is known, and returns the exit code.
  func finish() throws -> Int32 {
    try memory.save(engine, at: .now)
    try output.finish()
    guard let failure else { return ExitCode.done }
    Diagnostics.complain("\(failure)")
    return ExitCode.outside
  }

  private func retry(_ problem: LiveProblem, after wait: Duration) -> String {
    let seconds = Double(wait.components.seconds) + Double(wait.components.attoseconds) / 1e18
    return "\(problem); trying again in \((seconds * 10).rounded() / 10) s"
  }
}
