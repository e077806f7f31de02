import Foundation
import Synchronization
import TestSupport
import Testing

/// The real service, killed under load again and again.
@Suite(.serialized) struct ServeCrashTests {
  private static let rounds =
    ProcessInfo.processInfo.environment["DOORSTEP_LONG_TESTS"] == "1" ? 50 : 10

  private let folder: TemporaryFolder
  private let database: String

  init() throws {
    folder = try TemporaryFolder()
    database = folder.path("doorstep.db")
    let fences = try folder.write(Samples.fences, to: "fences.geojson")
    try #require(
      try Program.run(["fences", "import", "--database", database, fences]).exitCode == 0)
  }

  /// What was acknowledged, of all rounds.
  private final class Acknowledged: Sendable {
    let lines = Mutex<[String]>([])
  }

  private func line(_ subject: String) -> String {
    let time = Date().ISO8601Format(.iso8601WithTimeZone(includingFractionalSeconds: true))
    return """
      {"subject":"\(subject)","time":"\(time)","lat":48,"lng":11,"accuracyMeters":8}
      """
  }

  /// Sends fixes of ever new subjects on a connection until it breaks.
  private func load(_ port: Int, name: String, _ acknowledged: Acknowledged) {
    guard let connection = KeptConnection(port: port) else { return }
    for number in 0..<100_000 {
      let line = line("\(name)-\(number)")
      guard
        let answer = connection.post("/v1/positions", line, type: "application/json")
      else { return }
      guard answer.status == 200 else { continue }
      acknowledged.lines.withLock { $0.append(line) }
    }
  }

  @Test func `what was acknowledged is there after a kill, and nothing is told twice`() async throws
  {
    let acknowledged = Acknowledged()
    var random = SeededGenerator(seed: 11)
    for round in 0..<Self.rounds {
      let service = try await ServedProgram(database: database, in: folder)
      let steady = try #require(KeptConnection(port: service.port))
      let answer = steady.post("/v1/positions", line("steady"), type: "application/json")
      #expect(answer?.status == 200)
      let before = acknowledged.lines.withLock { $0.count }
      let (finished, finish) = AsyncStream.makeStream(of: Void.self)
      let port = service.port
      for worker in 0..<4 {
        Thread.detachNewThread {
          load(port, name: "r\(round)w\(worker)", acknowledged)
          finish.yield()
        }
      }
      let least = Int.random(in: 1...60, using: &random)
      #expect(
        await eventually { acknowledged.lines.withLock { $0.count } >= before + least },
        "round \(round) takes nothing")
      service.kill()
      var left = 4
      for await _ in finished {
        left -= 1
        if left == 0 { break }
      }
    }
    try await check(acknowledged.lines.withLock { $0 })
  }

  private func check(_ lines: [String]) async throws {
    #expect(lines.count > Self.rounds)
    let service = try await ServedProgram(database: database, in: folder)
    let connection = try #require(KeptConnection(port: service.port))
    let again = try #require(
      connection.post(
        "/v1/positions", lines.joined(separator: "\n"), type: "application/x-ndjson"))
    // A fix that is known is a duplicate; one that was lost would be accepted.
    #expect(again.body.hasPrefix(#"{"received":\#(lines.count),"accepted":0,"refusedCount":0,"#))
    #expect(again.body.contains(#""passedOverCount":\#(lines.count),"#))
    #expect(!again.body.contains("out_of_order"))
    #expect(again.body.hasSuffix(#""eventCount":0,"events":[]}"#))

    let stream = try ChildProgram(
      "curl", ["-sN", "\(service.address)/v1/events?after=0&kind=entered"])
    // Events come in their order, so that the last is there when all are.
    _ = connection.post("/v1/positions", line("the last"), type: "application/json")
    #expect(
      await eventually(within: .seconds(30)) {
        stream.lines.contains { $0.hasPrefix("data: ") && $0.contains("\"the last\"") }
      })
    let told = stream.lines.filter { $0.hasPrefix("data: ") }.compactMap { line -> String? in
      let object =
        try? JSONSerialization.jsonObject(with: Data(line.dropFirst(6).utf8)) as? [String: Any]
      return object?["subject"] as? String
    }
    #expect(Set(told).count == told.count, "an arrival was told twice")
    let wanted = Set(
      lines.compactMap { $0.split(separator: "\"").dropFirst(3).first.map(String.init) })
    #expect(wanted.count == lines.count)
    #expect(wanted.subtracting(told) == [], "an arrival was lost")
    #expect(told.filter { $0 == "steady" }.count == 1)
    #expect(service.stop() == 0)
  }
}
