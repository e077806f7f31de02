import Geofencing
import JSON

/// An event as the body of a webhook's request or of an MQTT message.
///
///     {"id": "...", "sequence": 12, "data": {"event": "entered", "subject": "D1", ...}}
///
/// `id` is the same whenever the delivery is repeated, and `sequence` rises with each event, for
/// deliveries may arrive in another order; `data` is the event as every output has it.
package struct EventMessage: Hashable, Sendable {
  package let id: Delivery.ID
  package let event: StoredEvent

  package init(_ delivery: Delivery) {
    id = delivery.id
    event = delivery.event
  }

  package var body: [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.member("id", id)
      json.member("sequence", event.sequence)
      json.name("data")
      event.event.write(to: &json)
    }
    return json.bytes
  }
}
