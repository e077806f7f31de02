import Geofencing
import Persistence

/// The fences of a watch: those of files as they were at the start, or those of the database as they
/// are now.
struct WatchedFences {
  private let source: FenceSource
  private let repository: FenceRepository
  private var revision = -1

  init(source: FenceSource, database: Database) {
    self.source = source
    repository = FenceRepository(database: database)
  }

  /// The fences at the start; none at all are no fault here.
  mutating func load() throws -> FenceSet {
    if source.isFiles { return try source.load() }
    do { return try FenceSet(changed() ?? []) } catch let error as FenceSet.DuplicateID {
      throw CommandFailure.badInput("\(error)")
    }
  }

  /// The fences, if somebody has changed them since the last call.
  mutating func changed() throws -> [Fence]? {
    if source.isFiles { return nil }
    let current = try repository.revision()
    if current == revision { return nil }
    revision = current
    return try repository.all().map(\.fence)
  }
}
