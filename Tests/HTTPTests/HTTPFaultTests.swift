import Foundation
import Glibc
import HTTP
import Testing

/// Clients that do not behave, and the end of the server.
@Suite(.serialized) struct HTTPFaultTests {
  @Test(arguments: [
    "GET /v1/hello HTTP/1.1\r\nHost: x\r\nX-Slow: ", "GET /",
    "POST /v1/echo HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n",
  ])
  func `a byte at a time is too slow, and others are answered`(beginning: String) async throws {
    let configure: (inout HTTPServerConfiguration) -> Void = {
      $0.headerTimeout = .milliseconds(400)
      $0.bodyTimeout = .milliseconds(400)
    }
    try await serving(configure: configure) { server in
      let slow = try (0..<20).map { _ in try RawClient(port: server.port) }
      for client in slow { client.send(beginning) }
      let other = try RawClient(port: server.port)
      let clock = ContinuousClock()
      let deadline = clock.now + .seconds(8)
      var answers = 0
      var open = slow
      while !open.isEmpty, clock.now < deadline {
        open = open.filter { !$0.isClosed(milliseconds: 0) && $0.send("a") }
        other.send("GET /v1/hello HTTP/1.1\r\nHost: x\r\n\r\n")
        if Answer(other.receiveAnswer()).status == 200 { answers += 1 }
        try await clock.sleep(for: .milliseconds(20))
      }
      #expect(open.isEmpty)
      #expect(answers > 5)
      _ = other
    }
  }

  @Test func `two thousand idle clients leave room for others`() async throws {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    limit.rlim_cur = min(limit.rlim_max, 8192)
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    let count = min(2000, Int(limit.rlim_cur) / 2 - 200)
    try #require(count > 300)
    try await serving { server in
      let before = residentBytes()
      let idle = try (0..<count).map { _ in try RawClient(port: server.port) }
      #expect(await eventually { server.connectionCount == count })
      let client = try RawClient(port: server.port)
      client.send("GET /v1/hello HTTP/1.1\r\nHost: x\r\n\r\n")
      #expect(Answer(client.receiveAnswer()).status == 200)
      #expect(residentBytes() - before < 96 << 20)
      for client in idle { client.disconnect() }
      client.disconnect()
      #expect(await eventually { server.connectionCount == 0 })
    }
  }

  @Test func `an address has no more connections than its limit`() async throws {
    try await serving(configure: { $0.connectionLimitPerAddress = 3 }) { server in
      let clients = try (0..<3).map { _ in try RawClient(port: server.port) }
      #expect(await eventually { server.connectionCount == 3 })
      let fourth = try RawClient(port: server.port)
      fourth.send("GET /v1/hello HTTP/1.1\r\nHost: x\r\n\r\n")
      #expect(fourth.receiveToEnd() == "")
      clients[0].send("GET /v1/hello HTTP/1.1\r\nHost: x\r\n\r\n")
      #expect(Answer(clients[0].receiveAnswer()).status == 200)
    }
  }

  @Test func `clients that break off anywhere harm nobody`() async throws {
    let request =
      "PUT /v1/echo HTTP/1.1\r\nHost: x\r\nContent-Length: 20\r\n\r\n01234567890123456789"
    try await serving { server in
      for length in 0...request.utf8.count {
        let client = try RawClient(port: server.port)
        client.send(Array(request.utf8.prefix(length)))
        client.disconnect(abruptly: length.isMultiple(of: 2))
      }
      let client = try RawClient(port: server.port)
      client.send(request)
      #expect(Answer(client.receiveAnswer()).body == "01234567890123456789")
      client.disconnect()
      #expect(await eventually { server.connectionCount == 0 })
    }
  }

  @Test func `stopping lets what is in flight finish and accepts nothing more`() async throws {
    let gate = Gate()
    let router = Router([
      Route(
        .get, "/wait",
        suspending: { _ in
          await gate.wait()
          return HTTPResponse(.ok, body: Array("finished".utf8))
        })
    ])
    try await serving(router) { server in
      let client = try RawClient(port: server.port)
      client.send("GET /wait HTTP/1.1\r\nHost: x\r\n\r\n")
      #expect(await eventually { gate.isWaitedFor })
      let port = server.port
      async let stopped: Void = server.stop()
      #expect(
        await eventually {
          (try? RawClient(port: port)) == nil
        })
      gate.open()
      let answer = Answer(client.receiveToEnd())
      #expect(answer.body == "finished")
      #expect(answer.fields["connection"]?.lowercased() == "close")
      await stopped
    }
  }

  @Test func `what outlasts the server's patience is answered that it stops`() async throws {
    let router = Router([
      Route(
        .get, "/never",
        suspending: { _ in
          while !Task.isCancelled { try? await Task.sleep(for: .seconds(1)) }
          return HTTPResponse(.ok)
        }),
      Route(
        .post, "/never",
        streaming: { _, body in
          do throws(HTTPRequestBodyError) {
            for try await _ in body {}
          } catch {
            return HTTPResponse(.serviceUnavailable)
          }
          return HTTPResponse(.ok)
        }),
    ])
    try await serving(router, patience: .milliseconds(100)) { server in
      let waiting = try RawClient(port: server.port)
      waiting.send("GET /never HTTP/1.1\r\nHost: x\r\n\r\n")
      let sending = try RawClient(port: server.port)
      sending.send("POST /never HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf")
      let idle = try RawClient(port: server.port)
      #expect(await eventually { server.connectionCount == 3 })
      try await Task.sleep(for: .milliseconds(50))
      await server.stop(patience: .milliseconds(100))
      #expect(Answer(waiting.receiveToEnd()).status == 503)
      #expect(sending.isClosed())
      #expect(idle.isClosed())
    }
  }

  @Test func `a server is stopped under load, again and again`() async throws {
    for round in 0..<20 {
      try await serving(patience: .seconds(2)) { server in
        let clients = try (0..<8).map { _ in try RawClient(port: server.port) }
        for (index, client) in clients.enumerated() {
          let method = ["PUT", "POST"][index % 2]
          let path = index % 3 == 0 && method == "POST" ? "count" : "echo"
          client.send("\(method) /v1/\(path) HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc")
        }
        if round.isMultiple(of: 2) { for client in clients { client.disconnect(abruptly: true) } }
      }
    }
  }
}
