import Geo
import Geofencing
import Testing

@testable import Notifications

@Suite struct AddressTests {
  @Test(arguments: [
    "https://example.org", "http://127.0.0.1:8080/a?b=c", "https://[::1]/hook",
    "HTTPS://example.org/", "https://bücher.example/",
  ])
  func `an address of HTTP is a webhook's`(text: String) throws {
    #expect(try WebhookURL(text).description == text)
  }

  @Test(
    arguments: [
      ("", .malformed), ("example.org/hook", .malformed), ("https://", .malformed),
      ("https:///hook", .malformed), ("/hook", .malformed), ("https://exa mple.org", .malformed),
      ("https://example.org/\u{0}", .malformed), ("https://example.org\r\nX: y", .malformed),
      ("https://example.org:99999/", .malformed),
      ("ftp://example.org", .schemeNotHTTP), ("file:///etc/passwd", .malformed),
      ("gopher://example.org", .schemeNotHTTP), ("file://host/etc/passwd", .malformed),
      ("https://user@example.org", .hasCredentials), ("https://u:p@example.org", .hasCredentials),
    ] as [(String, WebhookURL.Problem)])
  func `any other text is refused with a reason`(text: String, problem: WebhookURL.Problem) {
    #expect(throws: problem) { try WebhookURL(text) }
  }

  @Test func `a broker's address has its parts, and the usual ports where it names none`() throws {
    let plain = try MQTTAddress("mqtt://broker.example.org")
    #expect(plain.host == "broker.example.org" && plain.port == 1883 && !plain.usesTLS)
    #expect(plain.user == nil && plain.password == nil)
    let secure = try MQTTAddress("mqtts://me:p%40ss@[::1]")
    #expect(secure.host == "::1" && secure.port == 8883 && secure.usesTLS)
    #expect(secure.user == "me" && secure.password == "p@ss")
    #expect(try MQTTAddress("mqtt://localhost:2883/").port == 2883)
  }

  @Test(arguments: ["", "broker", "broker:1883", "http://broker", "mqtt://", "mqtt://broker/topic"])
  func `any other text is no broker`(text: String) {
    #expect(throws: MQTTAddress.Problem()) { try MQTTAddress(text) }
  }

  @Test(arguments: [
    ("ou00", "ou00"), ("a/b", "a%2Fb"), ("+#", "%2B%23"), ("50%", "50%25"), ("", ""),
    ("Käthe", "Käthe"), ("a\u{0}\u{7f}", "a%00%7F"),
  ])
  func `a store is one level of the topic, whatever its id`(id: String, level: String) {
    let event = FenceEvent(
      kind: .presenceExpired, subject: SubjectID("D1"), fence: Fence.ID(id), visit: nil, time: noon,
      confirmedAt: noon, rule: .silence)
    #expect(MQTTTopic.topic(of: event) == "doorstep/events/\(level)/presence_expired")
  }
}
