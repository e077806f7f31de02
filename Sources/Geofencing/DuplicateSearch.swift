import Geo

/// Fences that are there twice.
struct DuplicateSearch {
  private(set) var findings: [FenceFinding] = []

  private struct Place: Hashable {
    let area: Fence.Area
    let name: String
  }

  init(_ fences: [Fence]) {
    var ids: Set<Fence.ID> = []
    var places: [Place: Fence.ID] = [:]
    for fence in fences {
      if !ids.insert(fence.id).inserted {
        findings.append(
          FenceFinding(
            .error, .duplicateID, fence.id, "there is another fence of this id; give it its own"))
      }
      let place = Place(
        area: .polygonsOrCenter(of: fence.area), name: fence.name.lowercased())
      if let first = places[place] {
        findings.append(
          FenceFinding(
            .warning, .duplicatePlace, fence.id, other: first,
            "has the place and the name of \(first); remove one of them"))
      } else {
        places[place] = fence.id
      }
    }
  }
}

extension Fence.Area {
  /// The same area for circles of any radius around places that are some meters from each other.
  fileprivate static func polygonsOrCenter(of area: Fence.Area) -> Fence.Area {
    guard case .circle(let center, _) = area else { return area }
    func rounded(_ degrees: Double) -> Double { (degrees * 1e4).rounded() / 1e4 }
    let place = Coordinate(
      latitude: rounded(center.latitude), longitude: rounded(center.longitude))
    return .circle(center: place ?? center, radius: .zero)
  }
}
