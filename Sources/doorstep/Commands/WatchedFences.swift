import Geofencing
import Persistence

/// The fences of a watch: those of files as they were at the start, or those of the database as they
/// are now.
struct WatchedFences {
  private let source: FenceSource
  private let repository: FenceRepository
  private var revision = 0

  init(source: FenceSource, database: Database) {
    self.source = source
    repository = FenceRepository(database: database)
  }

  /// The fences at the start; none at all are no fault here.
  mutating func load() throws -> FenceSet {
    if source.isFiles { return try source.load() }
    revision = try repository.revision()
    let stored = try repository.all()
    let changes = stored.map {
      ($0.fence.id, FenceSet.LastChange(time: $0.changedAt, revision: $0.revision))
    }
    do {
      return try FenceSet(
        stored.map(\.fence), changes: Dictionary(uniqueKeysWithValues: changes),
        revision: revision)
    } catch {
      throw CommandFailure.badInput("\(error)")
    }
  }

  /// The fences and the number of the edit, if somebody has changed them since the last call.
  mutating func changed() throws -> (fences: [Fence], revision: Int)? {
    if source.isFiles { return nil }
    let current = try repository.revision()
    if current == revision { return nil }
    revision = current
    return (try repository.all().map(\.fence), current)
  }
}
