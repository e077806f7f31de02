import Geo

/// Which events somebody wants to be told; what is nil narrows nothing, and an empty set lets
/// nothing through.
package struct EventFilter: Hashable, Sendable {
  package var fences: Set<Fence.ID>?
  package var subjects: Set<SubjectID>?
  package var kinds: Set<FenceEvent.Kind>?

  package init(
    fences: Set<Fence.ID>? = nil, subjects: Set<SubjectID>? = nil,
    kinds: Set<FenceEvent.Kind>? = nil
  ) {
    self.fences = fences
    self.subjects = subjects
    self.kinds = kinds
  }

  package func admits(_ event: FenceEvent) -> Bool {
    if let fences, !fences.contains(event.fence) { return false }
    if let subjects, !subjects.contains(event.subject) { return false }
    if let kinds, !kinds.contains(event.kind) { return false }
    return true
  }
}
