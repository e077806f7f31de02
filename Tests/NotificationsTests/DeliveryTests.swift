import Foundation
import Geo
import Geofencing
import Persistence
import Synchronization
import TestSupport
import Testing

@testable import Notifications

/// Deliveries from the database over real HTTP to a receiver in another language.
@Suite struct DeliveryTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let databaseKey = "DOORSTEP_TEST_DELIVERY_DATABASE"
  private static let urlKey = "DOORSTEP_TEST_DELIVERY_URL"

  /// A worker whose waits pass fifty times faster than they would.
  private static func worker(
    _ owner: OutboxOwner, _ target: DeliveryTarget, _ sender: WebhookSender, _ url: String,
    attemptsAtOnce: Int, clock: TestClock = TestClock(pace: 50)
  ) throws -> DeliveryWorker {
    let url = try WebhookURL(url)
    let signer = WebhookSigner(secret: secret)
    let random = Mutex(SeededGenerator(seed: 8))
    return DeliveryWorker(
      queue: owner.queue(of: target), backOff: .machine, attemptsAtOnce: attemptsAtOnce,
      now: { clock.now },
      jitter: { random.withLock { .random(in: 0..<1, using: &$0) } },
      report: { Issue.record($0) },
      attempt: { await sender.send($0, to: url, signedBy: signer, at: .systemNow) })
  }

  /// Wakes a worker until nothing is pending, since its timers run by the real clock.
  private static func finish(
    _ owner: OutboxOwner, _ target: DeliveryTarget, _ worker: DeliveryWorker
  ) async throws {
    for _ in 0..<3000 {
      if try await owner.pendingCount(of: target) == 0 { return }
      worker.wake()
      try await Task.sleep(for: .milliseconds(5))
    }
    Issue.record("\(try await owner.pendingCount(of: target)) deliveries are pending still")
  }

  @Test(.enabled(if: environment[databaseKey] == nil))
  func `a worker that is killed again and again delivers everything, each under one id`()
    async throws
  {
    let folder = try TemporaryFolder()
    let owner = try OutboxOwner(path: folder.path("doorstep.db"))
    let receiver = try await WebhookReceiver(secret: secret)
    let sender = try WebhookSender()
    let target = DeliveryTarget.webhook(1)
    let clock = TestClock(pace: 50)
    var random = SeededGenerator(seed: 21)
    var count = 0
    for _ in 0..<12 {
      let new = Int.random(in: 1...12, using: &random)
      try await owner.record(new, for: [target], at: clock.now)
      count += new
      let worker = try DeliveryTests.worker(
        owner, target, sender, receiver.url("moody"), attemptsAtOnce: 3, clock: clock)
      let run = Task { await worker.run() }
      for _ in 0..<Int.random(in: 0...10, using: &random) {
        try await Task.sleep(for: .milliseconds(Int.random(in: 0...6, using: &random)))
        worker.wake()
      }
      run.cancel()
      await run.value
    }
    let worker = try DeliveryTests.worker(
      owner, target, sender, receiver.url("moody"), attemptsAtOnce: 3, clock: clock)
    let run = Task { await worker.run() }
    try await DeliveryTests.finish(owner, target, worker)
    worker.stop()
    await run.value
    try await check(receiver.requests, count: count, owner: owner)
  }

  /// Each event was acknowledged, under an id that names it alone, with a signature that holds.
  private func check(
    _ requests: [WebhookReceiver.Request], count: Int, owner: OutboxOwner
  ) async throws {
    #expect(requests.allSatisfy { $0.signed && $0.consistent })
    let acknowledged = requests.filter { ["200", "204", "late"].contains($0.answer) }
    #expect(Set(acknowledged.map(\.id)).count == count)
    let sequences = Dictionary(grouping: requests, by: \.id).mapValues {
      Set($0.map(\.sequence))
    }
    #expect(sequences.values.allSatisfy { $0.count == 1 })
    #expect(Set(sequences.values.flatMap { $0 }).count == count)
    for id in sequences.keys { #expect(try await owner.delivery(id)?.state == .delivered) }
    // The receiver has been as difficult as it was meant to be.
    #expect(requests.count > count)
  }

  /// What the next test starts in a process of its own.
  @Test(.enabled(if: environment[databaseKey] != nil))
  func deliverUntilKilled() async throws {
    let path = try #require(DeliveryTests.environment[DeliveryTests.databaseKey])
    let url = try #require(DeliveryTests.environment[DeliveryTests.urlKey])
    let owner = try OutboxOwner(path: path)
    let worker = try DeliveryTests.worker(
      owner, .webhook(1), try WebhookSender(), url, attemptsAtOnce: 3)
    let run = Task { await worker.run() }
    try await DeliveryTests.finish(owner, .webhook(1), worker)
    worker.stop()
    await run.value
  }

  @Test(.enabled(if: environment[databaseKey] == nil))
  func `a process killed while it delivers loses nothing, and acknowledges nothing unsent`()
    async throws
  {
    let folder = try TemporaryFolder()
    let path = folder.path("doorstep.db")
    let owner = try OutboxOwner(path: path)
    let receiver = try await WebhookReceiver(secret: secret)
    try await owner.record(60, for: [.webhook(1)], at: .systemNow)
    var random = SeededGenerator(seed: 5)
    for round in 0..<5 {
      let before = receiver.requests.count
      let process = try start(database: path, url: receiver.url("moody"))
      if round < 4 {
        #expect(await eventually { receiver.requests.count > before || !process.isRunning })
        try await Task.sleep(for: .milliseconds(Int.random(in: 0...30, using: &random)))
        kill(process.processIdentifier, SIGKILL)
      }
      process.waitUntilExit()
      let received = Set(receiver.requests.map(\.id))
      let pending = Set(try await owner.pending(to: .webhook(1)).map(\.id))
      // All that isn't pending any more has come.
      #expect(received.count + pending.subtracting(received).count == 60)
    }
    try await check(receiver.requests, count: 60, owner: owner)
  }

  /// Starts this test run again, with `deliverUntilKilled` as its only test.
  private func start(database: String, url: String) throws -> Process {
    let onlyForTheWhole = ["--filter", "--skip", "--xunit-output", "--event-stream-output-path"]
    let own = FileManager.default.contents(atPath: "/proc/self/cmdline") ?? Data()
    var arguments = own.split(separator: 0, omittingEmptySubsequences: false).dropLast()
      .map { String(decoding: $0, as: UTF8.self) }
    while let index = arguments.firstIndex(where: { onlyForTheWhole.contains($0) }) {
      arguments.removeSubrange(index...index + 1)
    }
    let process = Process()
    process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = arguments.dropFirst() + ["--filter", "deliverUntilKilled"]
    process.environment = DeliveryTests.environment.merging(
      [DeliveryTests.databaseKey: database, DeliveryTests.urlKey: url],
      uniquingKeysWith: { $1 })
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    return process
  }

  @Test(.enabled(if: environment[databaseKey] == nil))
  func `a receiver that hangs delays neither the others nor what is recorded`() async throws {
    let folder = try TemporaryFolder()
    let owner = try OutboxOwner(path: folder.path("doorstep.db"))
    let receiver = try await WebhookReceiver(secret: secret)
    let sender = try WebhookSender()
    let (slow, fast) = (DeliveryTarget.webhook(1), DeliveryTarget.webhook(2))
    let crew = DeliveryCrew<DeliveryTarget>()
    for (target, path) in [(slow, "hang"), (fast, "204")] {
      let worker = try DeliveryTests.worker(
        owner, target, sender, receiver.url(path), attemptsAtOnce: 4, clock: TestClock())
      await crew.start(worker, for: target)
    }
    let start = ContinuousClock.now
    for _ in 0..<20 {
      try await owner.record(5, for: [slow, fast], at: .systemNow.advanced(bySeconds: -1))
      await crew.wake([slow, fast])
    }
    let recorded = ContinuousClock.now - start
    while try await owner.pendingCount(of: fast) > 0, ContinuousClock.now - start < .seconds(14) {
      try await Task.sleep(for: .milliseconds(5))
    }
    // The slow one's first attempts end after 15 s.
    #expect(recorded < .seconds(7))
    #expect(try await owner.pendingCount(of: fast) == 0)
    #expect(try await owner.pendingCount(of: slow) == 100)
    #expect(try await owner.pending(to: slow).allSatisfy { $0.attempts == 0 })
    #expect(receiver.requests.filter { $0.path == "/204" }.count == 100)
    #expect(receiver.requests.filter { $0.path == "/hang" }.count == 4)
    await crew.stop(within: .milliseconds(10))
    #expect(await crew.targets.isEmpty)
    #expect(try await owner.pendingCount(of: slow) == 100)
  }
}
