import Geo
import JSON

/// A subject's presence as bytes that can be saved and, after a restart, put back.
///
/// The form is JSON of version 1: fences by id, since slots are of one engine only.
extension PresenceEngine {
  /// What must be saved of a subject to go on after a restart as if there had been none; nil where
  /// it was never seen.
  public func snapshot(of subject: SubjectID) -> [UInt8]? {
    guard let presence = presence(of: subject) else { return nil }
    var json = JSONWriter()
    json.object { json in
      json.member("version", 1)
      json.member("fenceRevision", presence.judgedRevision)
      if let fix = presence.lastCounted {
        json.name("lastCounted")
        write(fix, to: &json)
      }
      if let fix = presence.lastAccepted {
        json.name("lastAccepted")
        write(fix, to: &json)
      }
      if let fix = presence.held {
        json.name("held")
        write(SubjectPresence.CountedFix(fix), to: &json)
      }
      json.name("fences")
      json.array { json in
        for tracked in presence.fences { write(tracked, to: &json) }
      }
    }
    return json.bytes
  }

  private func write(_ fix: SubjectPresence.CountedFix, to json: inout JSONWriter) {
    json.object { json in
      json.member("time", Int(fix.time.millisecondsSince1970))
      json.member("lat", fix.coordinate.latitude)
      json.member("lng", fix.coordinate.longitude)
      if let accuracy = fix.accuracy { json.member("accuracyMeters", accuracy.meters) }
    }
  }

  private func write(_ evidence: Evidence, to json: inout JSONWriter) {
    json.object { json in
      json.member("time", Int(evidence.time.millisecondsSince1970))
      json.member("lat", evidence.coordinate.latitude)
      json.member("lng", evidence.coordinate.longitude)
      json.member("distanceMeters", evidence.distanceInMeters)
    }
  }

  private func write(_ tracked: FencePresence, to json: inout JSONWriter) {
    json.object { json in
      json.member("fence", fences.id(at: tracked.slot).rawValue)
      if let first = tracked.entryRun {
        json.name("entryRun")
        write(first, to: &json)
      }
      guard let visit = tracked.visit else { return }
      json.member("visit", visit.id.description)
      json.member("entry", Int(visit.entry.millisecondsSince1970))
      json.member("hasDwelled", visit.hasDwelled)
      if let silence = visit.lastBeforeSilence {
        json.member("lastBeforeSilence", Int(silence.millisecondsSince1970))
      }
      if let run = visit.exitRun {
        json.name("exitRunFirst")
        write(run.first, to: &json)
        json.member("exitRunLast", Int(run.last.millisecondsSince1970))
        json.member("exitRunCountedFixes", run.countedFixes)
      }
    }
  }
}

/// Why saved bytes are no presence.
public enum SnapshotProblem: Error, Equatable, Sendable, CustomStringConvertible {
  case notJSON(JSONSyntaxError)
  /// Written by another version of the program.
  case unknownVersion
  case missing(String)

  public var description: String {
    switch self {
    case .notJSON(let error): "the saved presence is damaged: \(error)"
    case .unknownVersion:
      "the saved presence was written by a newer version of the program: use that version"
    case .missing(let name): "the saved presence is damaged: \"\(name)\" is missing or wrong"
    }
  }
}

extension PresenceEngine {
  /// Puts back a subject's saved presence; a fence that is no more is found removed at the next fix.
  public mutating func restore(
    _ snapshot: [UInt8], of subject: SubjectID
  ) throws(SnapshotProblem) {
    let json: JSONValue
    do {
      var parser = JSONParser()
      json = try parser.parse(snapshot)
    } catch {
      throw .notJSON(error)
    }
    guard json["version"]?.int64 == 1 else { throw .unknownVersion }
    var presence = SubjectPresence()
    presence.judgedRevision = json["fenceRevision"]?.int64.map { Int($0) } ?? fences.revision
    presence.lastCounted = try json["lastCounted"].map { json throws(SnapshotProblem) in
      try countedFix(json)
    }
    presence.lastAccepted = try json["lastAccepted"].map { json throws(SnapshotProblem) in
      try countedFix(json)
    }
    if let held = json["held"] {
      let fix = try countedFix(held)
      presence.held = Fix(coordinate: fix.coordinate, time: fix.time, accuracy: fix.accuracy)
    }
    guard let fences = json["fences"], fences.kind == .array else { throw .missing("fences") }
    for tracked in fences.elements {
      presence.fences.append(try fencePresence(tracked))
    }
    restore(presence, of: subject)
  }

  private func time(_ name: StaticString, of json: JSONValue) throws(SnapshotProblem) -> Timestamp {
    guard let milliseconds = json[name]?.int64 else { throw .missing("\(name)") }
    return Timestamp(millisecondsSince1970: milliseconds)
  }

  private func coordinate(_ json: JSONValue) throws(SnapshotProblem) -> Coordinate {
    guard let latitude = json["lat"]?.double, let longitude = json["lng"]?.double,
      let coordinate = Coordinate(latitude: latitude, longitude: longitude)
    else { throw .missing("lat, lng") }
    return coordinate
  }

  private func countedFix(_ json: JSONValue) throws(SnapshotProblem) -> SubjectPresence.CountedFix {
    SubjectPresence.CountedFix(
      coordinate: try coordinate(json), time: try time("time", of: json),
      accuracy: json["accuracyMeters"]?.double.map { .meters($0) })
  }

  private func evidence(_ json: JSONValue) throws(SnapshotProblem) -> Evidence {
    guard let distance = json["distanceMeters"]?.double else { throw .missing("distanceMeters") }
    return Evidence(
      time: try time("time", of: json), coordinate: try coordinate(json),
      distanceInMeters: distance)
  }

  private mutating func fencePresence(
    _ json: JSONValue
  ) throws(SnapshotProblem) -> FencePresence {
    guard let id = json["fence"]?.string else { throw .missing("fence") }
    var tracked = FencePresence(slot: slotReserved(for: Fence.ID(id)), visit: nil, entryRun: nil)
    if let run = json["entryRun"] { tracked.entryRun = try evidence(run) }
    guard let text = json["visit"]?.string else { return tracked }
    guard let visitID = VisitID(text) else { throw .missing("visit") }
    var visit = Visit(id: visitID, entry: try time("entry", of: json))
    visit.hasDwelled = json["hasDwelled"]?.bool ?? false
    if json["lastBeforeSilence"] != nil {
      visit.lastBeforeSilence = try time("lastBeforeSilence", of: json)
    }
    if let first = json["exitRunFirst"] {
      guard let count = json["exitRunCountedFixes"]?.int64 else {
        throw .missing("exitRunCountedFixes")
      }
      visit.exitRun = ExitRun(
        first: try evidence(first), last: try time("exitRunLast", of: json),
        countedFixes: Int(count))
    }
    tracked.visit = visit
    return tracked
  }
}
