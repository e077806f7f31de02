import Geo
import Geofencing

/// What is known of subjects: their presence as the engine left it, their visits and events.
///
/// A subject's presence is changed by compare-and-set on its revision, so that of several writers
/// who began from the same state only one succeeds; and always together with the events that the
/// change brought, so that a restart loses none and tells none twice.
package struct PresenceRepository {
  private let database: Database

  package init(database: Database) { self.database = database }

  /// One subject's presence as it is remembered.
  package struct StoredPresence: Hashable, Sendable {
    package let subject: SubjectID
    /// Says how `snapshot` is to be read; the engine's business.
    package let format: Int
    package let snapshot: [UInt8]
    /// 1 for the first ever written, and one more with each change.
    package let revision: Int
    package let updatedAt: Timestamp
  }

  /// A subject's new presence and the events that led to it.
  package struct Change: Hashable, Sendable {
    package var subject: SubjectID
    package var format: Int
    package var snapshot: [UInt8]
    /// The revision from which the change was computed; 0 where the subject was unknown. After the
    /// change it is one more.
    package var fromRevision: Int
    package var events: [FenceEvent]

    package init(
      subject: SubjectID, format: Int, snapshot: [UInt8], fromRevision: Int, events: [FenceEvent]
    ) {
      self.subject = subject
      self.format = format
      self.snapshot = snapshot
      self.fromRevision = fromRevision
      self.events = events
    }
  }

  package enum Outcome: Hashable, Sendable {
    /// All is on the disk; these events are new, each with its number, in order.
    case recorded([StoredEvent])
    /// Nothing was recorded: the presence of these subjects had been changed by somebody else, or
    /// deleted. Load it, and compute the change anew.
    case conflict([SubjectID])
  }

  /// Writes changes of different subjects, all or nothing.
  ///
  /// Costs one flush of the disk however many changes there are. An event that is known already is
  /// passed over, so that repeating what a crash cut short is harmless. Traps where a subject is
  /// changed twice.
  ///
  /// `alongside` is given the new events, and what it writes is kept or lost together with them:
  /// deliveries of the events, and the fixes that led to them. It isn't called on a conflict.
  package func record(
    _ changes: [Change], at now: Timestamp,
    alongside: ([StoredEvent]) throws(DatabaseError) -> Void = { _ in }
  ) throws(DatabaseError) -> Outcome {
    precondition(
      Set(changes.map(\.subject)).count == changes.count, "a subject is changed twice at once")
    return try database.transaction { () throws(DatabaseError) in
      // Nothing can change between this and the writing: the transaction holds the right to write.
      var conflicts: [SubjectID] = []
      for change in changes where try revision(of: change.subject) != change.fromRevision {
        conflicts.append(change.subject)
      }
      guard conflicts.isEmpty else { return .conflict(conflicts) }
      var stored: [StoredEvent] = []
      for change in changes {
        try write(change, at: now)
        for event in change.events {
          guard let sequence = try EventTable.insert(event, into: database) else { continue }
          try VisitTable.apply(event, to: database)
          stored.append(StoredEvent(sequence: sequence, event: event))
        }
      }
      try alongside(stored)
      return .recorded(stored)
    }
  }

  /// One subject's presence; nil where it is unknown.
  package func presence(of subject: SubjectID) throws(DatabaseError) -> StoredPresence? {
    var presence: StoredPresence?
    try database.rows(
      "SELECT \(columns) FROM subjects WHERE subject = ?", [.text(subject.rawValue)]
    ) { row throws(DatabaseError) in presence = try storedPresence(row) }
    return presence
  }

  /// Passes every subject's presence to `body`, one at a time and by subject, in constant memory.
  package func forEachPresence(
    _ body: (StoredPresence) throws(DatabaseError) -> Void
  ) throws(DatabaseError) {
    try database.rows("SELECT \(columns) FROM subjects ORDER BY subject") {
      row throws(DatabaseError) in
      try body(try storedPresence(row))
    }
  }

  /// Forgets a subject's presence, not its visits and events; false where it was unknown.
  @discardableResult
  package func deletePresence(of subject: SubjectID) throws(DatabaseError) -> Bool {
    try database.run("DELETE FROM subjects WHERE subject = ?", [.text(subject.rawValue)]) > 0
  }

  /// The events that were recorded after the one of this number, in order; at most `limit`.
  package func events(after sequence: Int = 0, limit: Int) throws(DatabaseError) -> [StoredEvent] {
    try EventTable.events(after: sequence, limit: limit, in: database)
  }

  /// The events of a subject that were certain from `start` to `end`, both included, in the order of
  /// that; at most `limit`.
  package func events(
    of subject: SubjectID, from start: Timestamp, to end: Timestamp, limit: Int
  ) throws(DatabaseError) -> [StoredEvent] {
    try EventTable.events(of: subject, from: start, to: end, limit: limit, in: database)
  }

  /// The number of the newest event; 0 where there is none.
  package func lastSequence() throws(DatabaseError) -> Int {
    try database.integer("SELECT coalesce(max(sequence), 0) FROM events")
  }

  /// The visits of a subject by their time of entry, the open ones among them.
  package func visits(of subject: SubjectID) throws(DatabaseError) -> [StoredVisit] {
    try VisitTable.visits(of: subject, in: database)
  }

  private func revision(of subject: SubjectID) throws(DatabaseError) -> Int {
    try database.integer(
      "SELECT revision FROM subjects WHERE subject = ?", [.text(subject.rawValue)])
  }

  private func write(_ change: Change, at now: Timestamp) throws(DatabaseError) {
    try database.run(
      """
      INSERT INTO subjects (\(columns)) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (subject) DO UPDATE SET
        format = excluded.format, snapshot = excluded.snapshot, revision = excluded.revision,
        updated_at = excluded.updated_at
      """,
      [
        .text(change.subject.rawValue), DatabaseValue(change.format), .bytes(change.snapshot),
        DatabaseValue(change.fromRevision + 1), DatabaseValue(now),
      ])
  }
}

private let columns = "subject, format, snapshot, revision, updated_at"

private func storedPresence(
  _ row: DatabaseRow
) throws(DatabaseError) -> PresenceRepository.StoredPresence {
  PresenceRepository.StoredPresence(
    subject: SubjectID(try row.text(0)), format: try row.integer(1), snapshot: try row.bytes(2),
    revision: try row.integer(3), updatedAt: try row.timestamp(4))
}
