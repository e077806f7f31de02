import Geo
import Geofencing

/// The fixes of each subject as they came, and what became of each: what explains a decision
/// afterwards. They are kept for a while only.
package struct TrackRepository {
  private let database: Database

  package init(database: Database) { self.database = database }

  /// A fix, whose it was, and what became of it.
  package struct TrackedFix: Hashable, Sendable {
    package var subject: SubjectID
    package var fix: Fix
    package var receivedAt: Timestamp
    package var outcome: FixOutcome
    /// The rule of the first event that the fix confirmed; nil where it confirmed none.
    package var rule: FenceEvent.Rule?

    package init(
      subject: SubjectID, fix: Fix, receivedAt: Timestamp, outcome: FixOutcome,
      rule: FenceEvent.Rule? = nil
    ) {
      self.subject = subject
      self.fix = fix
      self.receivedAt = receivedAt
      self.outcome = outcome
      self.rule = rule
    }
  }

  /// Adds fixes, all or nothing.
  package func append(_ fixes: [TrackedFix]) throws(DatabaseError) {
    try database.transaction { () throws(DatabaseError) in
      for fix in fixes {
        try database.run(
          "INSERT INTO track (\(columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
          values(of: fix))
      }
    }
  }

  /// The fixes of a subject around a moment, in the order of their time: at most `limit` before it
  /// and as many at it or later, none further from it than `reach` milliseconds.
  package func fixes(
    of subject: SubjectID, around moment: Timestamp, reachMilliseconds reach: Int64, limit: Int
  ) throws(DatabaseError) -> [TrackedFix] {
    let before = try fixes(
      "subject = ? AND time >= ? AND time < ? ORDER BY time DESC, id DESC",
      [
        .text(subject.rawValue), DatabaseValue(moment.advanced(byMilliseconds: -reach)),
        DatabaseValue(moment), DatabaseValue(limit),
      ])
    let after = try fixes(
      "subject = ? AND time >= ? AND time <= ? ORDER BY time, id",
      [
        .text(subject.rawValue), DatabaseValue(moment),
        DatabaseValue(moment.advanced(byMilliseconds: reach)), DatabaseValue(limit),
      ])
    return before.reversed() + after
  }

  /// Forgets fixes that were received before `limit`, the oldest first and at most so many; returns
  /// how many. Whoever forgets many does it in parts, so that others get their turn.
  package func delete(
    receivedBefore limit: Timestamp, atMost count: Int
  ) throws(DatabaseError) -> Int {
    try database.run(
      """
      DELETE FROM track WHERE id IN (
        SELECT id FROM track WHERE received_at < ? ORDER BY received_at LIMIT ?)
      """, [DatabaseValue(limit), DatabaseValue(count)])
  }

  private func fixes(
    _ condition: String, _ values: [DatabaseValue]
  ) throws(DatabaseError) -> [TrackedFix] {
    var fixes: [TrackedFix] = []
    try database.rows("SELECT \(columns) FROM track WHERE \(condition) LIMIT ?", values) {
      row throws(DatabaseError) in
      fixes.append(try trackedFix(row))
    }
    return fixes
  }
}

private let columns = """
  subject, time, received_at, lat, lng, accuracy_meters, speed_meters_per_second, \
  course_degrees, altitude_meters, source, simulated, outcome, rule
  """

private func values(of tracked: TrackRepository.TrackedFix) -> [DatabaseValue] {
  let fix = tracked.fix
  return [
    .text(tracked.subject.rawValue), DatabaseValue(fix.time), DatabaseValue(tracked.receivedAt),
    .real(fix.coordinate.latitude), .real(fix.coordinate.longitude),
    DatabaseValue(fix.accuracy?.meters), DatabaseValue(fix.speed?.metersPerSecond),
    DatabaseValue(fix.course?.degrees), DatabaseValue(fix.altitude?.meters),
    DatabaseValue(fix.source?.rawValue), DatabaseValue(fix.isSimulated),
    .text(tracked.outcome.rawValue), DatabaseValue(tracked.rule?.rawValue),
  ]
}

private func trackedFix(_ row: DatabaseRow) throws(DatabaseError) -> TrackRepository.TrackedFix {
  let coordinate = Coordinate(latitude: try row.real(3), longitude: try row.real(4))
  let fix = Fix(
    coordinate: try row.required(coordinate, 3), time: try row.timestamp(1),
    accuracy: row.realIfAny(5).map { .meters($0) },
    speed: row.realIfAny(6).map { .metersPerSecond($0) },
    course: row.realIfAny(7).flatMap { Bearing(degrees: $0) },
    altitude: row.realIfAny(8).map { .meters($0) },
    source: try row.choiceIfAny(9, as: Fix.Source.self), isSimulated: try row.bool(10))
  return TrackRepository.TrackedFix(
    subject: SubjectID(try row.text(0)), fix: fix, receivedAt: try row.timestamp(2),
    outcome: try row.choice(11, as: FixOutcome.self),
    rule: try row.choiceIfAny(12, as: FenceEvent.Rule.self))
}
