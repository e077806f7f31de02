import Foundation
import Geo
import TestSupport
import Testing

@testable import Positioning

/// Our client against a real gpsd; these run alone, because each needs the time that it measures.
@Suite(.serialized) struct GPSDClientTests {
  @Test(
    .enabled(if: SharedFiles.areThere, "the recordings are not there"),
    arguments: ["quectelLC79D-1.log", "telit-pls83-w.log", "ublox-neo-m9n-nmea.log", "quectel.log"])
  func `a feed over TCP gives the fixes that gpsd's own client sees`(log: String) async throws {
    let lines = try #require(try sentences(ofLog: log))
    let feed = try LoopbackServer()
    let daemon = try await RealGPSD(devices: ["tcp://127.0.0.1:\(feed.port)"])
    try await comparison(with: daemon, lines: lines, whenWatched: { try await feed.accept() }) {
      try feed.send($0)
    }
  }

  @Test(.enabled(if: SharedFiles.areThere, "the recordings are not there"))
  func `a receiver at a pseudo-terminal gives the fixes that gpsd's own client sees`()
    async throws
  {
    let lines = try #require(try sentences(ofLog: "quectelLC79D-1.log"))
    let folder = try TemporaryFolder()
    let terminal = try PseudoTerminal(path: "\(folder.path)/gps0")
    let daemon = try await RealGPSD(devices: [terminal.path])
    try await comparison(with: daemon, lines: lines, whenWatched: {}) { try terminal.write($0) }
  }

  @Test func `a daemon that ends and comes back is watched again`() async throws {
    let receiver = SampleReceiver()
    let feed = try LoopbackServer()
    let devices = ["tcp://127.0.0.1:\(feed.port)"]
    var daemon = try await RealGPSD(devices: devices)
    let port = daemon.port
    let subject = SubjectID(devices[0])
    let source = LiveSource.quick(.gpsd(host: "localhost", port: port, device: nil))
    try await LiveRecording.of(source) { recording in
      try await feed.accept()
      try await feed.send(receiver, untilFixesOf: recording, reach: 2)
      daemon.stop()
      let loss = LiveEvent.fixLost(subject, because: .disconnected)
      #expect(await eventually { recording.contains { $0 == loss } })
      let peer = "gpsd at localhost:\(port)"
      #expect(await eventually { recording.problems.contains(.refused(peer: peer)) })
      #expect(recording.problems.first == .closedByPeer(peer: peer))
      daemon = try await RealGPSD(port: port, devices: devices)
      #expect(await eventually { recording.connections == 2 })
      try await feed.accept()
      let before = recording.fixes.count
      try await feed.send(receiver, untilFixesOf: recording, reach: before + 2)
    }
  }

  @Test func `a fix ends with its device, whether or not the daemon notices`() async throws {
    let receiver = SampleReceiver()
    let feed = try LoopbackServer()
    let device = "tcp://127.0.0.1:\(feed.port)"
    let daemon = try await RealGPSD(devices: [device])
    var source = LiveSource.quick(.gpsd(host: "127.0.0.1", port: daemon.port, device: nil))
    source.patience.silence = .seconds(5)
    try await LiveRecording.of(source) { recording in
      try await feed.accept()
      try await feed.send(receiver, untilFixesOf: recording, reach: 2)
      feed.stop()
      let subject = SubjectID(device)
      let ends = [
        LiveEvent.fixLost(subject, because: .deviceGone), .fixLost(subject, because: .silent),
      ]
      #expect(await eventually { recording.contains { ends.contains($0) } })
      #expect(recording.problems.isEmpty)
    }
  }

  @Test func `a device that is taken from the daemon ends its fix at once`() async throws {
    let receiver = SampleReceiver()
    let feed = try LoopbackServer()
    let device = "tcp://127.0.0.1:\(feed.port)"
    let daemon = try await RealGPSD(devices: [device])
    let source = LiveSource.quick(.gpsd(host: "127.0.0.1", port: daemon.port, device: nil))
    try await LiveRecording.of(source) { recording in
      try await feed.accept()
      try await feed.send(receiver, untilFixesOf: recording, reach: 2)
      let taken = ContinuousClock.now
      try daemon.remove(device: device)
      let loss = LiveEvent.fixLost(SubjectID(device), because: .deviceGone)
      #expect(await eventually { recording.contains { $0 == loss } })
      #expect(ContinuousClock.now - taken < .seconds(1))
    }
  }

  @Test func `of two devices each keeps its own fixes, and one can be chosen`() async throws {
    let feeds = [try LoopbackServer(), try LoopbackServer()]
    let devices = feeds.map { "tcp://127.0.0.1:\($0.port)" }
    let daemon = try await RealGPSD(devices: devices)
    let both = LiveSource.quick(.gpsd(host: "127.0.0.1", port: daemon.port, device: nil))
    let one = LiveSource.quick(.gpsd(host: "127.0.0.1", port: daemon.port, device: devices[1]))
    try await LiveRecording.of(both) { all in
      try await LiveRecording.of(one) { chosen in
        try await expect(all, toSee: devices, and: chosen, toSeeTheSecondOf: feeds)
      }
    }
  }

  private func expect(
    _ all: LiveRecording, toSee devices: [String], and chosen: LiveRecording,
    toSeeTheSecondOf feeds: [LoopbackServer]
  ) async throws {
    for feed in feeds { try await feed.accept() }
    #expect(await eventually { chosen.isConnected })
    let first = SampleReceiver()
    let second = SampleReceiver(latitude: "5230.00000")
    let subjects = devices.map { SubjectID($0) }
    let reached = await eventually {
      try? feeds[0].send(first.nextEpoch())
      try? feeds[1].send(second.nextEpoch())
      let seen = all.fixes.map(\.subject)
      return subjects.allSatisfy { subject in seen.count { $0 == subject } >= 2 }
        && chosen.fixes.count >= 2
    }
    #expect(reached)
    let isRight = all.fixes.allSatisfy { fix in
      (fix.fix.coordinate.latitude < 50) == (fix.subject == subjects[0])
    }
    #expect(isRight)
    #expect(chosen.fixes.allSatisfy { $0.subject == subjects[1] })
  }

  @Test func `a device that the daemon does not have is said to be missing`() async throws {
    let daemon = try await RealGPSD()
    let missing = "/dev/serial/by-id/usb-u-blox_AG_-_www.u-blox.com_u-blox_GNSS_receiver-if00"
    let source = LiveSource.quick(.gpsd(host: "127.0.0.1", port: daemon.port, device: missing))
    try await LiveRecording.of(source) { recording in
      let refused = await eventually {
        recording.problems.contains { problem in
          if case .refusedByGPSD = problem { true } else { false }
        }
      }
      #expect(refused, "\(recording.events)")
    }
  }

  @Test func `a server that is no gpsd is named so`() async throws {
    let server = try LoopbackServer()
    var source = LiveSource.quick(.gpsd(host: "127.0.0.1", port: server.port, device: nil))
    source.patience.connect = .milliseconds(300)
    try await LiveRecording.of(source) { recording in
      let problem = LiveProblem.notGPSD(peer: "gpsd at 127.0.0.1:\(server.port)")
      #expect(await eventually { recording.problems.contains(problem) })
    }
  }

  @Test func `a line cut by the end of the connection does not hang the client`() async throws {
    let server = try LoopbackServer()
    let source = LiveSource.quick(.gpsd(host: "127.0.0.1", port: server.port, device: nil))
    try await LiveRecording.of(source) { recording in
      // The first connection only asks whether somebody listens.
      try await server.accept()
      try await server.accept()
      try server.send(#"{"class":"VERSION","release":"3.22"}"#.utf8 + Array("\r\n{\"class\":".utf8))
      #expect(await eventually { recording.isConnected })
      server.drop()
      let problem = LiveProblem.closedByPeer(peer: "gpsd at 127.0.0.1:\(server.port)")
      #expect(await eventually { recording.problems.contains(problem) })
    }
  }

  @Test func `a client of a gpsd ends within half a second of its cancellation`() async throws {
    let daemon = try await RealGPSD()
    let source = LiveSource.quick(.gpsd(host: "127.0.0.1", port: daemon.port, device: nil))
    var cancelled = ContinuousClock.now
    try await LiveRecording.of(source) { recording in
      #expect(await eventually { recording.isConnected })
      cancelled = .now
    }
    #expect(ContinuousClock.now - cancelled < .milliseconds(500))
  }

  /// Feeds `lines` to a daemon and compares what its own client and ours see.
  private func comparison(
    with daemon: RealGPSD, lines: [[UInt8]], whenWatched: () async throws -> Void,
    send: ([UInt8]) throws -> Void
  ) async throws {
    let pipe = try ChildProgram("stdbuf", ["-oL", "gpspipe", "-w", "127.0.0.1:\(daemon.port)"])
    var source = LiveSource.quick(.gpsd(host: "127.0.0.1", port: daemon.port, device: nil))
    var overTCP = LiveSource.quick(.tcp(host: "127.0.0.1", port: daemon.port))
    // On a busy machine a feed may pause within an epoch for longer than receivers do.
    source.patience.epoch = .seconds(1)
    overTCP.patience.epoch = .seconds(1)
    try await LiveRecording.of(source) { recording in
      try await LiveRecording.of(overTCP) { plain in
        try await whenWatched()
        #expect(await eventually { plain.isConnected })
        try await compare(recording, with: pipe, lines: lines, send: send)
        try await compare(recording, with: plain)
      }
    }
  }

  /// Compares what libgps and our own reader of gpsd's JSON make of the same reports.
  private func compare(_ ours: LiveRecording, with plain: LiveRecording) async throws {
    // Which satellite report belongs to an epoch is a matter of when its epoch was closed; that and
    // times of reception apart, the two must agree.
    func comparable(_ fixes: [DecodedFix]) -> [Timestamp: Fix] {
      let pairs = fixes.filter { $0.timeOrigin == .reported }.map { ($0.fix.time, $0.fix) }
      return Dictionary(pairs) { _, last in last }
    }
    let isComplete = await eventually {
      comparable(plain.fixes).count == comparable(ours.fixes).count
    }
    #expect(isComplete)
    let theirs = comparable(plain.fixes)
    for (time, one) in comparable(ours.fixes) {
      let other = try #require(theirs[time])
      #expect(one.coordinate == other.coordinate)
      #expect(one.speed == other.speed)
      #expect(one.course == other.course)
      #expect(one.altitude == other.altitude)
      #expect(one.source == other.source)
    }
  }

  private func compare(
    _ recording: LiveRecording, with pipe: ChildProgram, lines: [[UInt8]],
    send: ([UInt8]) throws -> Void
  ) async throws {
    let ready = await eventually {
      pipe.lines.contains { $0.contains(#""class":"WATCH""#) } && recording.isConnected
    }
    #expect(ready, "\(recording.events)")
    for line in lines {
      try send(line)
      try await Task.sleep(for: .milliseconds(1))
    }
    let times = Set(lines.compactMap(timeOfRMC))
    #expect(!times.isEmpty)
    let same = await eventually(within: .seconds(5)) {
      let theirs = TimedPosition.of(gpsdLines: pipe.lines)
      let ours = Set(recording.fixes.map(TimedPosition.init))
      return theirs == ours && Set(ours.map(\.timeOfDay)).isSuperset(of: times)
    }
    let theirs = TimedPosition.of(gpsdLines: pipe.lines)
    let ours = recording.fixes.map(TimedPosition.init)
    #expect(same, "missing \(theirs.subtracting(ours)), extra \(Set(ours).subtracting(theirs))")
    #expect(ours.count == Set(ours).count, "an epoch came twice")
    #expect(recording.fixes.allSatisfy { $0.timeOrigin == .reported && $0.subject != nil })
  }

  /// Seconds of the day of an RMC that has a fix.
  private func timeOfRMC(_ line: [UInt8]) -> Int? {
    let fields = String(decoding: line, as: UTF8.self).split(
      separator: ",", omittingEmptySubsequences: false)
    guard fields.count > 9, fields[0].hasSuffix("RMC"), fields[2] == "A",
      let time = Double(fields[1]).map(Int.init)
    else { return nil }
    return time / 10_000 * 3600 + time / 100 % 100 * 60 + time % 100
  }
}

extension LoopbackServer {
  /// Sends an epoch every few milliseconds until enough fixes have come.
  fileprivate func send(
    _ receiver: SampleReceiver, untilFixesOf recording: LiveRecording, reach count: Int
  ) async throws {
    let reached = await eventually {
      try? send(receiver.nextEpoch())
      return recording.fixes.count >= count
    }
    try #require(reached, "\(recording.events)")
  }
}

/// What must agree between two clients of one daemon.
private struct TimedPosition: Hashable {
  var time: Timestamp
  var latitude: Double
  var longitude: Double

  var timeOfDay: Int { Int(time.millisecondsSince1970 / 1000 % 86_400) }

  init(_ decoded: DecodedFix) {
    time = decoded.fix.time
    latitude = decoded.fix.coordinate.latitude
    longitude = decoded.fix.coordinate.longitude
  }

  private init(time: Timestamp, latitude: Double, longitude: Double) {
    self.time = time
    self.latitude = latitude
    self.longitude = longitude
  }

  /// The TPVs with time and position in what gpspipe prints, the last of each time.
  static func of(gpsdLines lines: [Substring]) -> Set<TimedPosition> {
    var last: [Timestamp: TimedPosition] = [:]
    for line in lines where line.contains(#""class":"TPV""#) {
      let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      guard let object, let mode = object["mode"] as? Int, mode > 1,
        let latitude = object["lat"] as? Double, let longitude = object["lon"] as? Double,
        let text = object["time"] as? String, let time = try? Timestamp(iso8601: text)
      else { continue }
      last[time] = TimedPosition(time: time, latitude: latitude, longitude: longitude)
    }
    return Set(last.values)
  }
}
