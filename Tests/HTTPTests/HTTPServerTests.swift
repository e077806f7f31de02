import HTTP
import Testing

@Suite struct HTTPServerTests {
  @Test func `a connection is kept for the next request`() async throws {
    try await serving { server in
      let client = try RawClient(port: server.port)
      for _ in 0..<3 {
        client.send("GET /v1/hello HTTP/1.1\r\nHost: x\r\n\r\n")
        let answer = client.receiveAnswer()
        #expect(answer.hasPrefix("HTTP/1.1 200"))
        #expect(answer.hasSuffix("\r\n\r\nhello 127.0.0.1"))
      }
    }
  }

  @Test(arguments: ["POST", "PUT", "PATCH"])
  func `a body comes back`(method: String) async throws {
    try await serving { server in
      let client = try RawClient(port: server.port)
      for body in ["", "x", String(repeating: "0123456789", count: 10_000)] {
        client.send(
          "\(method) /v1/echo HTTP/1.1\r\nHost: x\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
        )
        let answer = client.receiveAnswer()
        #expect(answer.hasPrefix("HTTP/1.1 200"))
        #expect(answer.hasSuffix("\r\n\r\n" + body))
      }
    }
  }
}
