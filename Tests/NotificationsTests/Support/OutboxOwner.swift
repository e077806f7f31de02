import Foundation
import Geo
import Geofencing
import Notifications
import Persistence
import Synchronization

/// The one owner of a database, as a service has it, with what the tests do to it.
actor OutboxOwner {
  private let database: Database
  private var recorded = 0

  init(path: String) throws { database = try Database(path: path) }

  /// Records an entry of a new subject each, with a delivery to every target; returns the events.
  @discardableResult
  func record(
    _ count: Int, for targets: [DeliveryTarget], at now: Timestamp,
    lifetimeMilliseconds: Int64 = 86_400_000
  ) throws -> [StoredEvent] {
    let outbox = OutboxRepository(database: database)
    let presences = PresenceRepository(database: database)
    let changes = (recorded..<recorded + count).map { number in
      let subject = SubjectID("D\(number)")
      let event = FenceEvent(
        kind: .entered, subject: subject, fence: Fence.ID("S"),
        visit: VisitID(subject: subject, fence: Fence.ID("S"), entry: now), time: now,
        confirmedAt: now, rule: .twoFixes)
      return PresenceRepository.Change(
        subject: subject, format: 1, snapshot: [], fromRevision: 0, events: [event])
    }
    recorded += count
    let outcome = try presences.record(changes, at: now) { events throws(DatabaseError) in
      let deliveries = events.flatMap { event in
        targets.map {
          OutboxRepository.NewDelivery(
            event: event, target: $0,
            giveUpAt: now.advanced(byMilliseconds: lifetimeMilliseconds))
        }
      }
      try outbox.add(deliveries, at: now)
    }
    guard case .recorded(let events) = outcome else { return [] }
    return events
  }

  func events(after sequence: Int, limit: Int) throws -> [StoredEvent] {
    try PresenceRepository(database: database).events(after: sequence, limit: limit)
  }

  func pendingCount(of target: DeliveryTarget) throws -> Int {
    try count(of: target, .pending)
  }

  func deadLetters(of target: DeliveryTarget) throws -> [StoredDelivery] {
    try OutboxRepository(database: database).deadLetters(of: target, limit: 1000)
  }

  func redeliver(_ id: String, at now: Timestamp, giveUpAt: Timestamp) throws -> Bool {
    try OutboxRepository(database: database).redeliver(id, at: now, giveUpAt: giveUpAt)
  }

  /// What is due at the end of time.
  func pending(to target: DeliveryTarget) throws -> [StoredDelivery] {
    try OutboxRepository(database: database).due(at: .latest, to: target, limit: 1000)
  }

  func delivery(_ id: String) throws -> StoredDelivery? {
    try OutboxRepository(database: database).delivery(id)
  }

  private func count(of target: DeliveryTarget, _ state: StoredDelivery.State) throws -> Int {
    try OutboxRepository(database: database).counts()
      .first { $0.target == target && $0.state == state }?.count ?? 0
  }

  private func due(
    to target: DeliveryTarget, at now: Timestamp, limit: Int
  ) throws -> DeliveryQueue.Due {
    let outbox = OutboxRepository(database: database)
    let deliveries = try outbox.due(at: now, to: target, limit: limit).map {
      Delivery(id: $0.id, event: $0.event, attempts: $0.attempts, giveUpAt: $0.giveUpAt)
    }
    return DeliveryQueue.Due(
      deliveries: deliveries, next: try outbox.nextDue(after: now, to: target))
  }

  private func settle(_ settlements: [Settlement]) throws {
    let outbox = OutboxRepository(database: database)
    try database.transaction { () throws(DatabaseError) in
      for settlement in settlements {
        switch settlement.outcome {
        case .delivered(let time): try outbox.markDelivered(settlement.id, at: time)
        case .retry(let time, let error):
          try outbox.reschedule(settlement.id, to: time, error: error)
        case .dead(let time, let error):
          try outbox.markDead(settlement.id, at: time, error: error)
        }
      }
    }
  }

  /// A target's queue, as its worker sees it.
  nonisolated func queue(of target: DeliveryTarget) -> DeliveryQueue {
    DeliveryQueue(
      due: { now, limit in try await self.due(to: target, at: now, limit: limit) },
      settle: { try await self.settle($0) })
  }
}

/// A clock that a test sets, or that runs faster than the real one.
final class TestClock: Sendable {
  private let state: Mutex<(base: Timestamp, started: ContinuousClock.Instant, pace: Double)>

  /// A `pace` of 0 stands still.
  init(_ base: Timestamp = .systemNow, pace: Double = 0) {
    state = Mutex((base, .now, pace))
  }

  var now: Timestamp {
    state.withLock { state in
      let elapsed = (ContinuousClock.now - state.started) / .milliseconds(1)
      return state.base.advanced(byMilliseconds: Int64(elapsed * state.pace))
    }
  }

  func advance(bySeconds seconds: Double) {
    state.withLock { $0.base = $0.base.advanced(bySeconds: seconds) }
  }
}

extension Timestamp {
  static var systemNow: Timestamp {
    Timestamp(millisecondsSince1970: Int64(Date().timeIntervalSince1970 * 1000))
  }
}

let noon = try! Timestamp(iso8601: "2026-03-02T12:00:00Z")
let secret = "a secret that was shown once"
