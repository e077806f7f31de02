import Geo
import Geofencing

/// The delivery of one event to one target, as it is remembered.
package struct StoredDelivery: Hashable, Sendable, Identifiable {
  /// Computed from the event and the target, so that an event which is recorded anew after a
  /// backup was restored is still delivered under the id that its receiver knows.
  ///
  /// Letters, digits, `-`, `_` and `.` only, as a path may hold them.
  package let id: String
  package let target: DeliveryTarget
  package let event: StoredEvent
  package let state: State
  /// How often it was tried.
  package let attempts: Int
  package let queuedAt: Timestamp
  /// When a further failure is final.
  package let giveUpAt: Timestamp
  /// Nil once it is settled.
  package let nextAttemptAt: Timestamp?
  /// When it was delivered or given up; nil while it is pending.
  package let settledAt: Timestamp?
  /// Why the last attempt failed; nil where none did.
  package let lastError: String?

  package enum State: String, Sendable {
    case pending
    case delivered
    /// Given up: a dead letter, which can be delivered again on demand.
    case dead
  }

  static func id(of event: FenceEvent, to target: DeliveryTarget) -> String {
    let visit =
      event.visit ?? VisitID(subject: event.subject, fence: event.fence, entry: event.time)
    let late = event.isLate ? ".late" : ""
    return "\(visit).\(event.kind.rawValue).\(event.time.millisecondsSince1970)\(late).\(target)"
  }
}
