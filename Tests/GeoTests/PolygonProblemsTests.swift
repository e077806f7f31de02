import Geo
import Testing

@Suite struct PolygonProblemsTests {
  private static func ring(_ corners: (Double, Double)...) throws -> Ring {
    try Ring(corners: corners.map { Coordinate($0.0, $0.1) })
  }

  @Test func `a ring needs three distinct corners`() throws {
    #expect(throws: Ring.Problem.tooFewCorners(found: 0)) { try Ring(corners: []) }
    #expect(throws: Ring.Problem.tooFewCorners(found: 2)) {
      try PolygonProblemsTests.ring((0, 0), (1, 1), (0, 0), (1, 1))
    }
    #expect(throws: Ring.Problem.tooFewCorners(found: 2)) {
      try PolygonProblemsTests.ring((0, 180), (1, 1), (0, -180))
    }
    #expect(try PolygonProblemsTests.ring((0, 0), (1, 1), (0, 1)).problems.isEmpty)
  }

  @Test func `the last corner may repeat the first`() throws {
    let closed = try PolygonProblemsTests.ring((0, 0), (1, 1), (0, 1), (0, 0))
    let open = try PolygonProblemsTests.ring((0, 0), (1, 1), (0, 1))
    #expect(closed == open)
    #expect(closed.corners.count == 3)
  }

  @Test func `a bow tie meets itself`() throws {
    let bowTie = try PolygonProblemsTests.ring((0, 0), (1, 1), (1, 0), (0, 1))
    #expect(bowTie.problems == [.selfIntersection(edge: 0, other: 2)])
  }

  @Test func `a ring that touches itself at a corner is told`() throws {
    let touching = try PolygonProblemsTests.ring(
      (0, 0), (0, 4), (2, 2), (4, 4), (4, 0), (2, 2), (3, -1))
    #expect(!touching.problems.isEmpty)
  }

  @Test func `a spike lies on itself`() throws {
    let spike = try PolygonProblemsTests.ring((0, 0), (0, 2), (2, 2), (4, 2), (2, 2), (2, 0))
    #expect(spike.problems.contains(.selfIntersection(edge: 2, other: 3)))
  }

  @Test func `a repeated corner is told once and is no crossing`() throws {
    let ring = try PolygonProblemsTests.ring((0, 0), (0, 1), (0, 1), (1, 1))
    #expect(ring.problems == [.repeatedCorner(index: 2)])
  }

  @Test func `corners on one line have no area`() throws {
    #expect(try PolygonProblemsTests.ring((0, 0), (1, 1), (2, 2)).problems == [.zeroArea])
    #expect(try PolygonProblemsTests.ring((5, 179), (5, -179), (5, 178)).problems == [.zeroArea])
    // On the equator all the way round is a hemisphere.
    #expect(try PolygonProblemsTests.ring((0, 0), (0, 120), (0, -120)).problems.isEmpty)
  }

  @Test func `rings across the antimeridian and around poles are sound`() throws {
    #expect(
      try PolygonProblemsTests.ring((0, 179), (0, -179), (1, -179), (1, 179)).problems.isEmpty)
    #expect(try PolygonProblemsTests.ring((80, 0), (80, 90), (70, 180), (80, -90)).problems.isEmpty)
    #expect(try PolygonProblemsTests.ring((80, -90), (70, 180), (80, 90), (80, 0)).problems.isEmpty)
  }

  @Test func `a crossing behind the antimeridian is found`() throws {
    let bowTie = try PolygonProblemsTests.ring((0, 179), (1, -179), (1, 179), (0, -179))
    #expect(bowTie.problems == [.selfIntersection(edge: 0, other: 2)])
    // Around the pole, and a turn later through its first edge, which only the turn brings there.
    let around = try PolygonProblemsTests.ring(
      (80, 0), (60, 90), (60, 180), (70, -120), (85, -60), (75, 40))
    #expect(around.pole == .north)
    #expect(around.problems == [.selfIntersection(edge: 0, other: 4)])
  }

  @Test func `a hole must be within the outer ring`() throws {
    let outer = try PolygonProblemsTests.ring((0, 0), (0, 10), (10, 10), (10, 0))
    let inside = try PolygonProblemsTests.ring((4, 4), (4, 6), (6, 6), (6, 4))
    let outside = try PolygonProblemsTests.ring((4, 14), (4, 16), (6, 16), (6, 14))
    let across = try PolygonProblemsTests.ring((4, 4), (4, 16), (6, 16), (6, 4))
    #expect(Polygon(outer: outer, holes: [inside]).problems.isEmpty)
    #expect(
      Polygon(outer: outer, holes: [inside, outside, across]).problems
        == [.holeOutside(index: 1), .holeOutside(index: 2)])
    // All corners are within a U, an edge is not.
    let u = try PolygonProblemsTests.ring(
      (0, 0), (0, 10), (10, 10), (10, 8), (2, 8), (2, 2), (10, 2), (10, 0))
    let bridge = try PolygonProblemsTests.ring((5, 1), (5, 9), (6, 9), (6, 1))
    #expect(Polygon(outer: u, holes: [bridge]).problems == [.holeOutside(index: 0)])
  }

  @Test func `problems say what to do`() throws {
    #expect(
      "\(Polygon.Problem.hole(index: 1, .repeatedCorner(index: 4)))"
        == "hole 1: corner 4 repeats the corner before it; remove one of them")
    #expect(
      "\(Ring.Problem.tooFewCorners(found: 2))"
        == "a ring needs at least 3 distinct corners, this one has 2")
  }
}
