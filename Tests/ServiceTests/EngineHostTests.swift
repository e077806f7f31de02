import Foundation
import Geo
import Geofencing
import Persistence
import Service
import Synchronization
import TestSupport
import Testing

@Suite struct EngineHostTests {
  private let folder: TemporaryFolder
  private let path: String
  private let noon = ServedStores.noon
  private let published = Published()

  private final class Published: Sendable {
    let events = Mutex<[StoredEvent]>([])
  }

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path("doorstep.db")
    let fences = try FenceGeoJSON.read(Array(ServedStores.fences.utf8)).get()
    _ = try FenceRepository(database: Database(path: path)).upsert(fences, at: noon)
  }

  private func host() throws -> EngineHost {
    let (noon, published) = (noon, published)
    return try EngineHost(
      database: Database(path: path, busyMilliseconds: 20), now: { noon },
      publish: { events in published.events.withLock { $0 += events } })
  }

  private func fix(_ subject: String, after seconds: Double = 0, north: Double = 0) -> SubjectFix {
    SubjectFix(
      subject: SubjectID(subject),
      fix: Fix(
        coordinate: Coordinate(latitude: 48 + north / 111_200, longitude: 11)!,
        time: noon.advanced(bySeconds: seconds), accuracy: .meters(8)))
  }

  /// Holds the right to write until `release` is set.
  private func holdDatabase(until release: Published) {
    let path = path
    Thread.detachNewThread {
      do {
        let database = try Database(path: path)
        try database.transaction(wrapping: { $0 as any Error }) {
          release.events.withLock { $0 = [] }
          while release.events.withLock({ $0.isEmpty }) { usleep(1000) }
        }
      } catch {
        Issue.record("the database could not be held: \(error)")
      }
    }
  }

  @Test func `what cannot be written does not count, and counts when it is sent again`()
    async throws
  {
    let host = try host()
    let lock = Published()
    let entered = StoredEvent(
      sequence: 1,
      event: FenceEvent(
        kind: .entered, subject: SubjectID("D"), fence: Fence.ID("S"), visit: nil, time: noon,
        confirmedAt: noon, rule: .firstFix))
    lock.events.withLock { $0 = [entered] }
    holdDatabase(until: lock)
    #expect(await eventually { lock.events.withLock { $0.isEmpty } })
    let error = await #expect(throws: EngineHost.Failure.self) {
      try await host.receive([fix("D1"), fix("D2")])
    }
    guard case .storage(let cause) = error else {
      Issue.record("not the database's: \(String(describing: error))")
      return
    }
    #expect(cause.reason == .busy)
    #expect(await host.presence(of: SubjectID("D1")) == nil)
    lock.events.withLock { $0 = [entered] }
    // The other writer ends its transaction in its own time.
    var receipt: EngineHost.Receipt?
    for _ in 0..<200 where receipt == nil {
      receipt = try? await host.receive([fix("D1"), fix("D2")])
    }
    #expect(receipt?.events.map(\.kind) == [.entered, .entered])
    #expect(published.events.withLock { $0.map(\.sequence) } == [1, 2])
  }

  @Test func `many requests at once are each answered for themselves`() async throws {
    let host = try host()
    let counts = try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 0..<300 {
        group.addTask { try await host.receive([fix("D\(number)")]).events.count }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(counts == Array(repeating: 1, count: 300))
    let presences = PresenceRepository(database: try Database(path: path))
    #expect(try presences.events(limit: 1000).count == 300)
    #expect(published.events.withLock { $0.map(\.sequence) } == Array(1...300))
  }

  @Test func `of fixes of one time that stand together one decides`() async throws {
    let receipt = try await host().receive([
      fix("D1", after: -60, north: 900), fix("D1"), fix("D1", north: 700), fix("D1", north: 700),
    ])
    #expect(receipt.outcomes == [.accepted, .accepted, .sameTime, .sameTime])
  }

  @Test func `an edit of the fences by another process holds after the next tick`() async throws {
    let host = try host()
    _ = try await host.receive([fix("D1")])
    let repository = FenceRepository(database: try Database(path: path))
    _ = try repository.delete([Fence.ID("S")])
    #expect(host.fences.set.count == 2)
    try await host.tick()
    #expect(host.fences.set.count == 1)
    #expect(published.events.withLock { $0.map(\.event.kind) } == [.entered, .exited])
    #expect(published.events.withLock { $0.last?.event.cause } == .fenceRemoved)
  }
}
