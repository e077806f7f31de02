import Geo
import Geofencing

/// The table of all punches, and the fences that they were judged by, each once per revision.
enum PunchTable {
  private static let columns = """
    employment, sequence, user, store, punches.kind, time, received_at, outside, stated_reason, \
    remote_address, client_name, client_version, idempotency_key, \
    fence_revision, verdict, reason, distance_meters, confidence, \
    fix_lat, fix_lng, fix_accuracy_meters, fix_time, fix_simulated, sent_at, \
    last_lat, last_lng, last_accuracy_meters, last_time, visit, rule
    """

  private static let insertStatement: String = {
    let names = columns.split(separator: ", ").map { $0.replacing("punches.", with: "") }
    return """
      INSERT INTO punches (\(names.joined(separator: ", ")))
      VALUES (\(names.map { _ in "?" }.joined(separator: ", ")))
      """
  }()

  /// Returns the punch's id.
  static func insert(
    _ punch: Punch, sequence: Int, into database: Database
  ) throws(DatabaseError) -> Int {
    try database.run(insertStatement, values(of: punch, sequence: sequence))
    return try database.integer("SELECT last_insert_rowid()")
  }

  static func rememberFence(
    of evidence: PunchEvidence, in database: Database
  ) throws(DatabaseError) {
    let fence = evidence.fence
    try database.run(
      """
      INSERT INTO judged_fences
        (fence, revision, kind, lat, lng, radius_meters, rings, minimum_confidence)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
      """,
      [.text(fence.id.rawValue), DatabaseValue(evidence.fenceRevision)]
        + fence.area.databaseValues + [.real(fence.settings.minimumConfidence)])
  }

  static func punches(
    _ condition: String, _ values: [DatabaseValue], in database: Database
  ) throws(DatabaseError) -> [StoredPunch] {
    var punches: [StoredPunch] = []
    try forEach(condition, values, in: database) { punch throws(DatabaseError) in
      punches.append(punch)
    }
    return punches
  }

  static func forEach(
    _ condition: String, _ values: [DatabaseValue] = [], in database: Database,
    _ body: (StoredPunch) throws(DatabaseError) -> Void
  ) throws(DatabaseError) {
    try database.rows(
      """
      SELECT id, \(columns),
        judged_fences.kind, lat, lng, radius_meters, rings, minimum_confidence
      FROM punches LEFT JOIN judged_fences ON fence = store AND revision = fence_revision
      \(condition)
      """, values
    ) { row throws(DatabaseError) in try body(try storedPunch(row)) }
  }

  private static func values(of punch: Punch, sequence: Int) -> [DatabaseValue] {
    let (origin, evidence) = (punch.origin, punch.evidence)
    let (fix, last) = (evidence?.fix, evidence?.lastCounted)
    return [
      DatabaseValue(punch.employment), DatabaseValue(sequence), DatabaseValue(punch.user),
      .text(punch.store.rawValue), .text(punch.kind.rawValue), DatabaseValue(punch.time),
      DatabaseValue(punch.receivedAt), DatabaseValue(punch.isOutside),
      DatabaseValue(punch.statedReason), DatabaseValue(origin.remoteAddress),
      DatabaseValue(origin.clientName), DatabaseValue(origin.clientVersion),
      DatabaseValue(origin.idempotencyKey),
      evidence.map { DatabaseValue($0.fenceRevision) } ?? .null,
      DatabaseValue(evidence?.verdict?.rawValue), DatabaseValue(evidence?.reason.rawValue),
      DatabaseValue(evidence?.distance?.meters), DatabaseValue(evidence?.confidence),
      DatabaseValue(fix?.coordinate.latitude), DatabaseValue(fix?.coordinate.longitude),
      DatabaseValue(fix?.accuracy?.meters), DatabaseValue(fix?.time),
      fix.map { DatabaseValue($0.isSimulated) } ?? .null, DatabaseValue(evidence?.sentAt),
      DatabaseValue(last?.coordinate.latitude), DatabaseValue(last?.coordinate.longitude),
      DatabaseValue(last?.accuracy?.meters), DatabaseValue(last?.time),
      DatabaseValue(evidence?.visit?.description), DatabaseValue(evidence?.rule?.rawValue),
    ]
  }

  private static func storedPunch(_ row: DatabaseRow) throws(DatabaseError) -> StoredPunch {
    StoredPunch(
      id: try row.integer(0), sequence: try row.integer(2),
      punch: Punch(
        kind: try row.choice(5, as: Punch.Kind.self), employment: try row.integer(1),
        user: try row.integer(3), store: Fence.ID(try row.text(4)), time: try row.timestamp(6),
        receivedAt: try row.timestamp(7), isOutside: try row.bool(8),
        statedReason: row.textIfAny(9),
        origin: Punch.Origin(
          remoteAddress: row.textIfAny(10), clientName: row.textIfAny(11),
          clientVersion: row.textIfAny(12), idempotencyKey: row.textIfAny(13)),
        evidence: row.isNull(14) ? nil : try evidence(row)))
  }

  private static func evidence(_ row: DatabaseRow) throws(DatabaseError) -> PunchEvidence {
    var settings = Fence.Settings()
    settings.minimumConfidence = try row.real(36)
    return PunchEvidence(
      fence: Fence(
        id: Fence.ID(try row.text(4)), area: try row.area(from: 31), settings: settings),
      fenceRevision: try row.integer(14), fix: try fix(row), sentAt: row.timestampIfAny(24),
      lastCounted: try lastCounted(row),
      verdict: try row.choiceIfAny(15, as: Eligibility.Verdict.self),
      reason: try row.choice(16, as: Eligibility.Reason.self),
      distance: row.realIfAny(17).map { .meters($0) }, confidence: row.realIfAny(18),
      visit: try row.visitIfAny(29), rule: try row.choiceIfAny(30, as: FenceEvent.Rule.self))
  }

  private static func fix(_ row: DatabaseRow) throws(DatabaseError) -> PunchEvidence.ReportedFix? {
    guard let coordinate = try row.coordinateIfAny(19) else { return nil }
    return PunchEvidence.ReportedFix(
      coordinate: coordinate, accuracy: row.realIfAny(21).map { .meters($0) },
      time: try row.timestamp(22), isSimulated: try row.bool(23))
  }

  private static func lastCounted(
    _ row: DatabaseRow
  ) throws(DatabaseError) -> SubjectPresence.CountedFix? {
    guard let coordinate = try row.coordinateIfAny(25) else { return nil }
    return SubjectPresence.CountedFix(
      coordinate: coordinate, time: try row.timestamp(28),
      accuracy: row.realIfAny(27).map { .meters($0) })
  }
}
