import Geo
import Geofencing

/// One event on its way to one target.
package struct Delivery: Hashable, Sendable, Identifiable {
  /// The same at every attempt, so that a receiver can drop a repeat.
  package let id: String
  package let event: StoredEvent
  /// How often it was tried.
  package let attempts: Int
  /// When a further failure is final.
  package let giveUpAt: Timestamp

  package init(id: String, event: StoredEvent, attempts: Int, giveUpAt: Timestamp) {
    self.id = id
    self.event = event
    self.attempts = attempts
    self.giveUpAt = giveUpAt
  }
}

/// How one attempt at a delivery ended.
package enum AttemptResult: Hashable, Sendable {
  /// The receiver has acknowledged it.
  case delivered
  /// The receiver does not want this one; others may fare better.
  case refused(String)
  /// The receiver cannot be reached, or is in trouble, which concerns all of its deliveries.
  case unreachable(String)
}

/// What became of a delivery, to be remembered.
package struct Settlement: Hashable, Sendable {
  package let id: Delivery.ID
  package let outcome: Outcome

  package enum Outcome: Hashable, Sendable {
    case delivered(at: Timestamp)
    case retry(at: Timestamp, error: String)
    /// Given up: a dead letter.
    case dead(at: Timestamp, error: String)
  }
}

/// The remembered queue of one target, as its worker sees it.
package struct DeliveryQueue: Sendable {
  /// What is due, and what will be.
  package struct Due: Sendable {
    package let deliveries: [Delivery]
    /// When the next one is due of those that aren't yet; nil where there is none.
    package let next: Timestamp?

    package init(deliveries: [Delivery], next: Timestamp?) {
      self.deliveries = deliveries
      self.next = next
    }
  }

  /// The deliveries that are due, the longest due first and at most `limit`; it may name those
  /// again that were not settled since.
  package let due: @Sendable (_ now: Timestamp, _ limit: Int) async throws -> Due
  /// Remembers what became of deliveries, all or nothing.
  package let settle: @Sendable ([Settlement]) async throws -> Void

  package init(
    due: @escaping @Sendable (_ now: Timestamp, _ limit: Int) async throws -> Due,
    settle: @escaping @Sendable ([Settlement]) async throws -> Void
  ) {
    self.due = due
    self.settle = settle
  }
}
