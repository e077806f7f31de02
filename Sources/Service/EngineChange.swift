import Geo
import Geofencing

/// A step of the engine that is not yet on the disk, and what undoes it.
struct EngineChange {
  /// What was known of each subject that is concerned; nil for one that is new.
  private(set) var before: [SubjectID: SubjectPresence?] = [:]
  private(set) var events: [FenceEvent] = []

  mutating func advance(_ engine: inout PresenceEngine, to time: Timestamp) {
    var raised: [FenceEvent] = []
    engine.advance(to: time, events: &raised) { remember($0, $1) }
    events += raised
  }

  mutating func replaceFences(
    of engine: inout PresenceEngine, by fences: [Fence], revision: Int, at time: Timestamp
  ) throws(FenceSet.DuplicateID) {
    var raised: [FenceEvent] = []
    try engine.replaceFences(by: fences, at: time, revision: revision, events: &raised) {
      remember($0, $1)
    }
    events += raised
  }

  /// Judges fixes in order; those of one subject and time that stand together are judged together.
  mutating func receive(
    _ fixes: [SubjectFix], at time: Timestamp, engine: inout PresenceEngine
  ) -> EngineHost.Receipt {
    var raised: [FenceEvent] = []
    var outcomes: [FixOutcome] = []
    outcomes.reserveCapacity(fixes.count)
    var index = 0
    while index < fixes.count {
      let subject = fixes[index].subject
      guard let first = plausible(fixes[index].fix, at: time, engine.settings) else {
        outcomes.append(.fixFromFuture)
        index += 1
        continue
      }
      var together = [first]
      index += 1
      while index < fixes.count, fixes[index].subject == subject,
        let next = plausible(fixes[index].fix, at: time, engine.settings), next.time == first.time
      {
        together.append(next)
        index += 1
      }
      remember(subject, engine.presence(of: subject))
      outcomes += engine.receive(together: together, from: subject, events: &raised)
    }
    events += raised
    return EngineHost.Receipt(outcomes: outcomes, events: raised)
  }

  /// Tells what late fixes make of the past, which changes nothing of the present.
  mutating func settle(_ engine: inout PresenceEngine) {
    var raised: [FenceEvent] = []
    engine.settle(events: &raised)
    for event in raised { remember(event.subject, engine.presence(of: event.subject)) }
    events += raised
  }

  func undo(_ engine: inout PresenceEngine) {
    for (subject, presence) in before { engine.restore(presence, of: subject) }
  }

  private mutating func remember(_ subject: SubjectID, _ presence: SubjectPresence?) {
    if before[subject] == nil { before.updateValue(presence, forKey: subject) }
  }

  private func plausible(
    _ fix: Fix, at time: Timestamp, _ settings: EngineSettings
  ) -> Fix? {
    switch ClockRepair.judge(fix, now: time, settings: settings) {
    case .fromFuture: nil
    case .plausible(let fix), .weekRollover(let fix): fix
    }
  }
}
