import Geo

/// The offer to switch to the store that an employee is at: "You're at Ottawa Store. Switch to clock
/// in?"
public struct StoreSuggestion: Hashable, Sendable {
  public let store: Fence.ID
  /// The stay during which the offer stands; dismissing it holds for this visit.
  public let visit: VisitID

  /// What to suggest to an employee whose selected store is `selected`; nil where nothing is.
  ///
  /// Among the assigned stores that presence is inside of, the one with the smallest normalized
  /// distance is suggested, unless the employee is inside the selected store or has dismissed the
  /// offer for this visit.
  public static func suggest(
    to presence: SubjectPresence, at coordinate: Coordinate, selected: Fence.ID?,
    assigned: Set<Fence.ID>, dismissed: Set<VisitID>, in fences: FenceSet
  ) -> StoreSuggestion? {
    var nearest: (suggestion: StoreSuggestion, normalizedDistance: Double)?
    for tracked in presence.fences {
      guard let entry = fences.entry(at: tracked.slot), let visit = tracked.visit,
        visit.lastBeforeSilence == nil, assigned.contains(entry.fence.id)
      else { continue }
      if entry.fence.id == selected { return nil }
      let distance = entry.area.normalizedDistance(entry.area.distanceInMeters(to: coordinate))
      let suggestion = StoreSuggestion(store: entry.fence.id, visit: visit.id)
      guard let best = nearest else {
        nearest = (suggestion, distance)
        continue
      }
      if distance < best.normalizedDistance
        || (distance == best.normalizedDistance && suggestion.store < best.suggestion.store)
      {
        nearest = (suggestion, distance)
      }
    }
    guard let nearest, !dismissed.contains(nearest.suggestion.visit) else { return nil }
    return nearest.suggestion
  }
}
