import Geo
import Geofencing

extension ReferenceModel {
  /// The events of a whole history, and the outcome of each fix.
  static func replay(
    _ history: RandomHistory
  ) -> (model: ReferenceModel, events: [FenceEvent], outcomes: [String]) {
    var model = ReferenceModel(fences: history.fences)
    var events: [FenceEvent] = []
    var outcomes: [String] = []
    for step in history.steps {
      switch step {
      case .fixes(let subject, let fixes):
        let answer = model.receive(fixes, from: subject)
        outcomes += answer.outcomes
        events += answer.events
      case .edit(let fences, let now):
        events += model.advance(to: now)
        events += model.setFences(fences, at: now)
      case .handOver(let subject, let now):
        events += model.advance(to: now)
        events += model.handOver(subject, at: now)
      case .advance(let now):
        events += model.advance(to: now)
      }
    }
    return (model, events, outcomes)
  }
}
