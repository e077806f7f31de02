/// An area of one or more polygons with holes; its edges are straight in longitude and latitude, as
/// RFC 7946 has them. Never empty.
public struct MultiPolygon: Hashable, Sendable {
  public let polygons: [Polygon]

  /// Makes an area, or nil where there is no polygon.
  public init?(polygons: [Polygon]) {
    guard !polygons.isEmpty else { return nil }
    self.polygons = polygons
  }
}

/// An outer ring and the holes in it.
public struct Polygon: Hashable, Sendable {
  public let outer: Ring
  public let holes: [Ring]

  public init(outer: Ring, holes: [Ring] = []) {
    self.outer = outer
    self.holes = holes
  }
}

/// A closed line of at least three distinct corners.
public struct Ring: Hashable, Sendable {
  /// The corners in order; the first is not repeated at the end.
  public let corners: [Coordinate]

  /// What makes a sequence of corners no ring.
  public enum Problem: Error, Hashable, Sendable {
    case tooFewCorners(found: Int)
  }

  /// Makes a ring of corners, of which the last may repeat the first.
  public init(corners: [Coordinate]) throws(Problem) {
    var corners = corners
    if corners.count > 1, corners.first == corners.last { corners.removeLast() }
    guard Set(corners).count >= 3 else { throw .tooFewCorners(found: Set(corners).count) }
    self.corners = corners
  }
}
