import Geo
import Geofencing
import JSON
import Positioning

/// What became of a batch of positions, in an answer of bounded size: counts are always whole, and
/// of lists the first thousand.
struct PositionReceipt {
  private(set) var received = 0
  private var outcomes: [FixOutcome: Int] = [:]
  private var refusedCount = 0
  private var refused: [Refusal] = []
  private var passedOverCount = 0
  private var passedOver: [(index: Int, outcome: FixOutcome)] = []
  private var eventCount = 0
  private var events: [FenceEvent] = []

  private static let longestList = 1000

  /// An item that is no fix, or not one that its sender may report.
  private struct Refusal {
    let index: Int
    let code: String
    let reason: String
    let problems: [String]
  }

  /// Takes the index of the next item.
  mutating func nextIndex() -> Int {
    defer { received += 1 }
    return received
  }

  mutating func refuse(_ index: Int, code: String, reason: String, problems: [String]) {
    refusedCount += 1
    guard refused.count < Self.longestList else { return }
    refused.append(Refusal(index: index, code: code, reason: reason, problems: problems))
  }

  mutating func take(_ receipt: EngineHost.Receipt, indices: [Int]) {
    for (index, outcome) in zip(indices, receipt.outcomes) {
      outcomes[outcome, default: 0] += 1
      if outcome == .accepted { continue }
      passedOverCount += 1
      if passedOver.count < Self.longestList { passedOver.append((index, outcome)) }
    }
    eventCount += receipt.events.count
    events += receipt.events.prefix(Self.longestList - events.count)
  }

  /// Writes the members of the answer.
  func write(to json: inout JSONWriter) {
    json.member("received", received)
    json.member("accepted", outcomes[.accepted] ?? 0)
    json.member("refusedCount", refusedCount)
    json.name("refused")
    json.array { json in
      for refusal in refused {
        json.object { json in
          json.member("index", refusal.index)
          json.member("code", refusal.code)
          json.member("reason", refusal.reason)
          json.name("problems")
          json.array { json in for problem in refusal.problems { json.value(problem) } }
        }
      }
    }
    json.member("passedOverCount", passedOverCount)
    json.name("passedOver")
    json.array { json in
      for item in passedOver {
        json.object { json in
          json.member("index", item.index)
          json.member("outcome", item.outcome.rawValue)
        }
      }
    }
    json.member("eventCount", eventCount)
    json.name("events")
    json.array { json in for event in events { event.write(to: &json) } }
  }
}
