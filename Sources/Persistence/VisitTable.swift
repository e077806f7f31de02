import Geo
import Geofencing

/// A visit as its events made it.
package struct StoredVisit: Hashable, Sendable {
  package let id: VisitID
  package let subject: SubjectID
  package let fence: Fence.ID
  package let entry: Passage
  /// Nil while the visit is open.
  package let exit: Passage?
  /// Why the visit ended other than by the subject's moving.
  package let exitCause: FenceEvent.Cause?

  /// An entry or an exit.
  package struct Passage: Hashable, Sendable {
    package let time: Timestamp
    package let confirmedAt: Timestamp
    package let rule: FenceEvent.Rule
  }
}

/// The table of visits, which repeats of `entered` and `exited` what is asked for by visit.
enum VisitTable {
  /// Opens or closes the visit that an event belongs to; other events change no visit.
  ///
  /// Of two events of one kind, as an exit and a late one that amends it, the last holds.
  static func apply(_ event: FenceEvent, to database: Database) throws(DatabaseError) {
    guard let visit = event.visit else { return }
    let passage: [DatabaseValue] = [
      DatabaseValue(event.time), DatabaseValue(event.confirmedAt), .text(event.rule.rawValue),
    ]
    switch event.kind {
    case .entered:
      try database.run(
        """
        INSERT INTO visits
          (id, subject, fence, entered_at, entry_confirmed_at, entry_rule)
        VALUES (?, ?, ?, ?, ?, ?)
        ON CONFLICT (id) DO UPDATE SET
          entered_at = excluded.entered_at, entry_confirmed_at = excluded.entry_confirmed_at,
          entry_rule = excluded.entry_rule
        """,
        [
          .text(visit.description), .text(event.subject.rawValue), .text(event.fence.rawValue),
        ] + passage)
    case .exited:
      try database.run(
        """
        UPDATE visits SET exited_at = ?, exit_confirmed_at = ?, exit_rule = ?, exit_cause = ?
        WHERE id = ?
        """,
        passage + [DatabaseValue(event.cause?.rawValue), .text(visit.description)])
    case .dwelled, .passed, .presenceExpired, .presenceResumed:
      return
    }
  }

  static func visits(
    of subject: SubjectID, in database: Database
  ) throws(DatabaseError) -> [StoredVisit] {
    var visits: [StoredVisit] = []
    try database.rows(
      """
      SELECT id, subject, fence, entered_at, entry_confirmed_at, entry_rule,
        exited_at, exit_confirmed_at, exit_rule, exit_cause
      FROM visits WHERE subject = ? ORDER BY entered_at, id
      """, [.text(subject.rawValue)]
    ) { row throws(DatabaseError) in visits.append(try visit(row)) }
    return visits
  }

  private static func visit(_ row: DatabaseRow) throws(DatabaseError) -> StoredVisit {
    StoredVisit(
      id: try row.required(try row.visitIfAny(0), 0), subject: SubjectID(try row.text(1)),
      fence: Fence.ID(try row.text(2)), entry: try passage(row, from: 3),
      exit: row.isNull(6) ? nil : try passage(row, from: 6),
      exitCause: try row.choiceIfAny(9, as: FenceEvent.Cause.self))
  }

  private static func passage(
    _ row: DatabaseRow, from column: Int32
  ) throws(DatabaseError) -> StoredVisit.Passage {
    StoredVisit.Passage(
      time: try row.timestamp(column), confirmedAt: try row.timestamp(column + 1),
      rule: try row.choice(column + 2, as: FenceEvent.Rule.self))
  }
}
