import Foundation
import Geo
import TestSupport
import Testing

@testable import Positioning

/// Our client against a real gpsd; these run alone, because each needs the time that it measures.
@Suite(.serialized) struct GPSDClientTests {
  @Test(
    .enabled(if: SharedFiles.areThere, "the recordings are not there"),
    arguments: ["quectelLC79D-1.log", "telit-pls83-w.log", "ublox-neo-m9n-nmea.log"])
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
    let lines = try #require(try sentences(ofLog: "ublox-neo-m9n-nmea.log"))
    let folder = try TemporaryFolder()
    let terminal = try PseudoTerminal(path: "\(folder.path)/gps0")
    let daemon = try await RealGPSD(devices: [terminal.path])
    try await comparison(with: daemon, lines: lines, whenWatched: {}) { try terminal.write($0) }
  }

  /// Feeds `lines` to a daemon and compares what its own client and ours see.
  private func comparison(
    with daemon: RealGPSD, lines: [[UInt8]], whenWatched: () async throws -> Void,
    send: ([UInt8]) throws -> Void
  ) async throws {
    let pipe = try ChildProgram("stdbuf", ["-oL", "gpspipe", "-w", "127.0.0.1:\(daemon.port)"])
    let source = LiveSource.quick(.gpsd(host: "127.0.0.1", port: daemon.port, device: nil))
    try await LiveRecording.of(source) { recording in
      try await whenWatched()
      let ready = try await eventually {
        pipe.lines.contains { $0.contains(#""class":"WATCH""#) } && recording.isConnected
      }
      #expect(ready, "\(recording.events)")
      for line in lines {
        try send(line)
        try await Task.sleep(for: .milliseconds(4))
      }
      let times = Set(lines.compactMap(timeOfRMC))
      #expect(!times.isEmpty)
      let same = try await eventually(within: .seconds(5)) {
        let theirs = try TimedPosition.of(gpsdLines: pipe.lines)
        let ours = Set(recording.fixes.map(TimedPosition.init))
        return theirs == ours && Set(ours.map(\.timeOfDay)).isSuperset(of: times)
      }
      let theirs = try TimedPosition.of(gpsdLines: pipe.lines)
      let ours = recording.fixes.map(TimedPosition.init)
      #expect(same, "missing \(theirs.subtracting(ours)), extra \(Set(ours).subtracting(theirs))")
      #expect(ours.count == Set(ours).count, "an epoch came twice")
      #expect(recording.fixes.allSatisfy { $0.timeOrigin == .reported && $0.subject != nil })
    }
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
  static func of(gpsdLines lines: [Substring]) throws -> Set<TimedPosition> {
    var last: [Timestamp: TimedPosition] = [:]
    for line in lines where line.contains(#""class":"TPV""#) {
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      guard let object, let mode = object["mode"] as? Int, mode > 1,
        let latitude = object["lat"] as? Double, let longitude = object["lon"] as? Double,
        let text = object["time"] as? String, let time = try? Timestamp(iso8601: text)
      else { continue }
      last[time] = TimedPosition(time: time, latitude: latitude, longitude: longitude)
    }
    return Set(last.values)
  }
}
