import Geo

/// Puts the events of one moment in the order in which they are told: what ends before what begins,
/// and among what begins the nearest fence first.
struct EventOrder {
  private struct Ranked {
    let rank: Int
    let normalizedDistance: Double
    let fence: Fence.ID
    let event: FenceEvent
  }

  private var ranked: [Ranked] = []

  /// Adds an event; `normalizedDistance` orders fences of one rank, and counts for nothing where
  /// visits end.
  mutating func add(
    _ kind: FenceEvent.Kind, fence: Fence.ID, normalizedDistance: Double = 0,
    beforeItsExit: Bool = false, _ event: FenceEvent
  ) {
    let rank =
      switch kind {
      case .presenceExpired, .exited: 0
      case .presenceResumed: 1
      case .entered: 2
      case .dwelled: beforeItsExit ? 0 : 3
      case .passed: 4
      }
    ranked.append(
      Ranked(rank: rank, normalizedDistance: normalizedDistance, fence: fence, event: event))
  }

  /// Appends the events in order; those that are alike stay in the order in which they were added.
  func append(to events: inout [FenceEvent]) {
    if ranked.count > 1 {
      let order = ranked.indices.sorted { a, b in
        let (left, right) = (ranked[a], ranked[b])
        if left.rank != right.rank { return left.rank < right.rank }
        if left.normalizedDistance != right.normalizedDistance {
          return left.normalizedDistance < right.normalizedDistance
        }
        if left.fence != right.fence { return left.fence < right.fence }
        return a < b
      }
      for index in order { events.append(ranked[index].event) }
    } else if let only = ranked.first {
      events.append(only.event)
    }
  }
}
