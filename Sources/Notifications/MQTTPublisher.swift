import Geofencing
import Glibc

/// Publishes events to an MQTT broker, and stays connected to it.
///
/// Each goes out with QoS 1, not retained, under `doorstep/events/<store>/<kind>`; an attempt ends
/// with the broker's acknowledgement. While there is no connection attempts fail at once: what is
/// to be repeated is remembered by the outbox, not by the client.
package final class MQTTPublisher: Sendable {
  private let session: MQTTSession

  /// Starts the thread that connects, and connects again whenever it has to.
  ///
  /// - Parameters:
  ///   - clientID: Unique among all clients of the broker, for it cuts off the elder of two of one
  ///     id; so it differs for each process.
  ///   - onConnect: Is called at each connection, from the publisher's thread.
  package init(
    broker: MQTTAddress, clientID: String, onConnect: @escaping @Sendable () -> Void
  ) throws(NotificationSystemError) {
    session = try MQTTSession(broker: broker, clientID: clientID, onConnect: onConnect)
    let session = session
    try startThread { session.run() }
  }

  deinit { session.close() }

  /// Makes one attempt. Cancelling the task gives it up, though the broker may get it still.
  package func publish(_ delivery: Delivery) async -> AttemptResult {
    let topic = MQTTTopic.topic(of: delivery.event.event)
    let body = EventMessage(delivery).body
    let ticket = session.ticket()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        session.publish(
          topic: topic, body: body, ticket: ticket, finish: { continuation.resume(returning: $0) })
        if Task.isCancelled { session.cancel(ticket) }
      }
    } onCancel: {
      session.cancel(ticket)
    }
  }

  /// Whether the broker has accepted the connection, and it has not been lost since.
  package var isConnected: Bool { session.isConnected }

  /// Leaves the broker, and gives up what it has not yet acknowledged; the thread ends.
  package func close() { session.close() }
}
