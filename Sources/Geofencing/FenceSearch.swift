import Geo

/// Questions about places, answered from the index.
extension FenceSet {
  /// A fence and how far a coordinate is from it.
  public struct Match: Sendable {
    public let fence: Fence
    /// To the center of a circle, or to the nearest edge of polygons, negative inside.
    public let distance: Distance
    /// 0 at a circle's center, 1 at an edge.
    public let normalizedDistance: Double
    public let isInside: Bool
    /// How far it is to the edge from outside; zero inside.
    public let distanceToGo: Distance
  }

  /// The fences that contain a coordinate, nearest first by normalized distance.
  public func containing(_ coordinate: Coordinate) -> [Match] {
    var matches: [Match] = []
    forEachContaining(coordinate) { slot, distance in
      if let match = match(slot, distanceInMeters: distance) { matches.append(match) }
    }
    return matches.sorted {
      ($0.normalizedDistance, $0.fence.id) < ($1.normalizedDistance, $1.fence.id)
    }
  }

  /// At most `limit` fences whose edge is within `reach` of a coordinate, or that contain it, the
  /// shortest way to go first, then by distance.
  ///
  /// Costs in proportion to the number of fences nearby, not of all.
  public func near(_ coordinate: Coordinate, within reach: Distance? = nil, limit: Int) -> [Match] {
    guard limit > 0 else { return [] }
    var matches: [Match] = []
    visitNearest(
      to: coordinate,
      distance: { max(0, $0.area.distanceInMeters(to: coordinate) - $0.area.radiusInMeters) }
    ) { slot, distanceToGo in
      if let reach, distanceToGo > reach.meters { return false }
      if matches.count >= limit, distanceToGo > matches[matches.count - 1].distanceToGo.meters {
        return false
      }
      if !matches.contains(where: { $0.fence.id == id(at: slot) }),
        let area = entry(at: slot)?.area,
        let match = match(slot, distanceInMeters: area.distanceInMeters(to: coordinate))
      {
        matches.append(match)
      }
      return true
    }
    return Array(
      matches.sorted {
        ($0.distanceToGo, $0.distance, $0.fence.id) < ($1.distanceToGo, $1.distance, $1.fence.id)
      }.prefix(limit))
  }

  /// `d` to the fence for which it is smallest; nil where there are no fences.
  func distanceInMetersToNearest(from coordinate: Coordinate) -> Double? {
    var nearest: Double?
    visitNearest(to: coordinate, distance: { $0.area.distanceInMeters(to: coordinate) }) {
      nearest = $1
      return false
    }
    return nearest
  }

  private func match(_ slot: Int32, distanceInMeters: Double) -> Match? {
    guard let entry = entry(at: slot) else { return nil }
    let toGo = distanceInMeters - entry.area.radiusInMeters
    return Match(
      fence: entry.fence, distance: .meters(distanceInMeters),
      normalizedDistance: entry.area.normalizedDistance(distanceInMeters), isInside: toGo <= 0,
      distanceToGo: .meters(max(0, toGo)))
  }
}
