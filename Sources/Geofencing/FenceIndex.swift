import Geo

/// Finds the fences whose boxes hold a coordinate, or lie near one.
struct FenceIndex: Sendable {
  private let tree: PackedRTree

  init(_ entries: [FenceSet.Entry?]) {
    var items: [PackedRTree.Item] = []
    items.reserveCapacity(entries.count)
    for (slot, entry) in entries.enumerated() {
      guard let entry else { continue }
      for box in entry.fence.area.boxes {
        items.append(PackedRTree.Item(box, payload: UInt32(slot)))
      }
    }
    tree = PackedRTree(items)
  }

  /// Calls `body` with each slot whose box holds `coordinate`. A fence whose boxes meet there may
  /// come more than once.
  func forEachCandidate(at coordinate: Coordinate, _ body: (Int32) -> Void) {
    tree.visit(x: coordinate.longitude, y: coordinate.latitude) { body(Int32($0)) }
  }

  /// Calls `body` with each slot whose box meets the box around two coordinates at most half the
  /// Earth apart. A fence may come more than once.
  func forEachCandidate(
    between start: Coordinate, and end: Coordinate, _ body: (Int32) -> Void
  ) {
    let south = min(start.latitude, end.latitude)
    let north = max(start.latitude, end.latitude)
    let west = min(start.longitude, end.longitude)
    let east = max(start.longitude, end.longitude)
    func visit(from west: Double, to east: Double) {
      tree.visit(minX: west, minY: south, maxX: east, maxY: north) { body(Int32($0)) }
    }
    if east - west <= 180 {
      visit(from: west, to: east)
    } else {
      visit(from: -180, to: west)
      visit(from: east, to: 180)
    }
  }

  /// Calls `body` with slots in the order of a distance that `distance` measures, smallest first,
  /// until it says false. A fence of several boxes comes once for each.
  ///
  /// No distance may be smaller than that to the fence's box, except where the box holds the
  /// coordinate.
  func visitNearest(
    to coordinate: Coordinate, distance: (Int32) -> Double,
    _ body: (_ slot: Int32, _ distanceInMeters: Double) -> Bool
  ) {
    tree.visitNearest(
      bound: { west, south, east, north in
        let box = Box(south: south, west: west, north: north, east: east)
        let bound = box.lowerBound(ofDistanceFrom: coordinate).meters
        return bound > 0 ? bound : -.infinity
      },
      distance: { distance(Int32($0)) },
      { body(Int32($0), $1) })
  }
}

extension PackedRTree.Item {
  init(_ box: Box, payload: UInt32) {
    self.init(
      minX: box.west, minY: box.south, maxX: box.east, maxY: box.north, payload: payload)
  }
}
