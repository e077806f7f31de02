import Geo
import Geofencing
import Persistence
import Synchronization
import TestSupport
import Testing

@testable import Notifications

/// What an attempt is asked for, and what it answers, as a test says.
private final class ScriptedReceiver: Sendable {
  private let state = Mutex<(requests: [Delivery.ID], answer: AttemptResult)>(([], .delivered))

  var requests: [Delivery.ID] { state.withLock { $0.requests } }

  func answer(_ answer: AttemptResult) { state.withLock { $0.answer = answer } }

  @Sendable func attempt(_ delivery: Delivery) async -> AttemptResult {
    state.withLock { state in
      state.requests.append(delivery.id)
      return state.answer
    }
  }
}

@Suite struct DeliveryWorkerTests {
  private let folder: TemporaryFolder
  private let owner: OutboxOwner
  private let clock = TestClock(noon)
  private let target = DeliveryTarget.webhook(1)

  init() throws {
    folder = try TemporaryFolder()
    owner = try OutboxOwner(path: folder.path("doorstep.db"))
  }

  private func worker(
    _ attempt: @escaping @Sendable (Delivery) async -> AttemptResult, attemptsAtOnce: Int = 1,
    backOff: BackOff = .machine
  ) -> DeliveryWorker {
    let clock = clock
    return DeliveryWorker(
      queue: owner.queue(of: target), backOff: backOff, attemptsAtOnce: attemptsAtOnce,
      now: { clock.now }, jitter: { 0 }, report: { Issue.record($0) }, attempt: attempt)
  }

  /// Asks an actor until it gives the answer that is waited for.
  private func eventually(_ condition: () async throws -> Bool) async throws -> Bool {
    for _ in 0..<2000 {
      if try await condition() { return true }
      try await Task.sleep(for: .milliseconds(5))
    }
    return false
  }

  @Test func `deliveries go out in the order of events, those queued later too`() async throws {
    let receiver = ScriptedReceiver()
    let worker = worker(receiver.attempt)
    async let run: Void = worker.run()
    var events = try await owner.record(20, for: [target, .broker], at: noon)
    worker.wake()
    #expect(try await eventually { try await owner.pendingCount(of: target) == 0 })
    events += try await owner.record(20, for: [target], at: noon)
    worker.wake()
    #expect(try await eventually { try await owner.pendingCount(of: target) == 0 })
    worker.stop()
    await run
    #expect(receiver.requests.count == 40)
    #expect(Set(receiver.requests).count == 40)
    let delivered = try await owner.delivery(receiver.requests[39])
    #expect(delivered?.event == events[39])
    #expect(delivered?.state == .delivered && delivered?.attempts == 1)
    #expect(try await owner.pendingCount(of: .broker) == 20)
  }

  @Test func `a refused delivery is tried again when its time comes, up to a dead letter`()
    async throws
  {
    let receiver = ScriptedReceiver()
    receiver.answer(.refused("HTTP status 404"))
    let worker = worker(receiver.attempt)
    async let run: Void = worker.run()
    try await owner.record(1, for: [target], at: noon, lifetimeMilliseconds: 6000)
    worker.wake()
    // 1 s, 2 s, and the last at the end of its lifetime.
    for (attempts, seconds) in [(1, 1.0), (2, 2), (3, 3)] {
      #expect(
        try await eventually {
          try await owner.pending(to: target).map(\.attempts) == [attempts]
        })
      #expect(receiver.requests.count == attempts)
      clock.advance(bySeconds: seconds - 0.001)
      worker.wake()
      try await Task.sleep(for: .milliseconds(20))
      #expect(receiver.requests.count == attempts)
      clock.advance(bySeconds: 0.001)
      worker.wake()
    }
    #expect(try await eventually { try await owner.deadLetters(of: target).count == 1 })
    let dead = try #require(try await owner.deadLetters(of: target).first)
    #expect(dead.attempts == 4)
    #expect(dead.lastError == "HTTP status 404")
    #expect(dead.settledAt == noon.advanced(bySeconds: 6))
    // Once it is wanted again, it goes out under the same id.
    receiver.answer(.delivered)
    #expect(
      try await owner.redeliver(
        dead.id, at: clock.now, giveUpAt: BackOff.machine.giveUpAt(from: clock.now)))
    worker.wake()
    #expect(try await eventually { try await owner.delivery(dead.id)?.state == .delivered })
    #expect(receiver.requests == Array(repeating: dead.id, count: 5))
    #expect(try await owner.deadLetters(of: target).isEmpty)
    worker.stop()
    await run
  }

  @Test func `a target that is gone is asked with one delivery, and gets all once it is back`()
    async throws
  {
    let receiver = ScriptedReceiver()
    receiver.answer(.unreachable("gone"))
    try await owner.record(30, for: [target], at: noon)
    let worker = worker(receiver.attempt)
    async let run: Void = worker.run()
    for attempts in 1...5 {
      #expect(
        try await eventually {
          try await owner.pending(to: target).map(\.attempts).reduce(0, +) == attempts
        })
      #expect(receiver.requests.count == attempts)
      if attempts == 5 { break }
      clock.advance(bySeconds: Double(1 << (attempts - 1)))
      worker.wake()
    }
    let tried = Set(receiver.requests)
    receiver.answer(.delivered)
    worker.wake()
    try await Task.sleep(for: .milliseconds(20))
    #expect(receiver.requests.count == 5)
    // It would rest for 16 s, but is told that the receiver is back.
    worker.resume()
    #expect(try await eventually { try await owner.pendingCount(of: target) <= tried.count })
    clock.advance(bySeconds: 5 * 60)
    worker.wake()
    #expect(try await eventually { try await owner.pendingCount(of: target) == 0 })
    worker.stop()
    await run
    #expect(Set(receiver.requests).count == 30)
  }

  @Test func `nobody is told of old news, and a machine is told once`() async throws {
    for (backOff, requests) in [(BackOff.person, 0), (.machine, 1)] {
      let receiver = ScriptedReceiver()
      receiver.answer(.refused("no"))
      try await owner.record(1, for: [target], at: noon, lifetimeMilliseconds: -1)
      let worker = worker(receiver.attempt, backOff: backOff)
      async let run: Void = worker.run()
      #expect(try await eventually { try await owner.pendingCount(of: target) == 0 })
      worker.stop()
      await run
      #expect(receiver.requests.count == requests)
    }
    #expect(try await owner.deadLetters(of: target).count == 2)
  }

  @Test func `stopping lets attempts end, and begins no more`() async throws {
    try await owner.record(10, for: [target], at: noon)
    let (gate, open) = AsyncStream.makeStream(of: Void.self)
    let begun = Mutex(0)
    let worker = worker(
      { _ in
        begun.withLock { $0 += 1 }
        for await _ in gate { break }
        return .delivered
      }, attemptsAtOnce: 1)
    let run = Task { await worker.run() }
    #expect(try await eventually { begun.withLock { $0 } == 1 })
    worker.stop()
    try await Task.sleep(for: .milliseconds(20))
    open.yield()
    await run.value
    #expect(begun.withLock { $0 } == 1)
    #expect(try await owner.pendingCount(of: target) == 9)
  }

  @Test func `attempts that hang leave the other places to what comes later`() async throws {
    let begun = Mutex(0)
    let worker = worker(
      { _ in
        begun.withLock { $0 += 1 }
        try? await Task.sleep(for: .seconds(60))
        return .unreachable("given up")
      }, attemptsAtOnce: 4)
    let run = Task { await worker.run() }
    for count in 1...6 {
      try await owner.record(1, for: [target], at: noon)
      worker.wake()
      #expect(try await eventually { begun.withLock { $0 } == min(count, 4) })
    }
    // Giving attempts up counts for nothing.
    run.cancel()
    await run.value
    let pending = try await owner.pending(to: target)
    #expect(pending.count == 6)
    #expect(pending.allSatisfy { $0.attempts == 0 && $0.lastError == nil })
  }

  @Test func `no more attempts than allowed are made at once`() async throws {
    try await owner.record(60, for: [target], at: noon)
    let counts = Mutex((now: 0, most: 0))
    let worker = worker(
      { _ in
        counts.withLock { counts in
          counts.now += 1
          counts.most = max(counts.most, counts.now)
        }
        try? await Task.sleep(for: .milliseconds(2))
        counts.withLock { $0.now -= 1 }
        return .delivered
      }, attemptsAtOnce: 4)
    async let run: Void = worker.run()
    #expect(try await eventually { try await owner.pendingCount(of: target) == 0 })
    worker.stop()
    await run
    #expect(counts.withLock { $0.most } == 4)
  }

  @Test func `a queue that fails is reported, and what was delivered is not sent again`()
    async throws
  {
    struct Full: Error {}
    let failures = Mutex(0)
    let settled = Mutex<[Settlement]>([])
    let event = StoredEvent(
      sequence: 1,
      event: FenceEvent(
        kind: .entered, subject: SubjectID("D1"), fence: Fence.ID("S"), visit: nil, time: noon,
        confirmedAt: noon, rule: .twoFixes))
    let receiver = ScriptedReceiver()
    let worker = DeliveryWorker(
      queue: DeliveryQueue(
        due: { _, _ in
          let isSettled = settled.withLock { !$0.isEmpty }
          let one = Delivery(id: "1", event: event, attempts: 0, giveUpAt: noon)
          return .init(deliveries: isSettled ? [] : [one], next: nil)
        },
        settle: { settlements in
          let fails = failures.withLock { failures in
            failures += 1
            return failures <= 3
          }
          if fails { throw Full() }
          settled.withLock { $0 += settlements }
        }), backOff: .machine, attemptsAtOnce: 2, now: { noon }, jitter: { 0 },
      report: { #expect($0 is Full) }, attempt: receiver.attempt)
    async let run: Void = worker.run()
    for count in 1...3 {
      #expect(try await eventually { failures.withLock { $0 } >= count })
      worker.wake()
    }
    #expect(try await eventually { settled.withLock { !$0.isEmpty } })
    worker.stop()
    await run
    #expect(receiver.requests == ["1"])
    #expect(settled.withLock { $0 } == [Settlement(id: "1", outcome: .delivered(at: noon))])
  }
}
