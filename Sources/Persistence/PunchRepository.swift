import Geo
import Geofencing

/// The punches of the staff clock: they are added, and neither changed nor deleted.
///
/// Each employment's punches are numbered from 1. One is added by compare-and-set on the last
/// number, so that of several writers who judged from the same history only one succeeds.
package struct PunchRepository {
  private let database: Database

  package init(database: Database) { self.database = database }

  package enum Outcome: Hashable, Sendable {
    case recorded(StoredPunch)
    /// Nothing was recorded: the employment's last punch has another number, this one. Load its
    /// punches, and judge anew.
    case conflict(lastSequence: Int)
  }

  /// Where an employment's sequence stands.
  package struct ClockHead: Hashable, Sendable {
    package let employment: Int
    package let user: Int
    /// The store of the last punch.
    package let store: Fence.ID
    package let lastSequence: Int
    /// When the open shift began; nil where the last punch is a clock-out.
    package let clockedInSince: Timestamp?

    package init(
      employment: Int, user: Int, store: Fence.ID, lastSequence: Int, clockedInSince: Timestamp?
    ) {
      self.employment = employment
      self.user = user
      self.store = store
      self.lastSequence = lastSequence
      self.clockedInSince = clockedInSince
    }
  }

  /// Adds a punch after the one of this number; 0 where it is to be the employment's first.
  ///
  /// May be part of a caller's transaction.
  package func append(_ punch: Punch, after sequence: Int) throws(DatabaseError) -> Outcome {
    try database.transaction { () throws(DatabaseError) in
      let head = try head(of: punch.employment)
      guard (head?.lastSequence ?? 0) == sequence else {
        return .conflict(lastSequence: head?.lastSequence ?? 0)
      }
      try write(punch, after: sequence, clockedInSince: head?.clockedInSince)
      if let evidence = punch.evidence {
        try PunchTable.rememberFence(of: evidence, in: database)
      }
      let id = try PunchTable.insert(punch, sequence: sequence + 1, into: database)
      return .recorded(StoredPunch(id: id, sequence: sequence + 1, punch: punch))
    }
  }

  /// The employment's last number and open shift; nil where it has no punch.
  package func head(of employment: Int) throws(DatabaseError) -> ClockHead? {
    try heads("WHERE employment = ?", [DatabaseValue(employment)]).first
  }

  /// A person's open shifts at whatever stores.
  package func openShifts(of user: Int) throws(DatabaseError) -> [ClockHead] {
    try heads("WHERE clocked_in_since IS NOT NULL AND user = ?", [DatabaseValue(user)])
  }

  /// Everybody's open shifts, by employment.
  package func openShifts() throws(DatabaseError) -> [ClockHead] {
    try heads("WHERE clocked_in_since IS NOT NULL")
  }

  /// An employment's punches in order: from the shift on that was the last to begin at or before
  /// `start`, to the last punch before `end`.
  ///
  /// So a shift that reaches into the interval is whole, and none of those before is read.
  package func punches(
    of employment: Int, fromShiftAt start: Timestamp = .earliest, before end: Timestamp? = nil
  ) throws(DatabaseError) -> [StoredPunch] {
    try PunchTable.punches(
      """
      WHERE punches.employment = ?1 AND sequence >= coalesce((
        SELECT max(sequence) FROM punches
        WHERE employment = ?1 AND kind = 'in' AND time <= ?2), 0)
      AND (?3 IS NULL OR time < ?3) ORDER BY sequence
      """, [DatabaseValue(employment), DatabaseValue(start), DatabaseValue(end)], in: database)
  }

  package func punch(_ id: Int) throws(DatabaseError) -> StoredPunch? {
    try PunchTable.punches("WHERE punches.id = ?", [DatabaseValue(id)], in: database).first
  }

  /// Passes every punch to `body`, by employment and in order, one at a time in constant memory.
  package func forEachPunch(
    _ body: (StoredPunch) throws(DatabaseError) -> Void
  ) throws(DatabaseError) {
    try PunchTable.forEach("ORDER BY punches.employment, sequence", in: database, body)
  }

  private func heads(
    _ condition: String, _ values: [DatabaseValue] = []
  ) throws(DatabaseError) -> [ClockHead] {
    var heads: [ClockHead] = []
    try database.rows(
      """
      SELECT employment, user, store, last_sequence, clocked_in_since FROM clocks \(condition)
      ORDER BY employment
      """, values
    ) { row throws(DatabaseError) in
      heads.append(
        ClockHead(
          employment: try row.integer(0), user: try row.integer(1),
          store: Fence.ID(try row.text(2)), lastSequence: try row.integer(3),
          clockedInSince: row.timestampIfAny(4)))
    }
    return heads
  }

  private func write(
    _ punch: Punch, after sequence: Int, clockedInSince before: Timestamp?
  ) throws(DatabaseError) {
    let since: Timestamp? =
      switch punch.kind {
      case .clockIn: punch.time
      case .clockOut: nil
      case .breakStart, .breakEnd: before
      }
    try database.run(
      """
      INSERT INTO clocks (employment, user, store, last_sequence, clocked_in_since)
      VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (employment) DO UPDATE SET
        user = excluded.user, store = excluded.store, last_sequence = excluded.last_sequence,
        clocked_in_since = excluded.clocked_in_since
      """,
      [
        DatabaseValue(punch.employment), DatabaseValue(punch.user), .text(punch.store.rawValue),
        DatabaseValue(sequence + 1), DatabaseValue(since),
      ])
  }
}
