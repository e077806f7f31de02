import TestSupport
import Testing

@testable import Geo

/// Worlds of boxes that a tree could stumble over.
enum BoxWorld: CaseIterable {
  case empty, one, sixteen, seventeen, clustered, onOnePoint, onOneMeridian
  case acrossTheAntimeridian, atThePoles, ofAllSizes

  func items(using generator: inout SeededGenerator) -> [PackedRTree.Item] {
    func random(_ limit: Double) -> Double {
      Double.random(in: -limit...limit, using: &generator)
    }
    func make(_ count: Int, _ box: () -> (x: Double, y: Double, w: Double, h: Double))
      -> [PackedRTree.Item]
    {
      (0..<count).map { index in
        let (x, y, w, h) = box()
        return .init(
          minX: x - w, minY: y - h, maxX: x + w, maxY: y + h, payload: UInt32(index))
      }
    }
    switch self {
    case .empty: return []
    case .one: return make(1) { (13.4, 52.5, 0.002, 0.001) }
    case .sixteen: return make(16) { (random(1), random(1), 0.1, 0.1) }
    case .seventeen: return make(17) { (random(1), random(1), 0.1, 0.1) }
    case .clustered:
      let cities = (0..<10).map { _ in (random(170), random(80)) }
      return make(3000) {
        let city = cities.randomElement(using: &generator)!
        return (city.0 + random(0.1), city.1 + random(0.1), 0.003, 0.002)
      }
    case .onOnePoint: return make(500) { (-73.98, 40.75, 0.002, 0.002) }
    case .onOneMeridian: return make(500) { (10, random(90), 0, 0.1) }
    case .acrossTheAntimeridian:
      return make(400) {
        (Bool.random(using: &generator) ? 179.999 : -179.999, random(1), 0.001, 1)
      }
    case .atThePoles:
      return make(300) { (0, Bool.random(using: &generator) ? 89.999 : -89.999, 180, 0.001) }
    case .ofAllSizes:
      return make(2000) { (random(90), random(45), abs(random(90)), abs(random(0.01))) }
    }
  }
}

@Suite struct PackedRTreeTests {
  @Test(arguments: BoxWorld.allCases)
  func `a point finds every box that holds it and none that is not near`(_ world: BoxWorld) {
    var generator = SeededGenerator(seed: 11)
    let items = world.items(using: &generator)
    let tree = PackedRTree(items)
    #expect(tree.count == items.count)
    for _ in 0..<300 {
      let (x, y) = point(near: items, using: &generator)
      var found: [UInt32] = []
      tree.search(x: x, y: y, into: &found)
      let slack = 1.6e-5
      let surely = Set(items.filter { $0.meets(x, y, x, y) }.map(\.payload))
      let maybe = Set(
        items.filter { $0.meets(x - slack, y - slack, x + slack, y + slack) }.map(\.payload))
      #expect(Set(found).count == found.count)
      #expect(surely.isSubset(of: found))
      #expect(maybe.isSuperset(of: found))
    }
  }

  @Test(arguments: BoxWorld.allCases)
  func `a box finds every box that it meets and none that is not near`(_ world: BoxWorld) {
    var generator = SeededGenerator(seed: 12)
    let items = world.items(using: &generator)
    let tree = PackedRTree(items)
    for _ in 0..<100 {
      let (x, y) = point(near: items, using: &generator)
      let (w, h) = (
        Double.random(in: 0...3, using: &generator), Double.random(in: 0...3, using: &generator)
      )
      var found: [UInt32] = []
      tree.search(minX: x - w, minY: y - h, maxX: x + w, maxY: y + h, into: &found)
      let slack = 1.6e-5
      let surely = Set(items.filter { $0.meets(x - w, y - h, x + w, y + h) }.map(\.payload))
      let maybe = Set(
        items.filter {
          $0.meets(x - w - slack, y - h - slack, x + w + slack, y + h + slack)
        }.map(\.payload))
      #expect(surely.isSubset(of: found))
      #expect(maybe.isSuperset(of: found))
      #expect(Set(found).count == found.count)
    }
  }

  @Test(arguments: BoxWorld.allCases)
  func `corners of boxes are found by their boxes`(_ world: BoxWorld) {
    var generator = SeededGenerator(seed: 13)
    let items = world.items(using: &generator)
    let tree = PackedRTree(items)
    for item in items.prefix(200) {
      for (x, y) in [
        (item.minX, item.minY), (item.maxX, item.minY), (item.minX, item.maxY),
        (item.maxX, item.maxY),
      ] {
        var found = false
        tree.visit(x: x, y: y) { found = found || $0 == item.payload }
        #expect(found)
      }
    }
  }

  @Test(arguments: BoxWorld.allCases)
  func `nearest boxes come in the order of their distance`(_ world: BoxWorld) {
    var generator = SeededGenerator(seed: 14)
    let items = world.items(using: &generator)
    let tree = PackedRTree(items)
    for _ in 0..<20 {
      let (x, y) = point(near: items, using: &generator)
      func distance(_ minX: Double, _ minY: Double, _ maxX: Double, _ maxY: Double) -> Double {
        let dx = max(minX - x, 0, x - maxX)
        let dy = max(minY - y, 0, y - maxY)
        return dx * dx + dy * dy
      }
      var order: [Double] = []
      var measured = 0
      tree.visitNearest(
        bound: distance,
        distance: { payload in
          measured += 1
          let item = items[Int(payload)]
          return distance(item.minX, item.minY, item.maxX, item.maxY)
        },
        { payload, meters in
          order.append(meters)
          return order.count < 25
        })
      let expected = items.map { distance($0.minX, $0.minY, $0.maxX, $0.maxY) }.sorted()
      #expect(order == Array(expected.prefix(25)))
      if world == .clustered { #expect(measured < items.count / 2) }
    }
  }

  @Test(arguments: BoxWorld.allCases)
  func `every node's lanes hold what is below them`(_ world: BoxWorld) {
    var generator = SeededGenerator(seed: 15)
    let items = world.items(using: &generator)
    #expect(PackedRTree(items).invariantViolations(items).isEmpty)
  }

  @Test func `neighbors on the curve are neighbors in the plane, and each cell is visited once`() {
    // The first 4^4 places fill a square of 16 by 16 cells.
    var cells: [UInt32: (Int, Int)] = [:]
    for x in 0..<16 as Range<UInt32> {
      for y in 0..<16 as Range<UInt32> {
        cells[PackedRTree.hilbertPlace(x: x, y: y)] = (Int(x), Int(y))
      }
    }
    #expect(cells.keys.sorted() == Array(0..<256))
    for place in 1..<256 as Range<UInt32> {
      let (a, b) = (cells[place]!, cells[place - 1]!)
      #expect(abs(a.0 - b.0) + abs(a.1 - b.1) == 1)
    }
  }

  private func point(near items: [PackedRTree.Item], using generator: inout SeededGenerator)
    -> (Double, Double)
  {
    guard let item = items.randomElement(using: &generator),
      Int.random(in: 0..<4, using: &generator) > 0
    else {
      return (
        Double.random(in: -180...180, using: &generator),
        Double.random(in: -90...90, using: &generator)
      )
    }
    let (w, h) = (item.maxX - item.minX, item.maxY - item.minY)
    return (
      item.minX + Double.random(in: -0.5...1.5, using: &generator) * w,
      item.minY + Double.random(in: -0.5...1.5, using: &generator) * h
    )
  }
}

extension PackedRTree.Item {
  func meets(_ minX: Double, _ minY: Double, _ maxX: Double, _ maxY: Double) -> Bool {
    self.minX <= maxX && self.maxX >= minX && self.minY <= maxY && self.maxY >= minY
  }
}

extension PackedRTree {
  /// What is wrong with the structure; empty where nothing is.
  func invariantViolations(_ items: [Item]) -> [String] {
    var violations: [String] = []
    if payloads.sorted() != items.map(\.payload).sorted() { violations.append("payloads differ") }
    let byPayload = Dictionary(items.map { ($0.payload, $0) }) { first, _ in first }
    let ends = Array(levelStarts.dropFirst()) + [nodes.count]
    for (level, (start, end)) in zip(levelStarts, ends).enumerated() {
      let below = level + 1 < levelStarts.count ? ends[level + 1] - end : payloads.count
      if (below + 15) / 16 != end - start { violations.append("level \(level) has a wrong size") }
      for lane in 0..<(end - start) * 16 {
        let node = nodes[start + lane / 16]
        let (minX, minY) = (node.minX[lane % 16], node.minY[lane % 16])
        let (maxX, maxY) = (node.maxX[lane % 16], node.maxY[lane % 16])
        if lane >= below {
          if minX <= maxX { violations.append("lane \(lane) of level \(level) is not empty") }
        } else if level + 1 < levelStarts.count {
          let child = nodes[end + lane]
          let isTight =
            child.minX.min() == minX && child.minY.min() == minY && child.maxX.max() == maxX
            && child.maxY.max() == maxY
          if !isTight { violations.append("lane \(lane) of level \(level) does not fit") }
        } else if let item = byPayload[payloads[lane]] {
          let holds =
            Double(minX) <= item.minX && Double(minY) <= item.minY && Double(maxX) >= item.maxX
            && Double(maxY) >= item.maxY
          if !holds { violations.append("payload \(payloads[lane]) is cut") }
        }
      }
    }
    return violations
  }
}
