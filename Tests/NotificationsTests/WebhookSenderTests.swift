import Foundation
import Geo
import Geofencing
import TestSupport
import Testing

@testable import Notifications

@Suite struct WebhookSenderTests {
  private let signer = WebhookSigner(secret: secret)

  private func delivery(_ id: String = "one") -> Delivery {
    let event = FenceEvent(
      kind: .entered, subject: SubjectID("Käthe's \"phone\""), fence: Fence.ID("S"), visit: nil,
      time: noon, confirmedAt: noon, rule: .twoFixes)
    return Delivery(
      id: id, event: StoredEvent(sequence: 7, event: event), attempts: 0, giveUpAt: noon)
  }

  private func send(_ sender: WebhookSender, _ url: String) async throws -> AttemptResult {
    await sender.send(delivery(), to: try WebhookURL(url), signedBy: signer, at: .systemNow)
  }

  @Test func `any 2xx is success, and other answers say whose fault it is`() async throws {
    let receiver = try await WebhookReceiver(secret: secret)
    let sender = try WebhookSender()
    let expected: [(String, AttemptResult)] = [
      ("200", .delivered), ("204", .delivered), ("202", .delivered), ("299", .delivered),
      ("500", .unreachable("HTTP status 500")), ("503", .unreachable("HTTP status 503")),
      ("429", .unreachable("HTTP status 429")), ("400", .refused("HTTP status 400")),
      ("404", .refused("HTTP status 404")), ("late", .delivered),
      ("redirect", .refused("HTTP status 307: redirects are not followed")),
    ]
    for (path, result) in expected {
      #expect(try await send(sender, receiver.url(path)) == result)
    }
    let requests = receiver.requests
    #expect(requests.map(\.path) == expected.map { "/\($0.0)" })
    #expect(requests.allSatisfy { $0.signed && $0.consistent })
    #expect(requests.allSatisfy { $0.id == "one" && $0.sequence == 7 })
  }

  @Test func `a signature by another secret is none to the receiver`() async throws {
    let receiver = try await WebhookReceiver(secret: "another")
    let sender = try WebhookSender()
    #expect(try await send(sender, receiver.url("200")) == .delivered)
    #expect(receiver.requests.map(\.signed) == [false])
  }

  @Test func `a receiver that hangs, drops or is not there is unreachable, within the limit`()
    async throws
  {
    let receiver = try await WebhookReceiver(secret: secret)
    let sender = try WebhookSender(connectMilliseconds: 300, wholeMilliseconds: 300)
    let free = try LoopbackServer.freePort()
    for url in [
      receiver.url("hang"), receiver.url("drop"), "http://127.0.0.1:\(free)/",
      "http://nowhere.invalid/",
    ] {
      let start = ContinuousClock.now
      guard case .unreachable(let reason) = try await send(sender, url) else {
        Issue.record("\(url) was reached")
        continue
      }
      #expect(!reason.isEmpty)
      #expect(ContinuousClock.now - start < .seconds(5))
    }
  }

  @Test func `a receiver that has said 200 has it, though its answer never ends`() async throws {
    let receiver = try await WebhookReceiver(secret: secret)
    let sender = try WebhookSender(wholeMilliseconds: 300)
    #expect(try await send(sender, receiver.url("endless")) == .delivered)
  }

  @Test func `an attempt is given up when its task is cancelled or the sender closes`()
    async throws
  {
    let receiver = try await WebhookReceiver(secret: secret)
    let sender = try WebhookSender()
    let hanging = receiver.url("hang")
    for closes in [false, true] {
      let count = receiver.requests.count
      let start = ContinuousClock.now
      let attempt = Task { try await send(sender, hanging) }
      #expect(await eventually { receiver.requests.count > count })
      if closes { sender.close() } else { attempt.cancel() }
      #expect(try await attempt.value == .unreachable("given up: the service stops"))
      #expect(ContinuousClock.now - start < .seconds(10))
    }
    #expect(
      try await send(sender, receiver.url("200")) == .unreachable("given up: the service stops"))
  }

  @Test func `a certificate that nobody vouches for is refused, before anything is sent`()
    async throws
  {
    let folder = try TemporaryFolder()
    let openssl = Process()
    openssl.executableURL = URL(filePath: "/usr/bin/openssl")
    openssl.arguments = [
      "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days",
      "1", "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout",
      folder.path("key.pem"), "-out", folder.path("certificate.pem"),
    ]
    openssl.standardError = FileHandle.nullDevice
    try openssl.run()
    openssl.waitUntilExit()
    let pem = try ["key.pem", "certificate.pem"].map {
      try String(contentsOfFile: folder.path($0), encoding: .utf8)
    }
    let path = try folder.write(pem.joined(), to: "both.pem")
    let receiver = try await WebhookReceiver(secret: secret, certificate: path)
    let result = try await send(try WebhookSender(), receiver.url("200", scheme: "https"))
    guard case .unreachable(let reason) = result else {
      Issue.record("it was accepted: \(result)")
      return
    }
    #expect(reason.contains("certificate"))
    #expect(receiver.requests.isEmpty)
  }
}
