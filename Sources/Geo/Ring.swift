/// A closed line of at least three distinct corners.
///
/// Its edges are straight in longitude and latitude and go the short way round, so a ring may cross
/// the antimeridian. One that goes once around the Earth holds the pole on whose side it encloses
/// the smaller area, whatever the order of its corners.
public struct Ring: Hashable, Sendable {
  /// The corners in order; the first is not repeated at the end.
  public let corners: [Coordinate]

  let outline: RingOutline

  /// Makes a ring of corners, of which the last may repeat the first.
  ///
  /// Refuses only what has fewer than three distinct corners; `problems` tells the rest.
  public init(corners: [Coordinate]) throws(Problem) {
    var corners = corners
    if corners.count > 1, corners.first == corners.last { corners.removeLast() }
    let distinct = Set(corners).count
    guard distinct >= 3 else { throw .tooFewCorners(found: distinct) }
    self.corners = corners
    outline = RingOutline(corners: corners)
  }

  public static func == (a: Ring, b: Ring) -> Bool { a.corners == b.corners }
  public func hash(into hasher: inout Hasher) { hasher.combine(corners) }

  /// The pole that the ring goes around, if it does.
  public var pole: Pole? { outline.pole }

  /// An end of the Earth's axis.
  public enum Pole: Hashable, Sendable {
    case north, south
  }

  /// Where a coordinate is, by the even-odd rule; within some nanometers of an edge it is on it.
  ///
  /// Linear in the corners, about 1 ns each.
  public func side(of coordinate: Coordinate) -> Side {
    outline.side(ofLatitude: coordinate.latitude, longitude: coordinate.longitude)
  }

  /// Where a coordinate can be.
  public enum Side: Hashable, Sendable {
    case inside, edge, outside
  }
}
