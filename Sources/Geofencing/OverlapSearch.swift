import Geo

/// Pairs of fences that have places in common.
///
/// Circles are judged by the distance of their centers; with polygons, by whether an edge or a
/// corner of one is in the other. For each fence up to three are told, and the work has a limit, so
/// that heaps of fences on one place do not take forever.
struct OverlapSearch {
  private(set) var findings: [FenceFinding] = []
  private let fences: [Fence]

  private static let tellPerFence = 3
  /// Pairs whose boxes meet, and edges compared with areas; about two seconds of work.
  private static let mostWork = 10_000_000
  private var work = 0

  init(_ fences: [Fence]) {
    self.fences = fences
    let heads = headsOfHeaps()
    var items: [PackedRTree.Item] = []
    for index in heads {
      for box in fences[index].area.boxes {
        items.append(
          .init(
            minX: box.west, minY: box.south, maxX: box.east, maxY: box.north,
            payload: UInt32(index)))
      }
    }
    let tree = PackedRTree(items)
    var candidates: [UInt32] = []
    for index in heads {
      candidates.removeAll(keepingCapacity: true)
      for box in fences[index].area.boxes {
        tree.search(
          minX: box.west, minY: box.south, maxX: box.east, maxY: box.north, into: &candidates)
      }
      work += candidates.count
      tellOverlaps(of: index, candidates)
      if work > OverlapSearch.mostWork {
        findings.append(
          FenceFinding(
            .warning, .overlapsUnfinished, fences[index].id,
            "so many fences overlap that the fences after this one were not compared"))
        return
      }
    }
  }

  /// Tells circles around one and the same center, and returns the largest of each and all others.
  private mutating func headsOfHeaps() -> [Int] {
    var largest: [Coordinate: Int] = [:]
    for (index, fence) in fences.enumerated() {
      guard case .circle(let center, let radius) = fence.area else { continue }
      if let other = largest[center], case .circle(_, let most) = fences[other].area,
        most >= radius
      {
        continue
      }
      largest[center] = index
    }
    return fences.indices.filter { index in
      guard case .circle(let center, _) = fences[index].area, let head = largest[center],
        head != index
      else { return true }
      findings.append(
        FenceFinding(
          .warning, .overlap, fences[index].id, other: fences[head].id,
          "has the same center as \(fences[head].id): whoever is at one is at both"))
      return false
    }
  }

  private mutating func tellOverlaps(of index: Int, _ candidates: [UInt32]) {
    var told = 0
    var previous: UInt32?
    for other in candidates.filter({ $0 > index }).sorted() {
      // A fence of two boxes may be found twice.
      if other == previous { continue }
      previous = other
      guard let message = overlap(index, Int(other)) else { continue }
      findings.append(
        FenceFinding(
          .warning, .overlap, fences[index].id, other: fences[Int(other)].id, message))
      told += 1
      if told == OverlapSearch.tellPerFence { return }
    }
  }

  private mutating func overlap(_ index: Int, _ otherIndex: Int) -> String? {
    let other = fences[otherIndex]
    switch (fences[index].area, other.area) {
    case (.circle(let center, let radius), .circle(let otherCenter, let otherRadius)):
      let depth = radius + otherRadius - center.distance(to: otherCenter)
      guard depth > .zero else { return nil }
      return "overlaps with \(other.id) by \((depth.meters * 10).rounded() / 10) m: whoever is"
        + " there is at both; make the radii smaller if that is not meant"
    case (.circle(let center, let radius), .polygons(let area)),
      (.polygons(let area), .circle(let center, let radius)):
      work += area.cornerCount
      guard area.signedDistance(to: center) < radius else { return nil }
    case (.polygons(let area), .polygons(let otherArea)):
      work += area.cornerCount * otherArea.cornerCount
      guard area.meets(otherArea) else { return nil }
    }
    return
      "overlaps with \(other.id), or touches it: whoever is there is at both; change the shape if"
      + " that is not meant"
  }
}

extension MultiPolygon {
  fileprivate var cornerCount: Int {
    polygons.reduce(0) { sum, polygon in
      polygon.holes.reduce(sum + polygon.outer.corners.count) { $0 + $1.corners.count }
    }
  }

  /// Whether an edge of another area is in this one, or this one wholly in that.
  ///
  /// Neighbors that share an edge or a corner meet too.
  fileprivate func meets(_ other: MultiPolygon) -> Bool {
    if polygons.contains(where: { other.contains($0.outer.corners[0]) }) { return true }
    for polygon in other.polygons {
      let corners = polygon.outer.corners
      for (start, end) in zip(corners, corners.dropFirst() + corners.prefix(1))
      where crossing(from: start, to: end) != nil {
        return true
      }
    }
    return false
  }
}
