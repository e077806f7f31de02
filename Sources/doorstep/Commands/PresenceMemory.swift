import Geo
import Geofencing
import Persistence

/// Keeps the presence of watched subjects in the database.
///
/// A change that tells an event is saved with it before anybody hears of it; one by which the next
/// fix may tell one, at once; any other, within a few seconds.
struct PresenceMemory {
  private let repository: PresenceRepository
  private var revisions: [SubjectID: Int] = [:]
  private var unsaved: Set<SubjectID> = []
  /// Those who were undecided when they were saved last.
  private var undecided: Set<SubjectID> = []
  private var lastSave = Timestamp.earliest

  /// The version of what `PresenceEngine.snapshot(of:)` writes.
  private static let format = 1
  private static let saveIntervalMilliseconds: Int64 = 5000

  init(database: Database) { repository = PresenceRepository(database: database) }

  /// Puts all saved presence back into the engine.
  mutating func restore(to engine: inout PresenceEngine) throws {
    var stored: [PresenceRepository.StoredPresence] = []
    try repository.forEachPresence { stored.append($0) }
    for presence in stored {
      do { try engine.restore(presence.snapshot, of: presence.subject) } catch {
        throw CommandFailure.outside("\(presence.subject): \(error)")
      }
      revisions[presence.subject] = presence.revision
      if engine.presence(of: presence.subject)?.isUndecided ?? false {
        undecided.insert(presence.subject)
      }
    }
  }

  /// Takes note of a fix of `subject` and the events that came with it.
  mutating func note(
    _ subject: SubjectID, events: [FenceEvent], engine: PresenceEngine, at now: Timestamp
  ) throws {
    unsaved.insert(subject)
    let isUndecided = engine.presence(of: subject)?.isUndecided ?? false
    // What began and what ended: a run that is over must not go on after a restart.
    if isUndecided || undecided.contains(subject) {
      if isUndecided { undecided.insert(subject) } else { undecided.remove(subject) }
      return try save(engine, events: events, at: now)
    }
    try note(events: events, engine: engine, at: now)
  }

  /// Takes note of events that came without a fix.
  mutating func note(events: [FenceEvent], engine: PresenceEngine, at now: Timestamp) throws {
    let isDue = now.milliseconds(since: lastSave) >= PresenceMemory.saveIntervalMilliseconds
    if events.isEmpty, !isDue { return }
    try save(engine, events: events, at: now)
  }

  /// Saves what has changed since the last time.
  mutating func save(
    _ engine: PresenceEngine, events: [FenceEvent] = [], at now: Timestamp
  ) throws {
    lastSave = now
    let subjects = unsaved.union(events.map(\.subject))
    if subjects.isEmpty { return }
    let changes = subjects.compactMap { subject in
      engine.snapshot(of: subject).map { snapshot in
        PresenceRepository.Change(
          subject: subject, format: PresenceMemory.format, snapshot: snapshot,
          fromRevision: revisions[subject, default: 0],
          events: events.filter { $0.subject == subject })
      }
    }
    switch try repository.record(changes, at: now) {
    case .recorded:
      for change in changes { revisions[change.subject] = change.fromRevision + 1 }
      unsaved.removeAll()
    case .conflict(let subjects):
      throw CommandFailure.outside(
        "another doorstep watches \(subjects.map(\.rawValue).joined(separator: ", ")) "
          + "with the same database: stop it, or give another --subject or --database")
    }
  }
}
