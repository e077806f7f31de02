import Geo
import Geofencing
import Persistence

/// What an app asks the clock of a store, with all that the answer depends on beside the database.
struct ClockQuestion: Sendable {
  let position: ReportedPosition
  let fences: EngineHost.CurrentFences
  /// What is known of the caller's own subject; nil where it never reported.
  let presence: SubjectPresence?

  /// The subject that a user's devices report as.
  static func subject(ofUser id: Int) -> SubjectID { SubjectID("user-\(id)") }

  func circumstances(now: Timestamp) -> Eligibility.Circumstances {
    .init(now: now, sentAt: position.sentAt, lastCounted: presence?.lastCounted)
  }

  /// Another of the assigned stores that the caller is at; nil where they are at the selected one,
  /// or at none.
  func suggestion(
    insteadOf selected: Fence.ID, among assigned: Set<Fence.ID>
  ) -> (store: Fence.ID, visit: VisitID?)? {
    guard case .fix(let fix) = position.report else { return nil }
    let here = fences.set.containing(fix.coordinate).map(\.fence.id)
    if here.contains(selected) { return nil }
    if let presence,
      let found = StoreSuggestion.suggest(
        to: presence, at: fix.coordinate, selected: selected, assigned: assigned, dismissed: [],
        in: fences.set)
    {
      return (found.store, found.visit)
    }
    return here.first { assigned.contains($0) }.map { ($0, nil) }
  }
}
