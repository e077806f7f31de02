import Geo
import Geofencing
import Persistence
import Synchronization
import TestSupport
import Testing

@testable import Notifications

/// A log of events that many append to at once, as the database's is.
private final class EventLog: Sendable {
  private let events = Mutex<[StoredEvent]>([])

  var all: [StoredEvent] { events.withLock { $0 } }

  func append(_ event: FenceEvent) {
    events.withLock { events in
      // Numbers rise, though not always by one.
      let last = events.last?.sequence ?? 0
      events.append(StoredEvent(sequence: last + 1 + last % 3 / 2, event: event))
    }
  }

  @Sendable func read(after sequence: Int, limit: Int) async throws -> [StoredEvent] {
    events.withLock { events in
      // The log is as long as a test's, so looking from its start costs little.
      Array(events.drop { $0.sequence <= sequence }.prefix(limit))
    }
  }
}

@Suite struct EventHubTests {
  private static func event(_ random: inout SeededGenerator) -> FenceEvent {
    FenceEvent(
      kind: FenceEvent.Kind.allCases.randomElement(using: &random)!,
      subject: SubjectID("D\(Int.random(in: 0..<4, using: &random))"),
      fence: Fence.ID("S\(Int.random(in: 0..<4, using: &random))"), visit: nil, time: noon,
      confirmedAt: noon, rule: .twoFixes)
  }

  private static func filter(_ random: inout SeededGenerator) -> EventFilter {
    var filter = EventFilter()
    if Bool.random(using: &random) { filter.fences = [Fence.ID("S0"), Fence.ID("S2")] }
    if Int.random(in: 0..<3, using: &random) == 0 { filter.subjects = [SubjectID("D1")] }
    if Int.random(in: 0..<3, using: &random) == 0 { filter.kinds = [.entered, .exited, .passed] }
    return filter
  }

  private func hub(_ log: EventLog, bufferLimit: Int = 100) -> EventHub {
    EventHub(
      head: log.all.last?.sequence ?? 0, bufferLimit: bufferLimit, history: log.read,
      report: { Issue.record($0) })
  }

  /// Follows until `isDone`, cut off and slowed down at random, and returns all that came.
  private static func follow(
    _ hub: EventHub, _ filter: EventFilter, after start: Int, seed: UInt64,
    until isDone: @Sendable ([StoredEvent]) -> Bool
  ) async -> [StoredEvent] {
    var random = SeededGenerator(seed: seed)
    var received: [StoredEvent] = []
    while !isDone(received) {
      // As a client does that lost its connection: after the last event that it has.
      let follower = hub.follow(filter, after: received.last?.sequence ?? start)
      defer { follower.leave() }
      for _ in 0..<Int.random(in: 1...8, using: &random) where !isDone(received) {
        guard let events = try? await follower.next() else { break }
        // Some of what it was sent is lost with the connection.
        received += events.prefix(Int.random(in: 1...events.count, using: &random))
        if received.last != events.last { break }
        if Int.random(in: 0..<4, using: &random) == 0 {
          try? await Task.sleep(for: .microseconds(Int.random(in: 1...500, using: &random)))
        }
      }
    }
    return received
  }

  @Test(arguments: [1, 2, 3] as [UInt64], [2, 100])
  func `whoever resumes after the last event it has misses none and gets none twice`(
    seed: UInt64, bufferLimit: Int
  ) async throws {
    let log = EventLog()
    var random = SeededGenerator(seed: seed)
    for _ in 0..<50 { log.append(EventHubTests.event(&random)) }
    let hub = hub(log, bufferLimit: bufferLimit)
    let run = Task { await hub.run() }
    let followers = (0..<8).map { _ in
      (
        EventHubTests.filter(&random), Int.random(in: 0...60, using: &random),
        UInt64.random(in: 0...9999, using: &random)
      )
    }
    // An event that every filter admits ends each stream.
    let end = FenceEvent(
      kind: .entered, subject: SubjectID("D1"), fence: Fence.ID("S0"), visit: nil,
      time: noon.advanced(bySeconds: 9), confirmedAt: noon, rule: .dwell)
    let received = await withTaskGroup(of: (Int, [StoredEvent]).self) { group in
      for (index, (filter, start, seed)) in followers.enumerated() {
        group.addTask {
          let all = await EventHubTests.follow(hub, filter, after: start, seed: seed) {
            $0.last?.event == end
          }
          return (index, all)
        }
      }
      await withTaskGroup(of: Void.self) { publishers in
        for number in 0..<4 {
          publishers.addTask {
            var random = SeededGenerator(seed: seed &* 31 &+ UInt64(number))
            for _ in 0..<150 {
              log.append(EventHubTests.event(&random))
              hub.wake()
              if Int.random(in: 0..<8, using: &random) == 0 { await Task.yield() }
            }
          }
        }
      }
      log.append(end)
      hub.wake()
      return await group.reduce(into: [Int: [StoredEvent]]()) { $0[$1.0] = $1.1 }
    }
    for (index, (filter, start, _)) in followers.enumerated() {
      let expected = log.all.filter { $0.sequence > start && filter.admits($0.event) }
      #expect(received[index] == expected)
    }
    run.cancel()
    await run.value
    #expect(hub.followerCount == 0)
  }

  @Test func `who names no event gets what is recorded from then on`() async throws {
    let log = EventLog()
    var random = SeededGenerator(seed: 1)
    for _ in 0..<5 { log.append(EventHubTests.event(&random)) }
    let hub = hub(log)
    let run = Task { await hub.run() }
    let follower = hub.follow(EventFilter())
    async let next = follower.next()
    #expect(await eventually { hub.followerCount == 1 })
    log.append(EventHubTests.event(&random))
    hub.wake()
    #expect(try await next == [log.all[5]])
    run.cancel()
    await run.value
  }

  @Test func `a slow follower holds no more than its buffer, and still gets everything`()
    async throws
  {
    let log = EventLog()
    var random = SeededGenerator(seed: 2)
    let hub = hub(log, bufferLimit: 10)
    let run = Task { await hub.run() }
    let follower = hub.follow(EventFilter(), after: 0)
    async let first = follower.next()
    #expect(await eventually { hub.followerCount == 1 })
    log.append(EventHubTests.event(&random))
    hub.wake()
    var received = try await first
    for _ in 0..<1000 {
      log.append(EventHubTests.event(&random))
      hub.wake()
      if Int.random(in: 0..<50, using: &random) == 0 { await Task.yield() }
    }
    // It was let go, for more than its buffer holds waited.
    #expect(await eventually { hub.followerCount == 0 })
    while received.count < 1001 { received += try await follower.next() }
    #expect(received == log.all)
    run.cancel()
    await run.value
  }

  @Test func `a stream ends with the hub, with its task and when the follower leaves`()
    async throws
  {
    let log = EventLog()
    let hub = hub(log)
    let run = Task { await hub.run() }
    for way in 0..<3 {
      let follower = hub.follow(EventFilter())
      let waiting = Task { () throws(EventFollower.End) in try await follower.next() }
      #expect(await eventually { hub.followerCount == 1 })
      switch way {
      case 0: waiting.cancel()
      case 1: follower.leave()
      default: run.cancel()
      }
      await #expect(throws: EventFollower.End.closed) { try await waiting.value }
      #expect(await eventually { hub.followerCount == 0 })
    }
    await run.value
    let late = hub.follow(EventFilter(), after: 0)
    await #expect(throws: EventFollower.End.closed) { try await late.next() }
  }

  @Test func `a history that cannot be read ends those who need it, and the others go on`()
    async throws
  {
    struct Full: Error {}
    let log = EventLog()
    var random = SeededGenerator(seed: 3)
    log.append(EventHubTests.event(&random))
    let fails = Mutex(false)
    let reports = Mutex(0)
    let hub = EventHub(
      head: 1, bufferLimit: 10,
      history: { after, limit in
        if fails.withLock({ $0 }) { throw Full() }
        return try await log.read(after: after, limit: limit)
      }, report: { _ in reports.withLock { $0 += 1 } })
    let run = Task { await hub.run() }
    let live = hub.follow(EventFilter())
    async let next = live.next()
    #expect(await eventually { hub.followerCount == 1 })
    fails.withLock { $0 = true }
    log.append(EventHubTests.event(&random))
    hub.wake()
    #expect(await eventually { reports.withLock { $0 } > 0 })
    let late = hub.follow(EventFilter(), after: 0)
    await #expect(throws: EventFollower.End.unavailable) { try await late.next() }
    fails.withLock { $0 = false }
    #expect(try await next == [log.all[1]])
    run.cancel()
    await run.value
  }

  @Test func `the stream is that of the database`() async throws {
    let folder = try TemporaryFolder()
    let owner = try OutboxOwner(path: folder.path("doorstep.db"))
    let before = try await owner.record(5, for: [], at: noon)
    let hub = EventHub(
      head: 5, bufferLimit: 100,
      history: { try await owner.events(after: $0, limit: $1) }, report: { Issue.record($0) })
    let run = Task { await hub.run() }
    let follower = hub.follow(EventFilter(), after: 2)
    var received = try await follower.next()
    let since = try await owner.record(5, for: [], at: noon)
    hub.wake()
    while received.count < 8 { received += try await follower.next() }
    #expect(received == before[2...] + since)
    run.cancel()
    await run.value
  }
}
