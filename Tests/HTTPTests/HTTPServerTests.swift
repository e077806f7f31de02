import Foundation
import HTTP
import Testing

/// Everything a client can do to a server that behaves, over raw sockets.
@Suite struct HTTPServerTests {
  @Test(arguments: ["POST", "PUT", "PATCH"])
  func `a body comes back, and the connection is kept`(method: String) async throws {
    try await serving { server in
      let client = try RawClient(port: server.port)
      for body in ["", "x", String(repeating: "0123456789", count: 10_000)] {
        client.send(
          "\(method) /v1/echo HTTP/1.1\r\nHost: x\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
        )
        let answer = Answer(client.receiveAnswer())
        #expect(answer.status == 200)
        #expect(answer.body == body)
      }
    }
  }

  @Test func `requests in one packet are answered in their order`() async throws {
    try await serving { server in
      let client = try RawClient(port: server.port)
      var requests = ""
      for index in 0..<50 {
        let method = ["POST", "PUT"][index % 2]
        let body = "body \(index)."
        requests +=
          "\(method) /v1/echo HTTP/1.1\r\nHost: x\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
      }
      client.send(requests)
      let answers = client.receive { $0.hasSuffix("body 49.") }
      let order = answers.components(separatedBy: "\r\n\r\nbody ").dropFirst().map {
        Int($0.prefix { $0 != "." })
      }
      #expect(order == Array(0..<50))
    }
  }

  @Test(arguments: [1, 2, 7, 1000])
  func `a body in chunks comes together however it is cut`(piece: Int) async throws {
    try await serving { server in
      let client = try RawClient(port: server.port)
      let bytes = Array(
        "POST /v1/echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n1\r\n \r\nA\r\n0123456789\r\n0\r\n\r\n"
          .utf8)
      for start in stride(from: 0, to: bytes.count, by: piece) {
        client.send(Array(bytes[start..<min(start + piece, bytes.count)]))
      }
      #expect(Answer(client.receiveAnswer()).body == "hello 0123456789")
    }
  }

  @Test func `HEAD has the length of GET and no body`() async throws {
    try await serving { server in
      let client = try RawClient(port: server.port)
      client.send("HEAD /v1/hello HTTP/1.1\r\nHost: x\r\n\r\n")
      let answer = Answer(client.receiveAnswer(isHead: true))
      #expect(answer.status == 200)
      #expect(answer.fields["content-length"] == "15")
      #expect(answer.body == "")
    }
  }

  @Test(arguments: [
    ("two lengths", "Content-Length: 1\r\nContent-Length: 1\r\n\r\nx", 400),
    ("lengths that differ", "Content-Length: 1\r\nContent-Length: 2\r\n\r\nxy", 400),
    (
      "a length and chunks", "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400
    ),
    ("a negative length", "Content-Length: -1\r\n\r\n", 400),
    ("a length with a sign", "Content-Length: +1\r\n\r\nx", 400),
    ("a length that is no number", "Content-Length: one\r\n\r\nx", 400),
    ("an encoding nobody knows", "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", 400),
    ("two hosts", "Host: y\r\n\r\n", 400),
    ("header fields above the limit", "X-A: \(String(repeating: "a", count: 9000))\r\n\r\n", 431),
    (
      "header fields above all memory", "X-A: \(String(repeating: "a", count: 60_000))\r\n\r\n", 431
    ),
  ])
  func `a request that breaks HTTP ends its connection`(
    name: String, rest: String, status: Int
  ) async throws {
    try await serving { server in
      let client = try RawClient(port: server.port)
      client.send("POST /v1/echo HTTP/1.1\r\nHost: x\r\n\(rest)")
      let answer = Answer(client.receiveToEnd())
      #expect(answer.status == status)
      #expect(client.isClosed())
    }
  }

  @Test func `a target above the limit is too long`() async throws {
    try await serving { server in
      for length in [5000, 40_000] {
        let client = try RawClient(port: server.port)
        client.send(
          "GET /\(String(repeating: "a", count: length)) HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(Answer(client.receiveToEnd()).status == 414)
      }
    }
  }

  @Test func `HTTP 1_1 needs a host`() async throws {
    try await serving { server in
      let client = try RawClient(port: server.port)
      client.send("GET /v1/hello HTTP/1.1\r\n\r\n")
      #expect(Answer(client.receiveToEnd()).status == 400)
    }
  }

  @Test func `ten gigabytes announced are refused before they come`() async throws {
    try await serving { server in
      for expect in ["", "Expect: 100-continue\r\n"] {
        let client = try RawClient(port: server.port)
        client.send(
          "POST /v1/echo HTTP/1.1\r\nHost: x\r\n\(expect)Content-Length: 10737418240\r\n\r\n")
        let answer = client.receiveAnswer()
        #expect(Answer(answer).status == 413)
        #expect(!answer.contains("100 Continue"))
      }
    }
  }

  @Test func `a client that sends its refused body nevertheless reads the answer`() async throws {
    try await serving { server in
      for header in ["Content-Length: 8000000", "Transfer-Encoding: chunked"] {
        let client = try RawClient(port: server.port)
        client.send("POST /v1/echo HTTP/1.1\r\nHost: x\r\n\(header)\r\n\r\n")
        let chunk = "10000\r\n" + String(repeating: "a", count: 65536) + "\r\n"
        for _ in 0..<60 { client.send(chunk) }
        #expect(Answer(client.receiveToEnd()).status == 413, "\(header)")
      }
    }
  }

  @Test func `a body that is waited for is asked for`() async throws {
    try await serving { server in
      for path in ["echo", "count"] {
        let client = try RawClient(port: server.port)
        client.send(
          "POST /v1/\(path) HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n"
        )
        #expect(client.receive { $0.contains("\r\n\r\n") }.hasPrefix("HTTP/1.1 100"))
        client.send("ok")
        #expect(Answer(client.receiveAnswer()).status == 200)
      }
    }
  }

  @Test func `a handler that refuses a stream does so before it is sent`() async throws {
    try await serving { server in
      let client = try RawClient(port: server.port)
      client.send(
        "POST /v1/refused HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 10000000000\r\n\r\n"
      )
      let answer = client.receiveToEnd()
      #expect(answer.hasPrefix("HTTP/1.1 401"))
    }
  }

  @Test func `each request is reported once with what became of it`() async throws {
    let reports = Recorder<HTTPCompletion>()
    try await serving(onCompletion: { reports.record($0) }) { server in
      let client = try RawClient(port: server.port)
      for target in ["/v1/subjects/7/explain", "/nothing", "/v1/me/clock/status"] {
        client.send("GET \(target) HTTP/1.1\r\nHost: x\r\n\r\n")
        _ = client.receiveAnswer()
      }
      client.send("POST /v1/echo HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf")
      client.disconnect()
      #expect(await eventually { reports.all.count == 4 })
    }
    let lines = reports.all.map {
      "\($0.method) \($0.route?.description ?? "-") \($0.status?.code ?? 0) \($0.bodySizeInBytes) \($0.isComplete)"
    }
    #expect(
      lines == [
        "GET /v1/subjects/{id}/explain 200 9 true", "GET - 404 25 true",
        "GET /v1/{store}/clock/status 200 9 true", "POST /v1/echo 0 0 false",
      ])
  }

  @Test func `a port in use is an error that says so`() async throws {
    try await serving { server in
      #expect(throws: HTTPServerError.addressInUse(address: "127.0.0.1", port: server.port)) {
        try HTTPServer(
          router: SampleRoutes.router, configuration: HTTPServerConfiguration(port: server.port))
      }
    }
  }

  @Test func `addresses that cannot be bound are refused`() {
    #expect(throws: HTTPServerError.addressMalformed("localhost")) {
      try HTTPServer(
        router: SampleRoutes.router,
        configuration: HTTPServerConfiguration(address: "localhost", port: 0))
    }
    #expect(throws: HTTPServerError.addressUnavailable(address: "192.0.2.1")) {
      try HTTPServer(
        router: SampleRoutes.router,
        configuration: HTTPServerConfiguration(address: "192.0.2.1", port: 0))
    }
  }

  @Test func `curl speaks to it, over one connection`() async throws {
    try await serving { server in
      let url = "http://127.0.0.1:\(server.port)"
      let output = try Curl.run([
        "-sS", "-w", " %{num_connects}\n", "\(url)/v1/hello", "--next", "-sS", "-w",
        " %{num_connects}\n", "--data-binary", "abc", "\(url)/v1/echo",
      ])
      #expect(output == "hello 127.0.0.1 1\nabc 0\n")
    }
  }
}

enum Curl {
  /// What curl writes to standard output.
  static func run(_ arguments: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/curl")
    process.arguments = ["--max-time", "10"] + arguments
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self)
  }
}
