import Foundation
import HTTP
import Testing

/// Bodies that are written or read while they travel.
@Suite struct HTTPStreamTests {
  @Test func `events come as they are written, then the stream ends`() async throws {
    let router = Router([
      Route(
        .get, "/events",
        suspending: { _ in
          .events { writer in
            for id in 1...3 {
              try? await writer.write(ServerSentEvent(id: "\(id)", data: "x"))
              try? await Task.sleep(for: .milliseconds(5))
            }
          }
        })
    ])
    try await serving(router) { server in
      let client = try RawClient(port: server.port)
      for _ in 0..<2 {
        client.send("GET /events HTTP/1.1\r\nHost: x\r\n\r\n")
        let answer = Answer(client.receive { $0.hasSuffix("\r\n0\r\n\r\n") })
        #expect(answer.fields["content-type"] == "text/event-stream; charset=utf-8")
        #expect(answer.body == "id: 1\ndata: x\n\nid: 2\ndata: x\n\nid: 3\ndata: x\n\n")
      }
    }
  }

  @Test func `a quiet stream beats, and ends when the server stops`() async throws {
    let ends = Recorder<Bool>()
    let rest = Recorder<String>()
    try await serving(Self.quietRouter(ends)) { server in
      let client = try RawClient(port: server.port)
      client.send("GET /events HTTP/1.1\r\nHost: x\r\n\r\n")
      let beats = client.receive { $0.components(separatedBy: ":\n\n").count > 3 }
      #expect(beats.components(separatedBy: ":\n\n").count > 3)
      await server.stop()
      rest.record(client.receiveToEnd())
    }
    #expect(rest.all[0].hasSuffix("0\r\n\r\n"))
    #expect(!ends.all.isEmpty)
  }

  @Test func `a client that goes away ends its stream's task`() async throws {
    let ends = Recorder<Bool>()
    try await serving(Self.quietRouter(ends)) { server in
      let client = try RawClient(port: server.port)
      client.send("GET /events HTTP/1.1\r\nHost: x\r\n\r\n")
      _ = client.receive { $0.contains(":\n\n") }
      client.disconnect()
      #expect(await eventually { !ends.all.isEmpty })
    }
  }

  @Test func `a writer waits for a client that reads slowly`() async throws {
    let writes = Recorder<Int>()
    let router = Router([
      Route(
        .get, "/flood",
        suspending: { _ in
          HTTPResponse(
            .ok,
            body: .stream(
              HTTPStream { writer in
                let chunk = [UInt8](repeating: 0x61, count: 10_000)
                for _ in 0..<2000 {
                  guard (try? await writer.write(chunk)) != nil else { return }
                  writes.record(chunk.count)
                }
              }))
        })
    ])
    try await serving(router) { server in
      let client = try RawClient(port: server.port, receiveBuffer: 16384)
      client.send("GET /flood HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
      _ = client.receive { !$0.isEmpty }
      var before = -1
      while before != writes.all.count {
        before = writes.all.count
        try await Task.sleep(for: .milliseconds(100))
      }
      #expect(before < 1500)
      let rest = client.receiveBytesToEnd()
      #expect(rest > 19_000_000)
    }
  }

  @Test func `a streamed body is counted in bounded memory`() async throws {
    let isLong = ProcessInfo.processInfo.environment["DOORSTEP_LONG_TESTS"] == "1"
    let megabytes = isLong ? 1000 : 128
    try await serving { server in
      let client = try RawClient(port: server.port)
      let before = residentBytes()
      client.send(
        "POST /v1/count HTTP/1.1\r\nHost: x\r\nContent-Length: \(megabytes << 20)\r\n\r\n")
      let chunk = [UInt8](repeating: 0x61, count: 1 << 20)
      for _ in 0..<megabytes { client.send(chunk) }
      #expect(Answer(client.receiveAnswer()).body == "\(megabytes << 20)")
      // Half of what came: the process has other tests' garbage to give back too.
      #expect(residentBytes() - before < 64 << 20)
    }
  }

  @Test func `a reader that is slow holds the client up`() async throws {
    let gate = Gate()
    let router = Router([
      Route(
        .post, "/slow",
        streaming: { _, body in
          var count = 0
          do throws(HTTPRequestBodyError) {
            for try await chunk in body {
              if count == 0 { await gate.wait() }
              count += chunk.count
            }
          } catch {
            return HTTPResponse(.badRequest)
          }
          return HTTPResponse(.ok, body: Array("\(count)".utf8))
        })
    ])
    try await serving(router) { server in
      let client = try RawClient(port: server.port)
      client.send("POST /slow HTTP/1.1\r\nHost: x\r\nContent-Length: 30000000\r\n\r\n")
      let sent = client.sendUntilStuck(limit: 30_000_000)
      #expect(sent < 20_000_000)
      gate.open()
      client.send([UInt8](repeating: 0x61, count: 30_000_000 - sent))
      #expect(Answer(client.receiveAnswer()).body == "30000000")
    }
  }

  @Test func `a streamed body cut off fails its reader`() async throws {
    let failures = Recorder<HTTPRequestBodyError>()
    let router = Router([
      Route(
        .post, "/read",
        streaming: { _, body in
          do throws(HTTPRequestBodyError) {
            for try await _ in body {}
          } catch {
            failures.record(error)
          }
          return HTTPResponse(.ok)
        })
    ])
    try await serving(router) { server in
      let client = try RawClient(port: server.port)
      client.send("POST /read HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf")
      client.disconnect()
      #expect(await eventually { !failures.all.isEmpty })
    }
    #expect(failures.all == [.disconnected])
  }

  private static func quietRouter(_ ends: Recorder<Bool>) -> Router {
    Router([
      Route(
        .get, "/events",
        suspending: { _ in
          .events(heartbeat: .milliseconds(50)) { writer in
            while !Task.isCancelled { try? await Task.sleep(for: .milliseconds(20)) }
            ends.record(true)
          }
        })
    ])
  }
}
