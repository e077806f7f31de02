import CommandLineArguments
import Geo
import Geofencing
import Glibc
import JSON
import Positioning

/// What a watch prints: a line that changes on a terminal and events below it, or NDJSON.
struct WatchOutput {
  private let asJSON: Bool
  private var json = JSONWriter()
  private var progress = ProgressLine(fileDescriptor: STDERR_FILENO)
  private let style = Diagnostics.style(of: STDOUT_FILENO)
  private var subjects: Set<SubjectID> = []

  init(asJSON: Bool) { self.asJSON = asJSON }

  /// Says something about the source; on standard error.
  mutating func status(_ text: String) {
    progress.clear()
    Diagnostics.note(text)
  }

  mutating func noFix(_ subject: SubjectID) {
    if !asJSON { progress.show("\(subject): no position") }
  }

  /// Shows a fix: where it is, what became of it, and presence at the fence at hand.
  mutating func fix(
    _ fix: Fix, of subject: SubjectID, outcome: FixOutcome, engine: PresenceEngine
  ) throws(CommandFailure) {
    let nearest = engine.fences.near(fix.coordinate, limit: 1).first
    let states = engine.presence(of: subject)?.states(in: engine.fences) ?? []
    let state = nearest.flatMap { nearest in
      states.first { $0.fence == nearest.fence.id }?.state
    }
    guard asJSON else {
      let text = line(fix, subject, outcome, nearest, state)
      progress.show(text)
      return
    }
    json.removeAll()
    json.object { json in
      json.member("subject", subject.rawValue)
      json.member("time", fix.time.description)
      json.member("lat", fix.coordinate.latitude)
      json.member("lng", fix.coordinate.longitude)
      if let accuracy = fix.accuracy { json.member("accuracyMeters", accuracy.meters) }
      if let speed = fix.speed { json.member("speedMetersPerSecond", speed.metersPerSecond) }
      if let course = fix.course { json.member("courseDegrees", course.degrees) }
      if let altitude = fix.altitude { json.member("altitudeMeters", altitude.meters) }
      if let source = fix.source { json.member("source", source.rawValue) }
      json.member("simulated", fix.isSimulated)
      json.member("outcome", outcome.rawValue)
      if let nearest {
        json.name("nearest")
        json.object { json in
          json.member("fence", nearest.fence.id.rawValue)
          json.member("presence", (state ?? .outside).rawValue)
          json.member("distanceMeters", (nearest.distance.meters * 1000).rounded() / 1000)
        }
      }
    }
    json.endLine()
    try write(json.bytes)
  }

  private func line(
    _ fix: Fix, _ subject: SubjectID, _ outcome: FixOutcome, _ nearest: FenceSet.Match?,
    _ state: SubjectPresence.State?
  ) -> String {
    var parts: [String] = []
    if let nearest {
      let toGo = Int(nearest.distanceToGo.meters.rounded())
      parts.append(
        "\(printable(nearest.fence.name)): \((state ?? .outside).rawValue), "
          + "\(Int(nearest.distance.meters.rounded())) m" + (toGo > 0 ? ", \(toGo) m to go" : ""))
    }
    parts.append(fix.accuracy.map { "±\(Int($0.meters.rounded(.up))) m" } ?? "±? m")
    if outcome != .accepted { parts.append(outcome.rawValue) }
    parts.append(LocalClock().text(fix.time, zone: nearest?.fence.timeZone))
    parts.append("\(rounded(fix.coordinate.latitude)), \(rounded(fix.coordinate.longitude))")
    return parts.joined(separator: "  ")
  }

  /// Six decimals are a tenth of a meter.
  private func rounded(_ degrees: Double) -> Double { (degrees * 1e6).rounded() / 1e6 }

  mutating func events(_ events: [FenceEvent], fences: FenceSet) throws(CommandFailure) {
    for event in events {
      if asJSON {
        json.removeAll()
        event.write(to: &json)
        json.endLine()
        try write(json.bytes)
      } else {
        progress.clear()
        subjects.insert(event.subject)
        let text = EventText(style: style, fences: fences, clock: LocalClock())
        try write(Array((text.line(event, showsSubject: subjects.count > 1) + "\n").utf8))
      }
    }
  }

  mutating func finish() throws(CommandFailure) { progress.clear() }

  /// Live output is for now: nothing is gathered.
  private func write(_ bytes: [UInt8]) throws(CommandFailure) {
    var output = StandardOutput()
    try output.write(bytes)
    try output.flush()
  }
}
