import Foundation
import Geo
import Positioning
import TestSupport
import Testing

/// The real program against a real gpsd and real sockets; alone, since each needs its time.
@Suite(.serialized) struct WatchCommandTests {
  let folder = try! TemporaryFolder()

  /// Starts watching with a database of the test's own.
  func watch(_ source: String, fences: Bool = true, _ more: [String] = []) throws -> ChildProgram {
    let file = try folder.write(Samples.fences, to: "fences.geojson")
    return try ChildProgram(
      Program.url.path,
      ["watch", "--json", "--database", folder.path("watch.db")]
        + (fences ? ["--fences", file] : []) + more + [source])
  }

  func objects(_ program: ChildProgram) -> [[String: Any]] {
    program.lines.compactMap { line in
      try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
    }
  }

  func events(_ program: ChildProgram) -> [[String: Any]] {
    objects(program).filter { $0["event"] != nil }
  }

  func fixes(_ program: ChildProgram) -> [[String: Any]] {
    objects(program).filter { $0["event"] == nil }
  }

  /// The sentences of a fix that is measured now, so many meters north of the store.
  func sentences(north: Double) throws -> [UInt8] {
    let store = try #require(Coordinate(latitude: 48, longitude: 11))
    let now = try #require(Timestamp(secondsSince1970: Date().timeIntervalSince1970))
    var bytes: [UInt8] = []
    try NMEAWriter().write(
      Fix(
        coordinate: store.moved(east: .zero, north: .meters(north)), time: now,
        accuracy: .meters(5)),
      to: &bytes)
    return bytes
  }

  @Test(.enabled(if: SharedFiles.areThere, "the recordings are not there"))
  func `a receiver at a gpsd gives the fixes that gpsd's own client sees`() async throws {
    let log = try #require(SharedFiles.path("traces/nmea/ublox-neo-m9n-nmea.log"))
    let lines = try Data(contentsOf: URL(filePath: log)).split(separator: UInt8(ascii: "\n"))
      .filter { $0.first != UInt8(ascii: "#") }
    let terminal = try PseudoTerminal(path: folder.path("gps0"))
    let daemon = try await RealGPSD(devices: [terminal.path])
    let peer = try ChildProgram("gpspipe", ["-w", "127.0.0.1:\(daemon.port)"])
    let ours = try watch("gpsd://127.0.0.1:\(daemon.port)", fences: false)
    #expect(await eventually(within: .seconds(20)) { peer.lines.contains { $0.contains("WATCH") } })
    // Our own client has sent its WATCH when the daemon has been asked twice.
    try await Task.sleep(for: .milliseconds(700))
    for line in lines {
      try terminal.write(line + [UInt8(ascii: "\n")])
      try await Task.sleep(for: .milliseconds(4))
    }
    func key(_ object: [String: Any], _ longitude: String) -> String? {
      guard let time = object["time"] as? String, let lat = object["lat"] as? Double,
        let lng = object[longitude] as? Double
      else { return nil }
      return String(format: "%@ %.7f %.7f", time, lat, lng)
    }
    func wanted() -> Set<String> {
      Set(
        objects(peer).filter { ($0["mode"] as? Int ?? 0) >= 2 }.compactMap { key($0, "lon") })
    }
    func found() -> Set<String> { Set(fixes(ours).compactMap { key($0, "lng") }) }
    let isSame = await eventually(within: .seconds(20)) {
      wanted().count > 50 && wanted() == found()
    }
    #expect(
      isSame,
      "only gpspipe: \(wanted().subtracting(found())); only ours: \(found().subtracting(wanted()))")
  }

  @Test func `a killed watch goes on where it stopped, and tells nothing twice`() async throws {
    let feed = try LoopbackServer()
    let source = "tcp://127.0.0.1:\(feed.port)"
    let first = try watch(source)
    try await feed.accept()
    #expect(
      await eventually(within: .seconds(20)) {
        (try? feed.send(sentences(north: 20))) != nil && events(first).count == 1
      })
    let entered = try #require(events(first).first)
    #expect(entered["event"] as? String == "entered")
    #expect(entered["fence"] as? String == "S")
    first.kill()
    let second = try watch(source)
    try await feed.accept()
    #expect(
      await eventually(within: .seconds(20)) {
        (try? feed.send(sentences(north: 25))) != nil && fixes(second).count > 2
      })
    #expect(events(second).isEmpty)
    let presence = try #require(fixes(second).last?["nearest"] as? [String: Any])
    #expect(presence["presence"] as? String == "inside")
    second.stop()
  }

  @Test func `edits of the database's fences hold while watching`() async throws {
    let file = try folder.write(Samples.fences, to: "fences.geojson")
    let database = folder.path("watch.db")
    let imported = try Program.run(["fences", "import", "--database", database, file])
    #expect(imported.exitCode == 0)
    let feed = try LoopbackServer()
    let watching = try watch("tcp://127.0.0.1:\(feed.port)", fences: false)
    try await feed.accept()
    #expect(
      await eventually(within: .seconds(20)) {
        (try? feed.send(sentences(north: 20))) != nil && events(watching).count == 1
      })
    let moved = try folder.write(
      Samples.fences.replacing("[11.0,48.0]", with: "[11.0,48.02]"), to: "moved.geojson")
    #expect(try Program.run(["fences", "import", "--database", database, moved]).exitCode == 0)
    #expect(await eventually(within: .seconds(20)) { events(watching).count == 2 })
    let left = try #require(events(watching).last)
    #expect(left["event"] as? String == "exited")
    #expect(left["cause"] as? String == "fence_changed")
    watching.stop()
  }

  @Test func `an edit while nobody watches is judged at the next fix, with its cause`() throws {
    let database = folder.path("watch.db")
    func run(_ north: Double) throws -> [[String: Any]] {
      let result = try Program.run(
        ["watch", "--json", "--subject", "D", "--database", database, "-"],
        input: String(decoding: sentences(north: north), as: UTF8.self))
      return try result.lines.map {
        try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
      }.filter { $0["event"] != nil }
    }
    func importing(_ text: String) throws {
      let file = try folder.write(text, to: "import.geojson")
      #expect(try Program.run(["fences", "import", "--database", database, file]).exitCode == 0)
    }
    try importing(Samples.fences)
    let entered = try run(10)
    #expect(entered.map { $0["event"] as? String } == ["entered"])
    try importing(Samples.fences.replacing("[11.0,48.0]", with: "[11.0,48.02]"))
    let left = try run(10)
    #expect(left.map { $0["event"] as? String } == ["exited"])
    #expect(left.first?["cause"] as? String == "fence_changed")
    let told = try Program.run(["events", "--json", "--database", database])
    #expect(told.lines.count == 2)
    let rest = try Program.run(["events", "--json", "--after", "1", "--database", database])
    #expect(rest.lines == [told.lines[1]])
  }

  @Test func `a run that has begun goes on after a kill`() async throws {
    let feed = try LoopbackServer()
    let source = "tcp://127.0.0.1:\(feed.port)"
    let more = ["--subject", "D"]
    let first = try watch(source, more)
    try await feed.accept()
    // Outside, then near the edge, where one fix is not enough.
    for (count, north) in [(1, 215.0), (2, 199.0)] {
      try feed.send(sentences(north: north))
      #expect(await eventually(within: .seconds(20)) { fixes(first).count == count })
    }
    #expect(events(first).isEmpty)
    first.kill()
    let second = try watch(source, more)
    try await feed.accept()
    try feed.send(sentences(north: 199))
    #expect(await eventually(within: .seconds(20)) { events(second).count == 1 })
    #expect(events(second).first?["rule"] as? String == "two_fixes")
    second.stop()
  }

  @Test func `standard input is watched to its end`() throws {
    let now = try (0..<3).map { _ in try String(decoding: sentences(north: 20), as: UTF8.self) }
    let file = try folder.write(Samples.fences, to: "fences.geojson")
    let result = try Program.run(
      ["watch", "--fences", file, "--database", folder.path("pipe.db"), "-"], input: now[0])
    #expect(result.exitCode == 0)
    #expect(result.output.contains("arrived at Corner Store"))
  }

  @Test func `an old recording that is piped in falls silent by its own clock`() throws {
    let file = try folder.write(Samples.fences, to: "fences.geojson")
    let result = try Program.run(
      ["watch", "--json", "--fences", file, "--database", folder.path("old.db"), "-"],
      input: Samples.visit)
    let events = result.lines.filter { $0.contains("\"event\"") }
    #expect(events.count == 2)
    #expect(events.first?.contains("\"entered\"") == true)
    #expect(events.last?.contains("\"exited\"") == true)
  }

  @Test func `a wrong source is wrong usage, one that is not there a failure outside`() throws {
    let database = folder.path("none.db")
    let wrong = try Program.run(["watch", "--database", database, "ftp://host"])
    #expect(wrong.exitCode == 2)
    #expect(wrong.errors.contains("expected gpsd://host:port/device"))
    let missing = try Program.run([
      "watch", "--no-reconnect", "--database", database, "/dev/there-is-none",
    ])
    #expect(missing.exitCode == 4)
    #expect(missing.errors.contains("/dev/there-is-none"))
  }
}
