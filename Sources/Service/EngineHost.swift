import Dispatch
import Geo
import Geofencing
import Persistence
import Synchronization

/// The live engine: takes fixes from every request, and answers when what they changed is on the
/// disk.
///
/// Requests that come while a write is under way are judged and written together, so that one flush
/// of the disk serves them all. Questions about fences read the current set without waiting for any
/// of this.
package actor EngineHost {
  /// The fences as they are now.
  package nonisolated var fences: FenceSet { currentFences.withLock { $0 } }

  private nonisolated let currentFences: Mutex<FenceSet>
  /// SQLite blocks, so the engine has a thread of its own.
  private nonisolated let queue: DispatchSerialQueue
  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    queue.asUnownedSerialExecutor()
  }

  private var engine: PresenceEngine
  private let repository: PresenceRepository
  private let fenceRepository: FenceRepository
  private var revisions: [SubjectID: Int] = [:]
  private var fenceRevision: Int
  private var waiting: [Waiting] = []
  private var isDraining = false
  private let now: @Sendable () -> Timestamp
  private let publish: @Sendable ([StoredEvent]) -> Void

  /// The version of what `PresenceEngine.snapshot(of:)` writes.
  private static let snapshotFormat = 1
  /// So many fixes are judged at most before they are written.
  private static let mostAtOnce = 20_000

  /// Fixes of one request, and whoever waits for their outcome.
  private struct Waiting {
    let fixes: [SubjectFix]
    let continuation: CheckedContinuation<Result<[Judged], Failure>, Never>
  }

  /// Why nothing of what was sent counts; it may be sent again.
  package enum Failure: Error, Sendable, CustomStringConvertible {
    case storage(DatabaseError)
    /// Another process changed the same subjects at the same time.
    case conflict([SubjectID])

    package var description: String {
      switch self {
      case .storage(let error): "\(error)"
      case .conflict(let subjects):
        "another process changed \(subjects.count) of the same subjects; send it again"
      }
    }
  }

  /// What became of one fix.
  package struct Judged: Sendable {
    package let fix: SubjectFix
    package let outcome: FixOutcome
    package let events: [FenceEvent]
  }

  /// Loads fences and presence. `publish` is told every event once it is on the disk, in order.
  package init(
    database: Database, settings: EngineSettings = EngineSettings(),
    now: @escaping @Sendable () -> Timestamp,
    publish: @escaping @Sendable ([StoredEvent]) -> Void
  ) throws {
    repository = PresenceRepository(database: database)
    fenceRepository = FenceRepository(database: database)
    let fences = try FenceSet(fenceRepository.all().map(\.fence))
    fenceRevision = try fenceRepository.revision()
    var engine = PresenceEngine(fences: fences, settings: settings, pastLength: 64)
    var revisions: [SubjectID: Int] = [:]
    var stored: [PresenceRepository.StoredPresence] = []
    try repository.forEachPresence { stored.append($0) }
    for presence in stored {
      try engine.restore(presence.snapshot, of: presence.subject)
      revisions[presence.subject] = presence.revision
    }
    self.engine = engine
    self.revisions = revisions
    currentFences = Mutex(engine.fences)
    queue = DispatchSerialQueue(label: "doorstep.engine")
    self.now = now
    self.publish = publish
  }

  // MARK: Fixes

  /// Judges fixes in order and returns when what they changed is on the disk.
  ///
  /// Throws where it could not be written; then nothing of them counts, and they may be sent again.
  package func receive(_ fixes: [SubjectFix]) async throws(Failure) -> [Judged] {
    if fixes.isEmpty { return [] }
    let result = await withCheckedContinuation { continuation in
      waiting.append(Waiting(fixes: fixes, continuation: continuation))
      if !isDraining {
        isDraining = true
        // A step later, so that requests which are already there come along.
        Task { self.drain() }
      }
    }
    return try result.get()
  }

  private func drain() {
    while !waiting.isEmpty {
      var count = 0
      var batch: [Waiting] = []
      while let next = waiting.first, batch.isEmpty || count + next.fixes.count <= Self.mostAtOnce {
        count += next.fixes.count
        batch.append(waiting.removeFirst())
      }
      judge(batch)
    }
    isDraining = false
  }

  private func judge(_ batch: [Waiting]) {
    let time = now()
    var change = Change()
    change.advance(&engine, to: time)
    let judged = batch.map { waiting in
      waiting.fixes.map { change.receive($0, at: time, engine: &engine) }
    }
    do {
      try commit(change, at: time)
      for (waiting, outcome) in zip(batch, judged) {
        waiting.continuation.resume(returning: .success(outcome))
      }
    } catch {
      for waiting in batch { waiting.continuation.resume(returning: .failure(error)) }
    }
  }

  /// Tells the clock, so that silence is told without a fix.
  package func tick() throws(Failure) {
    let time = now()
    var change = Change()
    change.advance(&engine, to: time)
    try commit(change, at: time)
  }

  /// Writes a change and tells its events; where that fails, the engine is as it was before.
  private func commit(_ change: Change, at time: Timestamp) throws(Failure) {
    let subjects = change.before.keys.sorted()
    if subjects.isEmpty { return }
    var events: [SubjectID: [FenceEvent]] = [:]
    for event in change.events { events[event.subject, default: []].append(event) }
    let changes = subjects.compactMap { subject in
      engine.snapshot(of: subject).map { snapshot in
        PresenceRepository.Change(
          subject: subject, format: Self.snapshotFormat, snapshot: snapshot,
          fromRevision: revisions[subject, default: 0], events: events[subject] ?? [])
      }
    }
    let outcome: PresenceRepository.Outcome
    do {
      outcome = try repository.record(changes, at: time)
    } catch {
      change.undo(&engine)
      throw .storage(error)
    }
    switch outcome {
    case .recorded(let stored):
      for change in changes { revisions[change.subject] = change.fromRevision + 1 }
      if !stored.isEmpty { publish(stored) }
    case .conflict(let others):
      change.undo(&engine)
      do { try reload(others) } catch { throw .storage(error) }
      throw .conflict(others)
    }
  }

  /// Takes over what another process wrote of some subjects.
  private func reload(_ subjects: [SubjectID]) throws(DatabaseError) {
    for subject in subjects {
      guard let stored = try repository.presence(of: subject) else {
        revisions[subject] = nil
        engine.undo(to: nil, of: subject)
        continue
      }
      revisions[subject] = stored.revision
      // What cannot be read is judged afresh: the events are unique in the database.
      do { try engine.restore(stored.snapshot, of: subject) } catch {
        engine.undo(to: nil, of: subject)
      }
    }
  }

  /// What is known of a subject now.
  package func presence(of subject: SubjectID) -> SubjectPresence? {
    engine.presence(of: subject)
  }

  // MARK: Fences

  /// Puts fences in the place of those of the same ids, and adds new ones.
  package func upsert(_ fences: [Fence]) throws {
    _ = try fenceRepository.upsert(fences, at: now())
    try reloadFences()
  }

  /// Puts fences in the place of all.
  package func replaceAll(with fences: [Fence], allowingEmpty: Bool) throws {
    _ = try fenceRepository.replaceAll(with: fences, allowingEmpty: allowingEmpty, at: now())
    try reloadFences()
  }

  /// Removes a fence; false where there is none of that id.
  package func delete(_ id: Fence.ID) throws -> Bool {
    let changes = try fenceRepository.delete([id])
    if changes.deleted == 0 { return false }
    try reloadFences()
    return true
  }

  /// Takes over what another process, or a command, has changed in the database.
  package func reloadFencesIfChanged() throws {
    if try fenceRepository.revision() != fenceRevision { try reloadFences() }
  }

  private func reloadFences() throws {
    let time = now()
    fenceRevision = try fenceRepository.revision()
    var change = Change()
    var events: [FenceEvent] = []
    try engine.replaceFences(by: fenceRepository.all().map(\.fence), at: time, events: &events) {
      change.remember($0, $1)
    }
    currentFences.withLock { $0 = engine.fences }
    change.events = events
    try commit(change, at: time)
  }
}

/// A step of the engine that is not yet on the disk, and what undoes it.
private struct Change {
  /// What was known of each subject that is concerned; nil for one that is new.
  private(set) var before: [SubjectID: SubjectPresence?] = [:]
  var events: [FenceEvent] = []

  mutating func advance(_ engine: inout PresenceEngine, to time: Timestamp) {
    engine.advance(to: time, events: &events) { remember($0, $1) }
  }

  mutating func remember(_ subject: SubjectID, _ presence: SubjectPresence?) {
    if before[subject] == nil { before[subject] = .some(presence) }
  }

  mutating func receive(
    _ fix: SubjectFix, at time: Timestamp, engine: inout PresenceEngine
  ) -> EngineHost.Judged {
    let first = events.count
    let judged: Fix
    switch ClockRepair.judge(fix.fix, now: time, settings: engine.settings) {
    case .fromFuture:
      return EngineHost.Judged(fix: fix, outcome: .fixFromFuture, events: [])
    case .plausible(let plausible), .weekRollover(let plausible): judged = plausible
    }
    remember(fix.subject, engine.presence(of: fix.subject))
    let outcome = engine.receive(judged, from: fix.subject, events: &events)
    return EngineHost.Judged(
      fix: SubjectFix(subject: fix.subject, fix: judged), outcome: outcome,
      events: Array(events[first...]))
  }

  func undo(_ engine: inout PresenceEngine) {
    for (subject, presence) in before { engine.undo(to: presence, of: subject) }
  }
}
