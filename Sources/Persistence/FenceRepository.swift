import Geo
import Geofencing

/// The fences that are remembered.
///
/// The set has a revision that rises with each change that changes something, and every fence the
/// revision in which it last did; a fence that is written as it is keeps its own.
package struct FenceRepository {
  private let database: Database

  package init(database: Database) { self.database = database }

  /// A fence as it is remembered.
  package struct StoredFence: Hashable, Sendable {
    package let fence: Fence
    package let revision: Int
    package let changedAt: Timestamp
  }

  /// What a change did.
  package struct Changes: Hashable, Sendable {
    /// Fences that were added, or that differ from before.
    package let written: Int
    package let deleted: Int
    /// That of the set, after the change.
    package let revision: Int
  }

  /// Why a whole set was not taken; nothing was changed.
  package enum ReplacementError: Error, Equatable, CustomStringConvertible {
    /// The new set is empty, which was not said to be meant.
    case empty
    case idGivenTwice(Fence.ID)
    case database(DatabaseError)

    package var description: String {
      switch self {
      case .empty:
        "the new set has no fence, which would delete all; say so if it is meant"
      case .idGivenTwice(let id): "fence '\(id)' is given twice; ids must be unique"
      case .database(let error): error.description
      }
    }
  }

  /// Makes these the only fences there are, all or nothing.
  package func replaceAll(
    with fences: [Fence], allowingEmpty: Bool = false, at now: Timestamp
  ) throws(ReplacementError) -> Changes {
    guard allowingEmpty || !fences.isEmpty else { throw .empty }
    var ids: Set<Fence.ID> = []
    for fence in fences where !ids.insert(fence.id).inserted { throw .idGivenTwice(fence.id) }
    do {
      return try change { revision throws(DatabaseError) in
        let written = try write(fences, revision: revision, at: now)
        return (written, try remove(try idsRemembered().filter { !ids.contains($0) }))
      }
    } catch {
      throw .database(error)
    }
  }

  /// Adds these fences, or writes them over those of the same id, all or nothing.
  @discardableResult
  package func upsert(_ fences: [Fence], at now: Timestamp) throws(DatabaseError) -> Changes {
    try change { revision throws(DatabaseError) in
      (try write(fences, revision: revision, at: now), 0)
    }
  }

  /// Deletes those of these fences that there are, all or nothing.
  @discardableResult
  package func delete(_ ids: [Fence.ID]) throws(DatabaseError) -> Changes {
    try change { _ throws(DatabaseError) in (0, try remove(ids)) }
  }

  /// All fences by their id.
  package func all() throws(DatabaseError) -> [StoredFence] {
    var fences: [StoredFence] = []
    try database.rows("SELECT \(columns) FROM fences ORDER BY id") { row throws(DatabaseError) in
      fences.append(try storedFence(row))
    }
    return fences
  }

  package func fence(_ id: Fence.ID) throws(DatabaseError) -> StoredFence? {
    var fence: StoredFence?
    try database.rows("SELECT \(columns) FROM fences WHERE id = ?", [.text(id.rawValue)]) {
      row throws(DatabaseError) in
      fence = try storedFence(row)
    }
    return fence
  }

  /// All fences as a set that knows which edit changed each last, so that subjects who were judged
  /// before an edit are judged by it at their next fix.
  package func fenceSet() throws(DatabaseError) -> FenceSet {
    let revision = try revision()
    let stored = try all()
    let changes = stored.map {
      ($0.fence.id, FenceSet.LastChange(time: $0.changedAt, revision: $0.revision))
    }
    do throws(FenceSet.DuplicateID) {
      return try FenceSet(
        stored.map(\.fence), changes: Dictionary(uniqueKeysWithValues: changes),
        revision: revision)
    } catch {
      // The id is the table's key.
      throw DatabaseError(.invalidRow, message: "\(error)", path: database.path)
    }
  }

  package func count() throws(DatabaseError) -> Int {
    try database.integer("SELECT count(*) FROM fences")
  }

  /// The set's revision; 0 where nothing was ever written.
  package func revision() throws(DatabaseError) -> Int {
    try database.integer("SELECT revision FROM fence_set")
  }

  private func change(
    _ body: (_ revision: Int) throws(DatabaseError) -> (written: Int, deleted: Int)
  ) throws(DatabaseError) -> Changes {
    try database.transaction { () throws(DatabaseError) in
      let revision = try revision()
      let (written, deleted) = try body(revision + 1)
      guard written + deleted > 0 else {
        return Changes(written: 0, deleted: 0, revision: revision)
      }
      try database.run("UPDATE fence_set SET revision = ?", [DatabaseValue(revision + 1)])
      return Changes(written: written, deleted: deleted, revision: revision + 1)
    }
  }

  private func write(
    _ fences: [Fence], revision: Int, at now: Timestamp
  ) throws(DatabaseError) -> Int {
    var written = 0
    for fence in fences {
      written += try database.run(
        upsertStatement,
        values(of: fence) + [DatabaseValue(revision), DatabaseValue(now)])
    }
    return written
  }

  private func idsRemembered() throws(DatabaseError) -> [Fence.ID] {
    var ids: [Fence.ID] = []
    try database.rows("SELECT id FROM fences") { row throws(DatabaseError) in
      ids.append(Fence.ID(try row.text(0)))
    }
    return ids
  }

  private func remove(_ ids: [Fence.ID]) throws(DatabaseError) -> Int {
    var removed = 0
    for id in ids {
      removed += try database.run("DELETE FROM fences WHERE id = ?", [.text(id.rawValue)])
    }
    return removed
  }
}

private let contentColumns = """
  name, kind, lat, lng, radius_meters, rings, time_zone, exit_buffer_meters, dwell_seconds, \
  passed, minimum_confidence
  """

private let columns = "id, \(contentColumns), revision, changed_at"

private let upsertStatement: String = {
  let names = columns.split(separator: ", ")
  let assignments = names.dropFirst().map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
  let excluded = contentColumns.split(separator: ", ").map { "excluded.\($0)" }
  return """
    INSERT INTO fences (\(columns)) VALUES (\(names.map { _ in "?" }.joined(separator: ", ")))
    ON CONFLICT (id) DO UPDATE SET \(assignments)
    WHERE (\(contentColumns)) IS NOT (\(excluded.joined(separator: ", ")))
    """
}()

/// The values of `id` and `contentColumns`.
private func values(of fence: Fence) -> [DatabaseValue] {
  let settings = fence.settings
  return [.text(fence.id.rawValue), .text(fence.name)] + fence.area.databaseValues + [
    DatabaseValue(fence.timeZone), .real(settings.exitBuffer.meters),
    DatabaseValue(settings.dwellSeconds), DatabaseValue(settings.passed),
    .real(settings.minimumConfidence),
  ]
}

private func storedFence(_ row: DatabaseRow) throws(DatabaseError) -> FenceRepository.StoredFence {
  var settings = Fence.Settings()
  settings.exitBuffer = .meters(try row.real(8))
  settings.dwellSeconds = row.realIfAny(9)
  settings.passed = try row.bool(10)
  settings.minimumConfidence = try row.real(11)
  let fence = Fence(
    id: Fence.ID(try row.text(0)), name: try row.text(1), area: try row.area(from: 2),
    timeZone: row.textIfAny(7), settings: settings)
  return FenceRepository.StoredFence(
    fence: fence, revision: try row.integer(12), changedAt: try row.timestamp(13))
}
