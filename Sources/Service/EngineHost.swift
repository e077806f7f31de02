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
  /// The fences as they are now, and the revision by which they are known.
  package nonisolated var fences: CurrentFences { current.withLock { $0 } }

  private nonisolated let current: Mutex<CurrentFences>
  private nonisolated let executor: QueueExecutor
  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  private var engine: PresenceEngine
  private let presences: PresenceRepository
  private let fenceRepository: FenceRepository
  private var revisions: [SubjectID: Int]
  private var waiting: [Waiting] = []
  private var isDraining = false
  private let now: @Sendable () -> Timestamp
  private let publish: @Sendable ([StoredEvent]) -> Void

  /// The version of what `PresenceEngine.snapshot(of:)` writes.
  private static let snapshotFormat = 1
  /// So many fixes of several requests are judged at most before they are written.
  private static let mostAtOnce = 20_000
  /// How often a step is judged anew because another process was quicker.
  private static let mostAttempts = 3

  /// A set of fences that does not change any more.
  package struct CurrentFences: Sendable {
    package let set: FenceSet
    package let revision: Int
  }

  /// Fixes of one request, and whoever waits for their outcome.
  private struct Waiting {
    let fixes: [SubjectFix]
    let continuation: CheckedContinuation<Result<Receipt, Failure>, Never>
  }

  /// Why nothing of what was sent counts; it may be sent again.
  package enum Failure: Error, Sendable, CustomStringConvertible {
    case storage(DatabaseError)
    /// Another process keeps changing the same subjects.
    case conflict([SubjectID])

    package var description: String {
      switch self {
      case .storage(let error): "\(error)"
      case .conflict(let subjects):
        "another process keeps changing \(subjects.count) of the same subjects"
      }
    }
  }

  /// What became of the fixes of a request.
  package struct Receipt: Sendable {
    /// One for each fix, in their order.
    package let outcomes: [FixOutcome]
    /// What the fixes confirmed, in order.
    package let events: [FenceEvent]
  }

  /// Loads fences and presence. `publish` is told every event once it is on the disk, in order, on
  /// the engine's own queue.
  package init(
    database: sending Database, settings: EngineSettings = EngineSettings(),
    now: @escaping @Sendable () -> Timestamp,
    publish: @escaping @Sendable ([StoredEvent]) -> Void
  ) throws {
    presences = PresenceRepository(database: database)
    fenceRepository = FenceRepository(database: database)
    executor = QueueExecutor(label: "doorstep.engine")
    // The revision first: what is edited meanwhile is then read again by the next tick.
    let revision = try fenceRepository.revision()
    var engine = PresenceEngine(
      fences: try fenceRepository.fenceSet(), settings: settings, pastLength: 64)
    var stored: [PresenceRepository.StoredPresence] = []
    try presences.forEachPresence { stored.append($0) }
    for presence in stored { try engine.restore(presence.snapshot, of: presence.subject) }
    revisions = Dictionary(uniqueKeysWithValues: stored.map { ($0.subject, $0.revision) })
    current = Mutex(CurrentFences(set: engine.fences, revision: revision))
    self.engine = engine
    self.now = now
    self.publish = publish
  }

  /// What is known of a subject now.
  package func presence(of subject: SubjectID) -> SubjectPresence? {
    engine.presence(of: subject)
  }

  // MARK: Fixes and time

  /// Judges fixes in order and returns when what they changed is on the disk.
  ///
  /// Throws where it could not be written; then nothing of them counts, and they may be sent again.
  package func receive(_ fixes: [SubjectFix]) async throws(Failure) -> Receipt {
    if fixes.isEmpty { return Receipt(outcomes: [], events: []) }
    let result = await withCheckedContinuation { continuation in
      waiting.append(Waiting(fixes: fixes, continuation: continuation))
      if !isDraining {
        isDraining = true
        // A turn later, so that the requests which are in the queue already come along.
        Task { self.drain() }
      }
    }
    return try result.get()
  }

  private func drain() {
    isDraining = false
    var rest = waiting[...]
    waiting = []
    while !rest.isEmpty {
      var count = 0
      let batch = rest.prefix { next in
        defer { count += next.fixes.count }
        return count == 0 || count + next.fixes.count <= Self.mostAtOnce
      }
      judge(batch)
      rest = rest.dropFirst(batch.count)
    }
  }

  private func judge(_ batch: ArraySlice<Waiting>) {
    var receipts: [Receipt] = []
    do {
      try step { change, engine, time in
        // By the clock of the fixes: what was measured long ago and is sent now was no silence.
        let newest = batch.flatMap(\.fixes).map(\.fix.time).max() ?? time
        change.advance(&engine, to: min(newest, time))
        receipts = batch.map { change.receive($0.fixes, at: time, engine: &engine) }
      }
      for (waiting, receipt) in zip(batch, receipts) {
        waiting.continuation.resume(returning: .success(receipt))
      }
    } catch {
      for waiting in batch { waiting.continuation.resume(returning: .failure(error)) }
    }
  }

  /// Tells the clock, so that silence is told without a fix, and takes over what another process has
  /// changed of the fences.
  package func tick() throws(Failure) {
    let revision: Int
    do { revision = try fenceRepository.revision() } catch { throw .storage(error) }
    if revision != fences.revision { try reloadFences() }
    try step { change, engine, time in change.advance(&engine, to: time) }
  }

  /// Lets `body` change the engine, and writes what it changed; where that fails, the engine is as it
  /// was before.
  private func step(
    _ body: (inout EngineChange, inout PresenceEngine, Timestamp) -> Void
  ) throws(Failure) {
    for attempt in 1... {
      let time = now()
      var change = EngineChange()
      body(&change, &engine, time)
      change.settle(&engine)
      do throws(Failure) {
        return try commit(change, at: time)
      } catch {
        guard case .conflict = error, attempt < Self.mostAttempts else { throw error }
      }
    }
  }

  /// Writes a change and tells its events; where that fails, undoes it.
  private func commit(_ change: EngineChange, at time: Timestamp) throws(Failure) {
    if change.before.isEmpty { return }
    var events: [SubjectID: [FenceEvent]] = [:]
    for event in change.events { events[event.subject, default: []].append(event) }
    let changes = change.before.keys.sorted().compactMap { subject in
      engine.snapshot(of: subject).map { snapshot in
        PresenceRepository.Change(
          subject: subject, format: Self.snapshotFormat, snapshot: snapshot,
          fromRevision: revisions[subject, default: 0], events: events[subject] ?? [])
      }
    }
    let outcome: PresenceRepository.Outcome
    do {
      outcome = try presences.record(changes, at: time)
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
      do throws(DatabaseError) { try reload(others) } catch { throw .storage(error) }
      throw .conflict(others)
    }
  }

  /// Takes over what another process wrote of some subjects.
  private func reload(_ subjects: [SubjectID]) throws(DatabaseError) {
    for subject in subjects {
      let stored = try presences.presence(of: subject)
      revisions[subject] = stored?.revision
      // What cannot be read is judged afresh: the events are unique in the database.
      do throws(SnapshotProblem) {
        guard let stored else { throw .missing("snapshot") }
        try engine.restore(stored.snapshot, of: subject)
      } catch {
        engine.restore(nil, of: subject)
      }
    }
  }

  // MARK: Fences

  /// Puts a fence in the place of that of the same id, or adds it; true where there was none.
  package func put(_ fence: Fence) throws -> Bool {
    let isNew = try fenceRepository.fence(fence.id) == nil
    _ = try fenceRepository.upsert([fence], at: now())
    try reloadFences()
    return isNew
  }

  /// Puts fences in the place of those of the same ids and adds new ones; with `replacing`, removes
  /// all others.
  package func importFences(
    _ fences: [Fence], replacing: Bool, allowingEmpty: Bool
  ) throws -> FenceRepository.Changes {
    let changes =
      replacing
      ? try fenceRepository.replaceAll(with: fences, allowingEmpty: allowingEmpty, at: now())
      : try fenceRepository.upsert(fences, at: now())
    try reloadFences()
    return changes
  }

  /// Removes a fence; false where there is none of that id.
  package func delete(_ id: Fence.ID) throws -> Bool {
    if try fenceRepository.delete([id]).deleted == 0 { return false }
    try reloadFences()
    return true
  }

  /// Judges presence by the fences of the database from now on.
  ///
  /// Where the presence cannot be written, the fences hold all the same: each subject is then judged
  /// by them at its next fix.
  private func reloadFences() throws(Failure) {
    let revision: Int
    let stored: [Fence]
    do {
      revision = try fenceRepository.revision()
      stored = try fenceRepository.all().map(\.fence)
    } catch {
      throw .storage(error)
    }
    defer { current.withLock { $0 = CurrentFences(set: engine.fences, revision: revision) } }
    try step { change, engine, time in
      // The database's ids are unique, and are those of the engine.
      try? change.replaceFences(of: &engine, by: stored, revision: revision, at: time)
    }
  }
}
