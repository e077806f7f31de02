/// Where an event is delivered; each target has a queue of its own.
package enum DeliveryTarget: Hashable, Sendable, LosslessStringConvertible {
  /// A webhook, by its number.
  case webhook(Int)
  /// The MQTT broker.
  case broker

  package init?(_ description: String) {
    if description == "broker" {
      self = .broker
    } else if description.hasPrefix("webhook-"), let id = Int(description.dropFirst(8)), id > 0 {
      self = .webhook(id)
    } else {
      return nil
    }
  }

  package var description: String {
    switch self {
    case .webhook(let id): "webhook-\(id)"
    case .broker: "broker"
    }
  }
}
