import Geo

/// Joins the devices of one employee into one arrival and one departure at each store.
///
/// The arrival is that of the first device to enter; the departure comes when the last of them has
/// left, or its presence has expired.
public struct EmployeePresence: Hashable, Sendable {
  /// What an employee's devices tell together.
  public enum Change: Hashable, Sendable {
    /// The employee came to a store; the visit is that of the first device.
    case arrived(Fence.ID, visit: VisitID)
    /// The last device left, or nobody knows any more where it is.
    case departed(Fence.ID, visit: VisitID)
  }

  private struct Stay: Hashable, Sendable {
    /// The visit that the arrival was told for.
    let visit: VisitID
    /// The visits of the devices that are there.
    var present: Set<VisitID>
  }

  private var stays: [Fence.ID: Stay] = [:]
  /// Visits that expired, by which a device may come back without a new arrival.
  private var expired: [VisitID: VisitID] = [:]

  public init() {}

  /// Takes an event of one of the employee's devices; late events tell nothing to a person.
  public mutating func receive(_ event: FenceEvent) -> Change? {
    guard let visit = event.visit, !event.isLate else { return nil }
    switch event.kind {
    case .entered:
      if stays[event.fence] != nil {
        stays[event.fence]?.present.insert(visit)
        return nil
      }
      stays[event.fence] = Stay(visit: visit, present: [visit])
      return .arrived(event.fence, visit: visit)
    case .presenceResumed:
      if stays[event.fence] != nil {
        stays[event.fence]?.present.insert(visit)
      } else {
        stays[event.fence] = Stay(visit: expired[visit] ?? visit, present: [visit])
      }
      expired[visit] = nil
      return nil
    case .exited, .presenceExpired:
      if event.kind == .exited { expired[visit] = nil }
      guard var stay = stays[event.fence], stay.present.remove(visit) != nil else { return nil }
      if event.kind == .presenceExpired { expired[visit] = stay.visit }
      stays[event.fence] = stay.present.isEmpty ? nil : stay
      return stay.present.isEmpty ? .departed(event.fence, visit: stay.visit) : nil
    case .dwelled, .passed:
      return nil
    }
  }
}
