import Foundation
import Geo
import Geofencing
import Persistence
import Synchronization
import TestSupport
import Testing

@testable import Notifications

@Suite struct MQTTPublisherTests {
  private func publisher(
    _ address: String, onConnect: @escaping @Sendable () -> Void = {}
  ) throws -> MQTTPublisher {
    try MQTTPublisher(
      broker: try MQTTAddress(address), clientID: "doorstep-\(UUID())", onConnect: onConnect)
  }

  private func delivery(_ number: Int) -> Delivery {
    let event = FenceEvent(
      kind: .entered, subject: SubjectID("D\(number)"), fence: Fence.ID("ou/00"), visit: nil,
      time: noon, confirmedAt: noon, rule: .twoFixes)
    return Delivery(
      id: "id\(number)", event: StoredEvent(sequence: number, event: event), attempts: 0,
      giveUpAt: noon)
  }

  @Test func `an independent client receives what was published, in order`() async throws {
    let broker = try await RealMosquitto()
    let subscriber = try await MQTTSubscriber(port: broker.port)
    let publisher = try publisher("mqtt://127.0.0.1:\(broker.port)")
    #expect(await eventually { publisher.isConnected })
    for number in 1...50 { #expect(await publisher.publish(delivery(number)) == .delivered) }
    #expect(await eventually { subscriber.messages.count == 50 })
    let messages = subscriber.messages
    #expect(messages.allSatisfy { $0.topic == "doorstep/events/ou%2F00/entered" })
    #expect(messages.allSatisfy { $0.qos == "1" && $0.retained == "0" })
    #expect(
      messages.map { String($0.body) }
        == (1...50).map { String(decoding: EventMessage(delivery($0)).body, as: UTF8.self) })
    publisher.close()
    #expect(await eventually { !publisher.isConnected })
    guard case .unreachable = await publisher.publish(delivery(51)) else {
      Issue.record("a closed publisher published")
      return
    }
  }

  @Test func `many messages at once are all acknowledged`() async throws {
    let broker = try await RealMosquitto()
    let subscriber = try await MQTTSubscriber(port: broker.port)
    let publisher = try publisher("mqtt://127.0.0.1:\(broker.port)")
    #expect(await eventually { publisher.isConnected })
    let results = await withTaskGroup(of: AttemptResult.self) { group in
      for number in 1...200 { group.addTask { await publisher.publish(delivery(number)) } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(results == Array(repeating: .delivered, count: 200))
    #expect(await eventually { Set(subscriber.messages.map(\.body)).count == 200 })
    #expect(subscriber.messages.count == 200)
    publisher.close()
  }

  @Test
  func `while the broker is away nothing is taken for delivered, and all goes out thereafter`()
    async throws
  {
    let broker = try await RealMosquitto()
    let folder = try TemporaryFolder()
    let owner = try OutboxOwner(path: folder.path("doorstep.db"))
    let connections = Mutex(0)
    let publisher = try publisher("mqtt://127.0.0.1:\(broker.port)") {
      connections.withLock { $0 += 1 }
    }
    #expect(await eventually { publisher.isConnected })
    func worker() -> DeliveryWorker {
      DeliveryWorker(
        queue: owner.queue(of: .broker), backOff: .machine, attemptsAtOnce: 8,
        now: { .systemNow }, jitter: { 0 }, report: { Issue.record($0) },
        attempt: { await publisher.publish($0) })
    }
    let crew = DeliveryCrew<DeliveryTarget>()
    await crew.start(worker(), for: .broker)
    broker.kill()
    #expect(await eventually { !publisher.isConnected })
    try await owner.record(30, for: [.broker], at: .systemNow)
    await crew.wake([.broker])
    var tried = false
    for _ in 0..<1000 where !tried {
      tried = try await owner.pending(to: .broker).contains { $0.attempts > 0 }
      try await Task.sleep(for: .milliseconds(5))
    }
    let failed = try #require(
      try await owner.pending(to: .broker).first { $0.attempts > 0 })
    #expect(failed.lastError?.contains("broker") == true)
    #expect(try await owner.pendingCount(of: .broker) == 30)
    await crew.dismiss(.broker)

    try await broker.start()
    let subscriber = try await MQTTSubscriber(port: broker.port)
    #expect(await eventually(within: .seconds(20)) { publisher.isConnected })
    #expect(connections.withLock { $0 } == 2)
    await crew.start(worker(), for: .broker)
    #expect(await eventually { subscriber.messages.count == 30 })
    for _ in 0..<1000 where try await owner.pendingCount(of: .broker) > 0 {
      try await Task.sleep(for: .milliseconds(5))
    }
    #expect(try await owner.pendingCount(of: .broker) == 0)
    #expect(Set(subscriber.messages.map(\.body)).count == 30)
    await crew.stop(within: .seconds(1))
    publisher.close()
  }

  @Test func `two clients of one id would cut each other off, so each process has its own`()
    async throws
  {
    let broker = try await RealMosquitto()
    let address = "mqtt://127.0.0.1:\(broker.port)"
    let first = try publisher(address)
    let second = try publisher(address)
    #expect(await eventually { first.isConnected && second.isConnected })
    for number in 1...20 {
      #expect(await first.publish(delivery(number)) == .delivered)
      #expect(await second.publish(delivery(number)) == .delivered)
    }
    first.close()
    second.close()
  }

  @Test func `a broker that refuses the connection is told of`() async throws {
    let broker = try await RealMosquitto(passwords: "")
    let publisher = try publisher("mqtt://me:wrong@127.0.0.1:\(broker.port)")
    let refused = AttemptResult.unreachable(
      "the broker refuses the connection: Connection Refused: not authorised.")
    var result = await publisher.publish(delivery(1))
    for _ in 0..<1000 where result != refused {
      try await Task.sleep(for: .milliseconds(5))
      result = await publisher.publish(delivery(1))
    }
    #expect(result == refused)
    publisher.close()
  }

  @Test func `a broker that accepts connections and says nothing is unreachable`() async throws {
    let silent = try LoopbackServer()
    let publisher = try publisher("mqtt://127.0.0.1:\(silent.port)")
    try await silent.accept()
    #expect(
      await publisher.publish(delivery(1)) == .unreachable("cannot reach the broker"))
    #expect(!publisher.isConnected)
    publisher.close()
  }
}
