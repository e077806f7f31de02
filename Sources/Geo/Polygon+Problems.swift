extension Ring {
  /// What is wrong with a ring; only the first makes it impossible.
  ///
  /// Edge `n` goes from corner `n` to the next; corners count from 0.
  public enum Problem: Error, Hashable, Sendable {
    case tooFewCorners(found: Int)
    /// A corner equal to the one before it.
    case repeatedCorner(index: Int)
    /// Two edges that are not neighbors meet, or two neighbors lie on each other.
    case selfIntersection(edge: Int, other: Int)
    /// All corners are on one line.
    case zeroArea
  }

  /// What a person who drew the ring should look at; empty where it is simple.
  ///
  /// Tells at most one self-intersection of each edge.
  public var problems: [Problem] {
    var problems: [Problem] = []
    for index in corners.indices.dropFirst() where corners[index] == corners[index - 1] {
      problems.append(.repeatedCorner(index: index))
    }
    if outline.isFlat { return problems + [.zeroArea] }
    return problems
      + outline.selfIntersections().map { .selfIntersection(edge: $0.edge, other: $0.other) }
  }
}

extension Ring.Problem: CustomStringConvertible {
  public var description: String {
    switch self {
    case .tooFewCorners(let found):
      "a ring needs at least 3 distinct corners, this one has \(found)"
    case .repeatedCorner(let index):
      "corner \(index) repeats the corner before it; remove one of them"
    case .selfIntersection(let edge, let other):
      "edge \(edge) meets edge \(other); draw the ring so that it does not cross or touch itself"
    case .zeroArea:
      "all corners are on one line; draw the ring around an area"
    }
  }
}

extension Polygon {
  /// What is wrong with a polygon; holes count from 0.
  public enum Problem: Error, Hashable, Sendable {
    case outer(Ring.Problem)
    case hole(index: Int, Ring.Problem)
    /// A hole of which a part is outside the outer ring.
    case holeOutside(index: Int)
  }

  /// What a person who drew the polygon should look at; empty where it is sound.
  public var problems: [Problem] {
    var problems = outer.problems.map(Problem.outer)
    for (index, hole) in holes.enumerated() {
      problems += hole.problems.map { .hole(index: index, $0) }
      if !outer.encloses(hole) { problems.append(.holeOutside(index: index)) }
    }
    return problems
  }
}

extension Polygon.Problem: CustomStringConvertible {
  public var description: String {
    switch self {
    case .outer(let problem): "outer ring: \(problem)"
    case .hole(let index, let problem): "hole \(index): \(problem)"
    case .holeOutside(let index):
      "hole \(index) is not within the outer ring; move it inside or make it a polygon"
    }
  }
}

extension Ring {
  /// Whether no corner of another ring, and no point between its crossings with this one, is outside.
  fileprivate func encloses(_ other: Ring) -> Bool {
    for (index, corner) in other.corners.enumerated() {
      if side(of: corner) == .outside { return false }
      // Between two meetings with this ring an edge stays on one side, its middle tells which.
      let next = other.corners[(index + 1) % other.corners.count]
      var meetings = [0.0, 1.0]
      outline.visitMeetings(with: StraightWay(from: corner, to: next)) { meetings.append($0) }
      meetings.sort()
      for (start, end) in zip(meetings, meetings.dropFirst()) where end - start > 1e-9 {
        let middle = corner.interpolated(to: next, fraction: (start + end) / 2)
        if side(of: middle) == .outside { return false }
      }
    }
    return true
  }
}

extension RingOutline {
  /// Whether all corners are on one line of the endless plane.
  fileprivate var isFlat: Bool {
    guard pole == nil else { return false }
    let points = longitudes.indices.map(corner)
    let start = points[0]
    func extent(_ point: PlanePoint) -> Double { abs(point.x - start.x) + abs(point.y - start.y) }
    guard let end = points.max(by: { extent($0) < extent($1) }) else { return true }
    return points.allSatisfy { abs(start.turn(end, $0)) <= 3e-14 * extent(end) }
  }

  private func corner(_ index: Int) -> PlanePoint {
    PlanePoint(x: longitudes[index], y: latitudes[index])
  }

  /// Pairs of edges that should not meet and do.
  fileprivate func selfIntersections() -> [(edge: Int, other: Int)] {
    // A repeated corner is told as such, and its neighbors are neighbors.
    let names = (0..<longitudes.count - 1).filter { corner($0) != corner($0 + 1) }
    let edges = names.map { PlaneEdge(start: corner($0), end: corner($0 + 1)) }
    let tree = PackedRTree(
      edges.enumerated().map { index, edge in
        .init(
          minX: edge.minX, minY: edge.minY, maxX: edge.maxX, maxY: edge.maxY,
          payload: UInt32(index))
      })
    // Edges meet others also where those are a turn away in the endless plane.
    let reach = Int(((east - west) / 360).rounded(.down))
    let turnsOfRing = Int(((longitudes[longitudes.count - 1] - longitudes[0]) / 360).rounded())
    var found: [(edge: Int, other: Int)] = []
    for index in edges.indices {
      var first = Int.max
      for turns in -reach...reach {
        let edge = edges[index].shifted(by: 360 * Double(turns))
        tree.visit(minX: edge.minX, minY: edge.minY, maxX: edge.maxX, maxY: edge.maxY) { payload in
          let other = Int(payload)
          guard other > index, other < first else { return }
          let follows = other == index + 1 && turns == 0
          let precedes = index == 0 && other == edges.count - 1 && turns == turnsOfRing
          if edge.meets(edges[other], mayShareCorner: follows || precedes) { first = other }
        }
      }
      if first < .max { found.append((names[index], names[first])) }
    }
    return found
  }
}

private struct PlanePoint: Equatable {
  let x: Double
  let y: Double

  /// Twice the area of the triangle with two other points, positive counterclockwise.
  func turn(_ second: PlanePoint, _ third: PlanePoint) -> Double {
    let left: Double = (second.x - x) * (third.y - y)
    let right: Double = (second.y - y) * (third.x - x)
    return left - right
  }
}

private struct PlaneEdge {
  let start: PlanePoint
  let end: PlanePoint

  var minX: Double { min(start.x, end.x) }
  var minY: Double { min(start.y, end.y) }
  var maxX: Double { max(start.x, end.x) }
  var maxY: Double { max(start.y, end.y) }

  func shifted(by turn: Double) -> PlaneEdge {
    PlaneEdge(
      start: PlanePoint(x: start.x + turn, y: start.y), end: PlanePoint(x: end.x + turn, y: end.y))
  }

  /// Whether the edges have a point in common; neighbors may have their corner in common and no
  /// more.
  func meets(_ other: PlaneEdge, mayShareCorner: Bool) -> Bool {
    if mayShareCorner {
      return end == other.start
        ? PlaneEdge.folds(start, end, other.end) : PlaneEdge.folds(end, start, other.start)
    }
    let otherStart = start.turn(end, other.start)
    let otherEnd = start.turn(end, other.end)
    let ownStart = other.start.turn(other.end, start)
    let ownEnd = other.start.turn(other.end, end)
    if otherStart * otherEnd < 0 && ownStart * ownEnd < 0 { return true }
    return (otherStart == 0 && boxHolds(other.start)) || (otherEnd == 0 && boxHolds(other.end))
      || (ownStart == 0 && other.boxHolds(start)) || (ownEnd == 0 && other.boxHolds(end))
  }

  private func boxHolds(_ point: PlanePoint) -> Bool {
    minX <= point.x && point.x <= maxX && minY <= point.y && point.y <= maxY
  }

  /// Whether a line goes back on itself at a corner.
  private static func folds(_ start: PlanePoint, _ corner: PlanePoint, _ end: PlanePoint) -> Bool {
    let along: Double =
      (start.x - corner.x) * (end.x - corner.x) + (start.y - corner.y) * (end.y - corner.y)
    return start.turn(corner, end) == 0 && along > 0
  }
}
