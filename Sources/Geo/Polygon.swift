/// An area of one or more polygons with holes; its edges are straight in longitude and latitude, as
/// RFC 7946 has them. Never empty.
public struct MultiPolygon: Hashable, Sendable {
  public let polygons: [Polygon]

  /// Makes an area, or nil where there is no polygon.
  public init?(polygons: [Polygon]) {
    guard !polygons.isEmpty else { return nil }
    self.polygons = polygons
  }

  /// Whether a coordinate is in one of the polygons; edges belong to them, those of holes too.
  public func contains(_ coordinate: Coordinate) -> Bool {
    polygons.contains { $0.contains(coordinate) }
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

  /// Whether a coordinate is in the outer ring and not inside a hole; edges belong to the polygon.
  public func contains(_ coordinate: Coordinate) -> Bool {
    guard outer.side(of: coordinate) != .outside else { return false }
    return holes.allSatisfy { $0.side(of: coordinate) != .inside }
  }

  var rings: [Ring] { [outer] + holes }
}
