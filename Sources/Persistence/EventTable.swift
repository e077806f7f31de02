import Geo
import Geofencing

/// The table of all events, a column for each of their fields.
enum EventTable {
  /// Those that `storedEvent` reads, the number before them.
  static let columns = """
    kind, subject, fence, visit, time, confirmed_at, rule, initial, late, cause, lat, lng, \
    distance_meters, interval_start, interval_end
    """

  /// The number that the event was given; nil where it is known already.
  static func insert(
    _ event: FenceEvent, into database: Database
  ) throws(DatabaseError) -> Int? {
    let inserted = try database.run(
      """
      INSERT INTO events (\(columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT DO NOTHING
      """, values(of: event))
    guard inserted > 0 else { return nil }
    return try database.integer("SELECT last_insert_rowid()")
  }

  static func events(
    after sequence: Int, limit: Int, in database: Database
  ) throws(DatabaseError) -> [StoredEvent] {
    var events: [StoredEvent] = []
    try database.rows(
      "SELECT sequence, \(columns) FROM events WHERE sequence > ? ORDER BY sequence LIMIT ?",
      [DatabaseValue(sequence), DatabaseValue(limit)]
    ) { row throws(DatabaseError) in
      events.append(try storedEvent(row))
    }
    return events
  }

  static func events(
    of subject: SubjectID, from start: Timestamp, to end: Timestamp, limit: Int,
    in database: Database
  ) throws(DatabaseError) -> [StoredEvent] {
    var events: [StoredEvent] = []
    try database.rows(
      """
      SELECT sequence, \(columns) FROM events
      WHERE subject = ? AND confirmed_at BETWEEN ? AND ? ORDER BY confirmed_at, sequence LIMIT ?
      """,
      [
        .text(subject.rawValue), DatabaseValue(start), DatabaseValue(end), DatabaseValue(limit),
      ]
    ) { row throws(DatabaseError) in events.append(try storedEvent(row)) }
    return events
  }

  static func storedEvent(_ row: DatabaseRow) throws(DatabaseError) -> StoredEvent {
    StoredEvent(sequence: try row.integer(0), event: try event(row))
  }

  private static func values(of event: FenceEvent) -> [DatabaseValue] {
    [
      .text(event.kind.rawValue), .text(event.subject.rawValue), .text(event.fence.rawValue),
      DatabaseValue(event.visit?.description), DatabaseValue(event.time),
      DatabaseValue(event.confirmedAt), .text(event.rule.rawValue),
      DatabaseValue(event.isInitial), DatabaseValue(event.isLate),
      DatabaseValue(event.cause?.rawValue), DatabaseValue(event.coordinate?.latitude),
      DatabaseValue(event.coordinate?.longitude), DatabaseValue(event.distance?.meters),
      DatabaseValue(event.interval?.start), DatabaseValue(event.interval?.end),
    ]
  }

  private static func event(_ row: DatabaseRow) throws(DatabaseError) -> FenceEvent {
    FenceEvent(
      kind: try row.choice(1, as: FenceEvent.Kind.self), subject: SubjectID(try row.text(2)),
      fence: Fence.ID(try row.text(3)), visit: try row.visitIfAny(4), time: try row.timestamp(5),
      confirmedAt: try row.timestamp(6), rule: try row.choice(7, as: FenceEvent.Rule.self),
      isInitial: try row.bool(8), isLate: try row.bool(9),
      cause: try row.choiceIfAny(10, as: FenceEvent.Cause.self), coordinate: try coordinate(row),
      distance: row.realIfAny(13).map { .meters($0) }, interval: interval(row))
  }

  private static func coordinate(_ row: DatabaseRow) throws(DatabaseError) -> Coordinate? {
    guard let latitude = row.realIfAny(11), let longitude = row.realIfAny(12) else { return nil }
    return try row.required(Coordinate(latitude: latitude, longitude: longitude), 11)
  }

  private static func interval(_ row: DatabaseRow) -> FenceEvent.Interval? {
    guard let start = row.timestampIfAny(14), let end = row.timestampIfAny(15) else { return nil }
    return FenceEvent.Interval(start: start, end: end)
  }
}

extension DatabaseRow {
  /// A visit's id; nil for NULL.
  func visitIfAny(_ column: Int32) throws(DatabaseError) -> VisitID? {
    guard let text = textIfAny(column) else { return nil }
    return try required(VisitID(text), column)
  }
}
