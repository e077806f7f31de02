import Geo
import Geofencing
import TestSupport
import Testing

@testable import Persistence

@Suite struct OutboxRepositoryTests {
  private let folder: TemporaryFolder
  private let database: Database
  private let outbox: OutboxRepository
  private let presences: PresenceRepository
  private let target = DeliveryTarget.webhook(7)

  init() throws {
    folder = try TemporaryFolder()
    database = try Database(path: folder.path("doorstep.db"))
    outbox = OutboxRepository(database: database)
    presences = PresenceRepository(database: database)
  }

  private func entry(_ subject: String) -> FenceEvent {
    let id = SubjectID(subject)
    return FenceEvent(
      kind: .entered, subject: id, fence: Fence.ID("S"),
      visit: VisitID(subject: id, fence: Fence.ID("S"), entry: noon), time: noon,
      confirmedAt: noon.advanced(bySeconds: 15), rule: .twoFixes)
  }

  private func change(_ subject: String, from revision: Int = 0) -> PresenceRepository.Change {
    .init(
      subject: SubjectID(subject), format: 1, snapshot: [1], fromRevision: revision,
      events: [entry(subject)])
  }

  private func after(_ seconds: Double) -> Timestamp { noon.advanced(bySeconds: seconds) }

  /// Records an entry of each subject, with a delivery to each target.
  @discardableResult
  private func record(_ subjects: [String], to targets: [DeliveryTarget]) throws -> [StoredEvent] {
    let outcome = try presences.record(subjects.map { change($0) }, at: noon) {
      events throws(DatabaseError) in
      try add(events, to: targets)
    }
    guard case .recorded(let events) = outcome else { return [] }
    return events
  }

  private func add(
    _ events: [StoredEvent], to targets: [DeliveryTarget], at now: Timestamp = noon
  ) throws(DatabaseError) {
    try outbox.add(
      events.flatMap { event in
        targets.map { .init(event: event, target: $0, giveUpAt: after(100)) }
      }, at: now)
  }

  @Test func `a delivery is due at once, and read as it was written`() throws {
    let events = try record(["D1", "D2"], to: [target, .broker])
    let due = try outbox.due(at: noon, to: target, limit: 9)
    #expect(due.map(\.event) == events)
    #expect(
      due.allSatisfy {
        $0.target == target && $0.state == .pending && $0.attempts == 0 && $0.queuedAt == noon
          && $0.giveUpAt == after(100) && $0.nextAttemptAt == noon && $0.settledAt == nil
          && $0.lastError == nil
      })
    #expect(try outbox.due(at: noon, to: target, limit: 1) == [due[0]])
    #expect(try outbox.due(at: noon, to: .broker, limit: 9).count == 2)
    #expect(try outbox.due(at: noon, to: .webhook(8), limit: 9).isEmpty)
    #expect(try outbox.delivery(due[1].id) == due[1])
    #expect(try outbox.delivery("another") == nil)
  }

  @Test func `where the deliveries cannot be added, neither presence nor events are kept`() throws {
    let failing = StoredEvent(sequence: 99, event: entry("D9"))
    #expect(throws: DatabaseError.self) {
      try presences.record([change("D1")], at: noon) { events throws(DatabaseError) in
        try add(events + [failing], to: [target])
      }
    }
    #expect(try presences.presence(of: SubjectID("D1")) == nil)
    #expect(try presences.events(limit: 9).isEmpty)
    #expect(try outbox.due(at: noon, to: target, limit: 9).isEmpty)
  }

  @Test func `on a conflict nothing is written alongside`() throws {
    var calls = 0
    let outcome = try presences.record([change("D1", from: 3)], at: noon) { _ in calls += 1 }
    #expect(outcome == .conflict([SubjectID("D1")]))
    #expect(calls == 0)
    _ = try presences.record([change("D1")], at: noon) { _ in calls += 1 }
    #expect(calls == 1)
  }

  @Test func `a delivery is added once, and its id is that of the event and the target`() throws {
    let events = try record(["D1"], to: [target])
    let id = try #require(try outbox.due(at: noon, to: target, limit: 9).first?.id)
    try outbox.markDelivered(id, at: noon)
    try add(events, to: [target, .broker])
    #expect(try outbox.due(at: noon, to: target, limit: 9).isEmpty)
    let other = try #require(try outbox.due(at: noon, to: .broker, limit: 9).first?.id)
    #expect(other != id)
    // In another database, where the event has another number.
    let second = try Database(path: folder.path("second.db"))
    let others = OutboxRepository(database: second)
    _ = try PresenceRepository(database: second).record([change("D0"), change("D1")], at: noon) {
      events throws(DatabaseError) in
      try others.add(
        events.map { .init(event: $0, target: target, giveUpAt: after(100)) }, at: noon)
    }
    #expect(try others.due(at: noon, to: target, limit: 9)[1].id == id)
  }

  @Test func `every event has an id of its own`() throws {
    var random = SeededGenerator(seed: 12)
    var events = (0..<300).map { _ in random.event() }
    // All that differs in one way only.
    for index in 0..<50 {
      var other = events[index]
      other.isLate.toggle()
      events.append(other)
      other.time = other.time.advanced(byMilliseconds: 1)
      events.append(other)
    }
    let ids = events.map { StoredDelivery.id(of: $0, to: target) }
    #expect(Set(ids).count == events.count)
    let allowed = Set("abcdefghijklmnopqrstuvwxyz0123456789-_.")
    #expect(ids.allSatisfy { $0.allSatisfy { allowed.contains($0) } })
  }

  @Test func `what is rescheduled is due when its time comes, after what is due longer`() throws {
    try record(["D1", "D2", "D3"], to: [target])
    let ids = try outbox.due(at: noon, to: target, limit: 9).map(\.id)
    #expect(try outbox.nextDue(after: noon, to: target) == nil)
    #expect(try outbox.reschedule(ids[0], to: after(10), error: "HTTP status 500"))
    #expect(try outbox.reschedule(ids[1], to: after(5), error: "HTTP status 500"))
    #expect(try outbox.due(at: after(4.999), to: target, limit: 9).map(\.id) == [ids[2]])
    #expect(try outbox.nextDue(after: noon, to: target) == after(5))
    #expect(try outbox.due(at: after(5), to: target, limit: 9).map(\.id) == [ids[2], ids[1]])
    #expect(
      try outbox.due(at: after(10), to: target, limit: 9).map(\.id) == [ids[2], ids[1], ids[0]])
    let first = try #require(try outbox.delivery(ids[0]))
    #expect(first.attempts == 1 && first.lastError == "HTTP status 500")
  }

  @Test func `a wait that a clock set back made long is over`() throws {
    try record(["D1"], to: [target])
    #expect(try outbox.due(at: after(-1), to: target, limit: 9).isEmpty)
    #expect(try outbox.due(at: after(-600), to: target, limit: 9).isEmpty)
    #expect(try outbox.due(at: after(-600.001), to: target, limit: 9).count == 1)
    #expect(try outbox.due(at: after(-3600), to: target, limit: 9).count == 1)
  }

  @Test func `what is due is found by the index, however many wait`() throws {
    var plan: [String] = []
    try database.rows(
      """
      EXPLAIN QUERY PLAN SELECT id, kind FROM outbox JOIN events ON sequence = event
      WHERE target = 'broker' AND state = 'pending' AND next_attempt_at <= 5
      ORDER BY next_attempt_at, event LIMIT 9
      """
    ) { row throws(DatabaseError) in plan.append(try row.text(3)) }
    #expect(plan.first?.contains("USING INDEX outbox_due (target=? AND next_attempt_at<?)") == true)
    #expect(!plan.contains { $0.contains("TEMP B-TREE") })
  }

  @Test func `what is settled is not due, and is settled once`() throws {
    try record(["D1", "D2"], to: [target])
    let ids = try outbox.due(at: noon, to: target, limit: 9).map(\.id)
    #expect(try outbox.markDelivered(ids[0], at: after(1)))
    #expect(try outbox.markDead(ids[1], at: after(2), error: "gone"))
    for id in ids {
      #expect(try !outbox.markDelivered(id, at: after(3)))
      #expect(try !outbox.markDead(id, at: after(3), error: "again"))
      #expect(try !outbox.reschedule(id, to: after(3), error: "again"))
    }
    #expect(try outbox.due(at: after(1000), to: target, limit: 9).isEmpty)
    let (delivered, dead) = (try outbox.delivery(ids[0]), try outbox.delivery(ids[1]))
    #expect(delivered?.state == .delivered && delivered?.settledAt == after(1))
    #expect(dead?.state == .dead && dead?.settledAt == after(2) && dead?.lastError == "gone")
    #expect([delivered, dead].allSatisfy { $0?.attempts == 1 && $0?.nextAttemptAt == nil })
  }

  @Test func `dead letters are listed by event in pages, and can be delivered again`() throws {
    let events = try record(["D1", "D2", "D3", "D4"], to: [target, .broker])
    let ids = try outbox.due(at: noon, to: target, limit: 9).map(\.id)
    for id in [ids[2], ids[0], ids[3]] { try outbox.markDead(id, at: noon, error: "gone") }
    let page = try outbox.deadLetters(of: target, limit: 2)
    #expect(page.map(\.id) == [ids[0], ids[2]])
    let rest = try outbox.deadLetters(of: target, after: events[2].sequence, limit: 2)
    #expect(rest.map(\.id) == [ids[3]])
    #expect(try outbox.deadLetters(of: .broker, limit: 9).isEmpty)
    #expect(
      try outbox.counts() == [
        .init(target: target, state: .dead, count: 3),
        .init(target: .broker, state: .pending, count: 4),
        .init(target: target, state: .pending, count: 1),
      ])

    #expect(try outbox.redeliver(ids[2], at: after(50), giveUpAt: after(150)))
    #expect(try !outbox.redeliver(ids[2], at: after(50), giveUpAt: after(150)))
    #expect(try !outbox.redeliver("another", at: after(50), giveUpAt: after(150)))
    let again = try #require(try outbox.delivery(ids[2]))
    #expect(again.state == .pending && again.attempts == 0 && again.nextAttemptAt == after(50))
    #expect(again.giveUpAt == after(150) && again.settledAt == nil && again.lastError == "gone")
    #expect(try outbox.due(at: after(50), to: target, limit: 9).map(\.id) == [ids[1], ids[2]])
  }

  @Test func `only what was acknowledged long ago is forgotten, in parts`() throws {
    try record(["D1", "D2", "D3", "D4", "D5"], to: [target])
    let ids = try outbox.due(at: noon, to: target, limit: 9).map(\.id)
    for (index, id) in ids.prefix(3).enumerated() {
      try outbox.markDelivered(id, at: after(Double(index)))
    }
    try outbox.markDead(ids[3], at: noon, error: "gone")
    #expect(try outbox.deleteDelivered(before: after(2), atMost: 1) == 1)
    #expect(try outbox.deleteDelivered(before: after(2), atMost: 9) == 1)
    #expect(try outbox.deleteDelivered(before: after(2), atMost: 9) == 0)
    #expect(try ids.map { try outbox.delivery($0) != nil } == [false, false, true, true, true])
  }

  @Test(arguments: [DeliveryTarget.broker, .webhook(1), .webhook(.max)])
  func `a target is read as it was written`(target: DeliveryTarget) {
    #expect(DeliveryTarget(target.description) == target)
  }

  @Test(arguments: ["", "webhook-", "webhook-0", "webhook--1", "webhook-x", "Broker", "broker "])
  func `another text is no target`(text: String) {
    #expect(DeliveryTarget(text) == nil)
  }
}
