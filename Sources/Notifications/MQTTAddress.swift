/// An MQTT broker, as `mqtt://host`, `mqtts://host:8883` or `mqtt://user:password@host`.
package struct MQTTAddress: Hashable, Sendable {
  package let host: String
  package let port: UInt16
  /// Whether the broker is reached over TLS, its certificate verified against the system's.
  package let usesTLS: Bool
  package let user: String?
  package let password: String?

  /// The text is no address of a broker.
  package struct Problem: Error, Equatable, CustomStringConvertible {
    package var description: String {
      "not a broker's address: expected one as mqtt://broker.example.org or "
        + "mqtts://user:password@broker.example.org:8883"
    }
  }

  /// Ports are 1883, and 8883 over TLS, where the text names none.
  package init(_ text: String) throws(Problem) {
    guard let url = URLParts(text), url.scheme == "mqtt" || url.scheme == "mqtts", url.path == "/"
    else { throw Problem() }
    host = url.host
    usesTLS = url.scheme == "mqtts"
    port = url.port ?? (usesTLS ? 8883 : 1883)
    user = url.user
    password = url.password
  }
}
