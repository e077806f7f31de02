// Which boxes hold a point, among millions: a packed Hilbert R-tree (I. Kamel and C. Faloutsos, "On
// packing R-trees", CIKM 1993).
//
// Boxes are sorted by the place of their centers on a Hilbert curve, which visits a plane so that
// what is near on the curve is near in the plane. Sixteen neighbors in that order make a node, and
// sixteen nodes a node of the level above, up to one root. Nothing is ever inserted: a tree is built
// in one pass, asked, and replaced.
//
//     nodes   | root | level 1 ... | ... | leaves, in the order of the curve |
//     lane j of node k of a level  ->  node 16 k + j of the next, or entry 16 k + j of payloads
//
// So a child needs no pointer. A node is four vectors of sixteen numbers (west edges, south edges,
// east edges, north edges: four cache lines), compared with a point in a few instructions; lanes
// without a child hold an empty box. Numbers are single floats. Rounding to a float keeps the order
// of numbers, so a point that is in a box is never missed; one that is just beside it may be told,
// so answers are candidates.

/// Immutable boxes of a plane that are found by point, by box, or nearest first.
public struct PackedRTree: Sendable {
  /// A box, edges included, and whatever number its owner knows it by.
  public struct Item: Hashable, Sendable {
    public var minX: Double
    public var minY: Double
    public var maxX: Double
    public var maxY: Double
    public var payload: UInt32

    public init(minX: Double, minY: Double, maxX: Double, maxY: Double, payload: UInt32) {
      self.minX = minX
      self.minY = minY
      self.maxX = maxX
      self.maxY = maxY
      self.payload = payload
    }
  }

  struct Node: Sendable {
    var minX = SIMD16<Float>(repeating: .infinity)
    var minY = SIMD16<Float>(repeating: .infinity)
    var maxX = SIMD16<Float>(repeating: -.infinity)
    var maxY = SIMD16<Float>(repeating: -.infinity)
  }

  private(set) var nodes: [Node] = []
  private(set) var payloads: [UInt32] = []
  /// Where each level begins in `nodes`, from the root to the leaves.
  private(set) var levelStarts: [Int] = []

  /// The number of boxes.
  public var count: Int { payloads.count }

  /// The memory that the tree takes, in bytes.
  public var byteCount: Int {
    nodes.count * MemoryLayout<Node>.stride + payloads.count * MemoryLayout<UInt32>.stride
  }

  /// Packs boxes, whose numbers must be finite and whose minima must not exceed their maxima.
  ///
  /// Linear in their number: about 0.2 s for a million.
  public init(_ items: [Item]) {
    guard !items.isEmpty else { return }
    let order = PackedRTree.hilbertOrder(of: items)
    var sizes = [(items.count + 15) / 16]
    while let last = sizes.last, last > 1 { sizes.append((last + 15) / 16) }
    sizes.reverse()
    var start = 0
    for size in sizes {
      levelStarts.append(start)
      start += size
    }
    nodes = Array(repeating: Node(), count: start)
    payloads = order.map { items[Int($0)].payload }
    let leafStart = levelStarts[levelStarts.count - 1]
    for leaf in 0..<start - leafStart {
      var node = Node()
      for lane in 0..<min(16, items.count - leaf * 16) {
        let item = items[Int(order[leaf * 16 + lane])]
        node.minX[lane] = Float(item.minX).notAbove(item.minX)
        node.minY[lane] = Float(item.minY).notAbove(item.minY)
        node.maxX[lane] = -Float(-item.maxX).notAbove(-item.maxX)
        node.maxY[lane] = -Float(-item.maxY).notAbove(-item.maxY)
      }
      nodes[leafStart + leaf] = node
    }
    for level in stride(from: sizes.count - 1, to: 0, by: -1) {
      for index in 0..<sizes[level] {
        let child = nodes[levelStarts[level] + index]
        let parent = levelStarts[level - 1] + index / 16
        nodes[parent].minX[index % 16] = child.minX.min()
        nodes[parent].minY[index % 16] = child.minY.min()
        nodes[parent].maxX[index % 16] = child.maxX.max()
        nodes[parent].maxY[index % 16] = child.maxY.max()
      }
    }
  }

  /// Tells the payload of every box that holds a point, in no particular order.
  ///
  /// Allocates nothing. A box that misses the point by no more than a float's rounding (1.6e-5 at
  /// 180) may be told too.
  public func visit(x: Double, y: Double, _ body: (UInt32) -> Void) {
    visit(minX: x, minY: y, maxX: x, maxY: y, body)
  }

  /// Tells the payload of every box that meets a box, in no particular order.
  public func visit(
    minX: Double, minY: Double, maxX: Double, maxY: Double, _ body: (UInt32) -> Void
  ) {
    guard !payloads.isEmpty else { return }
    let minX = SIMD16(repeating: Float(minX))
    let minY = SIMD16(repeating: Float(minY))
    let maxX = SIMD16(repeating: Float(maxX))
    let maxY = SIMD16(repeating: Float(maxY))
    let leafLevel = levelStarts.count - 1
    nodes.withUnsafeBufferPointer { nodes in
      // A path from the root leaves at most fifteen siblings behind at each level.
      withUnsafeTemporaryAllocation(of: Place.self, capacity: 16 * levelStarts.count) { stack in
        stack.initializeElement(at: 0, to: Place(level: 0, index: 0))
        var depth = 1
        while depth > 0 {
          depth -= 1
          let place = stack[depth]
          let node = nodes[levelStarts[Int(place.level)] + Int(place.index)]
          let meets =
            (node.minX .<= maxX) .& (node.maxX .>= minX) .& (node.minY .<= maxY)
            .& (node.maxY .>= minY)
          var lanes = laneBits.replacing(with: 0, where: .!meets).wrappedSum()
          while lanes != 0 {
            let child = place.index * 16 + UInt32(truncatingIfNeeded: lanes.trailingZeroBitCount)
            lanes &= lanes &- 1
            if Int(place.level) == leafLevel {
              body(payloads[Int(child)])
            } else {
              stack.initializeElement(at: depth, to: Place(level: place.level + 1, index: child))
              depth += 1
            }
          }
        }
      }
    }
  }

  /// Appends the payloads of the boxes that hold a point.
  public func search(x: Double, y: Double, into payloads: inout [UInt32]) {
    visit(x: x, y: y) { payloads.append($0) }
  }

  /// Appends the payloads of the boxes that meet a box.
  public func search(
    minX: Double, minY: Double, maxX: Double, maxY: Double, into payloads: inout [UInt32]
  ) {
    visit(minX: minX, minY: minY, maxX: maxX, maxY: maxY) { payloads.append($0) }
  }

  /// Tells boxes in the order of a distance, nearest first, until `body` says false.
  ///
  /// - Parameters:
  ///   - bound: A distance that nothing in a box (minX, minY, maxX, maxY) is nearer than; the box
  ///     may be a float's rounding larger than what was given.
  ///   - distance: The distance of the item of a payload; asked once for each that may be near.
  ///   - body: Receives a payload and its distance; false ends the visit.
  public func visitNearest(
    bound: (Double, Double, Double, Double) -> Double, distance: (UInt32) -> Double,
    _ body: (UInt32, Double) -> Bool
  ) {
    guard !payloads.isEmpty else { return }
    var queue = BestFirstQueue()
    queue.insert(.init(key: 0, level: 0, index: 0))
    while let next = queue.removeFirst() {
      guard next.level <= levelStarts.count else {
        guard body(next.index, next.key) else { return }
        continue
      }
      if next.level == levelStarts.count {
        let payload = payloads[Int(next.index)]
        queue.insert(
          .init(key: distance(payload), level: next.level + 1, index: payload))
        continue
      }
      let node = nodes[levelStarts[next.level] + Int(next.index)]
      for lane in 0..<16 where node.minX[lane] <= node.maxX[lane] {
        let key = bound(
          Double(node.minX[lane]), Double(node.minY[lane]), Double(node.maxX[lane]),
          Double(node.maxY[lane]))
        queue.insert(
          .init(key: key, level: next.level + 1, index: next.index * 16 + UInt32(lane)))
      }
    }
  }
}

private struct Place {
  let level: UInt32
  let index: UInt32
}

private let laneBits = SIMD16<UInt32>(
  1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768)

extension Float {
  /// This rounding of a number, or the float below where it is above it.
  fileprivate func notAbove(_ value: Double) -> Float { Double(self) > value ? nextDown : self }
}

extension PackedRTree {
  /// The indices of the items in the order of their centers on the curve.
  private static func hilbertOrder(of items: [Item]) -> [UInt32] {
    var minX = Double.infinity
    var minY = Double.infinity
    var maxX = -Double.infinity
    var maxY = -Double.infinity
    for item in items {
      minX = min(minX, item.minX)
      minY = min(minY, item.minY)
      maxX = max(maxX, item.maxX)
      maxY = max(maxY, item.maxY)
    }
    // Where all have one x or y the curve is a line.
    let scaleX = maxX > minX ? 65_535 / (maxX - minX) : 0
    let scaleY = maxY > minY ? 65_535 / (maxY - minY) : 0
    let keys = items.enumerated().map { index, item in
      let x = UInt32(((item.minX + item.maxX) / 2 - minX) * scaleX)
      let y = UInt32(((item.minY + item.maxY) / 2 - minY) * scaleY)
      return UInt64(hilbertPlace(x: x, y: y)) << 32 | UInt64(index)
    }
    return sortedByHighHalf(keys).map { UInt32(truncatingIfNeeded: $0) }
  }

  /// How far along a Hilbert curve through 65536 by 65536 cells a cell is.
  ///
  /// Quadrant by quadrant from the largest (J. Skilling, "Programming the Hilbert curve", AIP Conf.
  /// Proc. 707, 2004, treats the general case): each adds its rank, then is turned so that the next
  /// smaller curve has the standard position.
  static func hilbertPlace(x: UInt32, y: UInt32) -> UInt32 {
    var x = x
    var y = y
    var place: UInt32 = 0
    for bit in stride(from: 15, through: 0, by: -1) {
      let right = x >> UInt32(bit) & 1
      let upper = y >> UInt32(bit) & 1
      place = place << 2 | (3 * right) ^ upper
      if upper == 0 {
        if right == 1 {
          x = ~x
          y = ~y
        }
        swap(&x, &y)
      }
    }
    return place
  }

  /// Radix sort by the upper 32 bits, eleven at a time.
  private static func sortedByHighHalf(_ keys: [UInt64]) -> [UInt64] {
    var keys = keys
    var sorted = keys
    for shift in [32, 43, 54] as [UInt64] {
      var starts = [Int](repeating: 0, count: 2049)
      for key in keys { starts[Int(key >> shift & 2047) + 1] += 1 }
      for digit in 1...2048 { starts[digit] += starts[digit - 1] }
      for key in keys {
        let digit = Int(key >> shift & 2047)
        sorted[starts[digit]] = key
        starts[digit] += 1
      }
      swap(&keys, &sorted)
    }
    return keys
  }
}

/// A binary heap of places by their distance.
private struct BestFirstQueue {
  struct Element {
    let key: Double
    /// The level of a node; the number of levels for an item not measured, one more for a payload.
    let level: Int
    let index: UInt32
  }

  private var elements: [Element] = []

  mutating func insert(_ element: Element) {
    elements.append(element)
    var index = elements.count - 1
    while index > 0, elements[index].key < elements[(index - 1) / 2].key {
      elements.swapAt(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  mutating func removeFirst() -> Element? {
    guard let first = elements.first else { return nil }
    let last = elements.removeLast()
    guard !elements.isEmpty else { return first }
    elements[0] = last
    var index = 0
    while true {
      var smallest = index
      for child in [2 * index + 1, 2 * index + 2] where child < elements.count {
        if elements[child].key < elements[smallest].key { smallest = child }
      }
      if smallest == index { return first }
      elements.swapAt(index, smallest)
      index = smallest
    }
  }
}
