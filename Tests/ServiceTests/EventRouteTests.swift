import Service
import Geofencing
import Foundation
import Geo
import HTTP
import TestSupport
import Testing

/// The stream of events over real sockets, followed by curl.
@Suite(.serialized) struct EventRouteTests {
  let stores: ServedStores

  init() async throws { stores = try await ServedStores() }

  private func enter(_ subjects: String..., north: Double = 0) async {
    for subject in subjects {
      _ = await stores.ask(.post, "/v1/positions", stores.fix(subject, north: north))
    }
  }

  /// Starts following, with curl's arguments before the target.
  private func follow(
    _ port: Int, _ target: String, _ arguments: String...
  ) throws -> ChildProgram {
    try ChildProgram("curl", ["-sN"] + arguments + ["http://127.0.0.1:\(port)\(target)"])
  }

  private func ids(_ stream: ChildProgram) -> [Int] {
    stream.lines.filter { $0.hasPrefix("id: ") }.compactMap { Int($0.dropFirst(4)) }
  }

  private func waits(_ stream: ChildProgram, for wanted: [Int]) async -> Bool {
    await eventually { ids(stream).count >= wanted.count && stream.lines.last?.isEmpty == true }
  }

  @Test func `the past is read, and then what comes`() async throws {
    await enter("D1", "D2")
    try await stores.serving { port in
      let stream = try follow(port, "/v1/events?after=0")
      #expect(await waits(stream, for: [1, 2]))
      await enter("D3")
      #expect(await waits(stream, for: [1, 2, 3]))
      #expect(ids(stream) == [1, 2, 3])
      let data = stream.lines.filter { $0.hasPrefix("data: ") }
      #expect(data.first?.hasPrefix(#"data: {"event":"entered","subject":"D1""#) == true)
      #expect(
        stream.lines.filter { $0.hasPrefix("event: ") }
          == Array(repeating: "event: entered", count: 3))
    }
  }

  @Test func `who was cut off resumes after the last event that came, without a gap`() async throws
  {
    try await stores.serving { port in
      let first = try follow(port, "/v1/events?after=0")
      await enter("D1", "D2", "D3")
      #expect(await waits(first, for: [1, 2, 3]))
      first.kill()
      await enter("D4", "D5")
      // The header goes before the query.
      let second = try follow(port, "/v1/events?after=0", "-H", "Last-Event-ID: 3")
      await enter("D6")
      #expect(await waits(second, for: [4, 5, 6]))
      #expect(ids(second) == [4, 5, 6])
    }
  }

  @Test func `without a position a stream begins now`() async throws {
    await enter("D1")
    try await stores.serving { port in
      let marked = try follow(port, "/v1/events?after=0")
      #expect(await waits(marked, for: [1]))
      let stream = try follow(port, "/v1/events")
      #expect(await eventually { stream.lines.contains("retry: 2000") })
      await enter("D2")
      #expect(await waits(stream, for: [2]))
      #expect(ids(stream) == [2])
    }
  }

  @Test(arguments: [
    ("subject=D2&subject=D4", [2, 4]), ("store=N", [4]), ("store=N&store=S", [1, 2, 3, 4]),
    ("subject=D4&kind=entered&kind=exited", [4]), ("store=S&subject=D3&kind=entered", [3]),
  ])
  func `a stream is narrowed by store, subject and kind`(query: String, wanted: [Int]) async throws
  {
    await enter("D1", "D2", "D3")
    await enter("D4", north: 0.1 * 111_200)
    try await stores.serving { port in
      let stream = try follow(port, "/v1/events?after=0&\(query)")
      #expect(await waits(stream, for: wanted))
      #expect(ids(stream) == wanted)
    }
  }

  @Test func `a service that stops ends its streams`() async throws {
    var following: ChildProgram?
    try await stores.serving { port in
      let stream = try follow(port, "/v1/events")
      #expect(await eventually { stream.lines.contains("retry: 2000") })
      following = stream
    }
    #expect(await eventually { following?.isRunning == false })
  }

  @Test(arguments: [
    "/v1/events?after=-1", "/v1/events?after=x", "/v1/events?kind=arrived",
  ])
  func `a stream that cannot be is refused`(target: String) async {
    #expect(await stores.get(target).code == "VALIDATION_ERROR")
  }
}
