import Geo
import JSON

/// An event as one line of NDJSON, which scripts and other programs rely on.
extension FenceEvent {
  /// Writes the event as an object, with the number under which it is recorded, if it is. `interval`
  /// is there only where the event has one.
  public func write(to json: inout JSONWriter, sequence: Int? = nil) {
    json.object { json in
      if let sequence { json.member("sequence", sequence) }
      json.member("event", kind.rawValue)
      json.member("subject", subject.rawValue)
      json.member("fence", fence.rawValue)
      json.member("visit", visit?.description)
      json.member("time", time.description)
      json.member("confirmedAt", confirmedAt.description)
      json.member("rule", rule.rawValue)
      json.member("initial", isInitial)
      json.member("late", isLate)
      json.member("cause", cause?.rawValue)
      json.member("lat", coordinate?.latitude)
      json.member("lng", coordinate?.longitude)
      // A millimeter is what distances are right to.
      json.member("distanceMeters", distance.map { ($0.meters * 1000).rounded() / 1000 })
      if let interval {
        json.name("interval")
        json.array {
          $0.value(interval.start.description)
          $0.value(interval.end.description)
        }
      }
    }
  }
}

/// An event as somebody expects it: what is told of it, and nothing that is left open.
public struct ExpectedEvent: Hashable, Sendable {
  public let kind: FenceEvent.Kind
  /// Nil where any subject will do.
  public let subject: SubjectID?
  public let fence: Fence.ID
  public let time: Timestamp

  public init(kind: FenceEvent.Kind, subject: SubjectID?, fence: Fence.ID, time: Timestamp) {
    self.kind = kind
    self.subject = subject
    self.fence = fence
    self.time = time
  }

  /// What keeps an object from being an expected event.
  public enum Problem: Error, Hashable, Sendable, CustomStringConvertible {
    case notAnObject
    case missing(String)
    case unknownEvent(String)
    case badTime(String)

    public var description: String {
      switch self {
      case .notAnObject: "an event is a JSON object"
      case .missing(let name): "\"\(name)\" is missing, or no string"
      case .unknownEvent(let name):
        "\"event\" is \"\(name)\": expected one of "
          + FenceEvent.Kind.allCases.map(\.rawValue).joined(separator: ", ")
      case .badTime(let text):
        "\"time\" is \"\(text)\": expected ISO 8601 with a zone, as 2026-03-02T08:58:41Z"
      }
    }
  }

  /// Reads `event`, `fence` and `time`, which must be there, and `subject`; ignores all else.
  public init(_ json: JSONValue) throws(Problem) {
    guard json.kind == .object else { throw .notAnObject }
    guard let event = json["event"]?.string else { throw .missing("event") }
    guard let kind = FenceEvent.Kind(rawValue: event) else { throw .unknownEvent(event) }
    guard let fence = json["fence"]?.string else { throw .missing("fence") }
    guard let text = json["time"]?.string else { throw .missing("time") }
    guard let time = try? Timestamp(iso8601: text) else { throw .badTime(text) }
    self.init(
      kind: kind, subject: json["subject"]?.string.map { SubjectID($0) }, fence: Fence.ID(fence),
      time: time)
  }
}
