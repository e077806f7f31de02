import Geo
import Geofencing

/// Posts events to webhooks, all of them from one thread, so that a receiver that takes its time
/// costs a connection and nothing else.
///
/// Any 2xx is success, whatever the body, which is not read further than it comes along. A redirect
/// is not followed: it would carry the event to an address that nobody entered. Certificates are
/// verified against the system's.
package final class WebhookSender: Sendable {
  private let loop: TransferLoop

  /// Starts the thread. An attempt may take `connectMilliseconds` to find its receiver, and
  /// `wholeMilliseconds` in all.
  package init(
    connectMilliseconds: Int = 5000, wholeMilliseconds: Int = 15_000
  ) throws(NotificationSystemError) {
    loop = try TransferLoop(
      limits: .init(connectMilliseconds: connectMilliseconds, wholeMilliseconds: wholeMilliseconds))
    let loop = loop
    try startThread { loop.run() }
  }

  deinit { loop.close() }

  /// Makes one attempt, signed at `now`.
  ///
  /// Beside the signature the request has the headers `Doorstep-Delivery`, the delivery's id, and
  /// `Doorstep-Event`, the event's kind. Cancelling the task gives the attempt up.
  package func send(
    _ delivery: Delivery, to url: WebhookURL, signedBy signer: WebhookSigner, at now: Timestamp
  ) async -> AttemptResult {
    let body = EventMessage(delivery).body
    let ticket = loop.ticket()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        loop.start(
          Transfer(
            ticket: ticket, url: url.description,
            headers: [
              "Content-Type: application/json",
              "User-Agent: Doorstep",
              "Doorstep-Delivery: \(delivery.id)",
              "Doorstep-Event: \(delivery.event.event.kind.rawValue)",
              "\(WebhookSigner.headerName): \(signer.header(for: body, at: now))",
              // Spares a long body the wait for a receiver that knows no "100 Continue".
              "Expect:",
            ], body: body, finish: { continuation.resume(returning: $0) }))
      }
    } onCancel: {
      loop.cancel(ticket)
    }
  }

  /// Gives up what is under way, and every later attempt; the thread ends.
  package func close() { loop.close() }
}
