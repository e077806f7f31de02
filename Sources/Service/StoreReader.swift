import Geo
import Geofencing
import Persistence

/// Reads the database beside the engine, which writes it: with a connection and a thread of its own,
/// so that neither waits for the other.
actor StoreReader {
  private nonisolated let executor = QueueExecutor(label: "doorstep.reader")
  nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  private let presences: PresenceRepository
  private let keys: APIKeyRepository

  init(database: sending Database) {
    presences = PresenceRepository(database: database)
    keys = APIKeyRepository(database: database)
  }

  func events(after sequence: Int, limit: Int) throws(DatabaseError) -> [StoredEvent] {
    try presences.events(after: sequence, limit: limit)
  }

  func lastSequence() throws(DatabaseError) -> Int { try presences.lastSequence() }

  /// The API keys, if they are others than those of a revision; nil where they are the same.
  func keys(unlessRevision known: Int?) throws(DatabaseError) -> APIKeyring.Keys? {
    let revision = try keys.revision()
    if revision == known { return nil }
    return APIKeyring.Keys(revision: revision, byHash: try keys.all())
  }

  /// Remembers that keys were used.
  func touch(_ ids: some Collection<Int> & Sendable, at time: Timestamp) throws(DatabaseError) {
    for id in ids { try keys.touch(id, at: time) }
  }
}
