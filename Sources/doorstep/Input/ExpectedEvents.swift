import Geo
import Geofencing
import JSON

/// The events that somebody expects of a replay, and how others differ from them.
struct ExpectedEvents {
  private let events: [ExpectedEvent]

  /// Times further apart than this are different events.
  private static let toleranceMilliseconds: Int64 = 1000

  var count: Int { events.count }

  /// Reads NDJSON, one event a line.
  init(path: String) throws(CommandFailure) {
    let data = try WholeFile.read(path)
    var parser = JSONParser()
    var events: [ExpectedEvent] = []
    for (index, line) in data.split(
      separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false
    ).enumerated() {
      if line.allSatisfy({ $0 == 32 || $0 == 13 || $0 == 9 }) { continue }
      do {
        events.append(try ExpectedEvent(parser.parse(Array(line))))
      } catch {
        throw .badInput("\(path):\(index + 1): \(error)")
      }
    }
    self.events = events
  }

  init(_ events: [ExpectedEvent]) { self.events = events }

  /// One line for each difference; empty where the events are as expected.
  ///
  /// Each expected event is met by one of its kind, fence and subject within a second. What is left
  /// over on both sides for one kind, fence and subject is told as an event of another time.
  func differences(from found: [FenceEvent]) -> [String] {
    var isMet = [Bool](repeating: false, count: found.count)
    var missing: [ExpectedEvent] = []
    // The earliest first, on both sides: so no event takes another's only partner.
    let inTime = found.indices.sorted { (found[$0].time, $0) < (found[$1].time, $1) }
    for expected in events.sorted(by: { $0.time < $1.time }) {
      let partner = inTime.first { index in
        !isMet[index] && matches(found[index], expected)
          && offset(found[index], expected) <= ExpectedEvents.toleranceMilliseconds
      }
      if let partner { isMet[partner] = true } else { missing.append(expected) }
    }
    var lines: [(time: Timestamp, text: String)] = []
    for expected in missing {
      let other = found.indices.first { !isMet[$0] && matches(found[$0], expected) }
      let name = describe(expected.kind, expected.fence, expected.subject)
      guard let other else {
        lines.append((expected.time, "- missing    \(expected.time)  \(name)"))
        continue
      }
      isMet[other] = true
      lines.append(
        (expected.time, "~ other time \(expected.time)  \(name): found at \(found[other].time)"))
    }
    for index in found.indices where !isMet[index] {
      let event = found[index]
      lines.append(
        (
          event.time,
          "+ unexpected \(event.time)  \(describe(event.kind, event.fence, event.subject))"
        ))
    }
    return lines.sorted { $0.time < $1.time }.map(\.text)
  }

  private func matches(_ event: FenceEvent, _ expected: ExpectedEvent) -> Bool {
    event.kind == expected.kind && event.fence == expected.fence
      && (expected.subject.map { $0 == event.subject } ?? true)
  }

  private func offset(_ event: FenceEvent, _ expected: ExpectedEvent) -> Int64 {
    abs(event.time.milliseconds(since: expected.time))
  }

  private func describe(_ kind: FenceEvent.Kind, _ fence: Fence.ID, _ subject: SubjectID?) -> String
  {
    "\(kind.rawValue) at \(fence)" + (subject.map { " by \($0)" } ?? "")
  }
}
