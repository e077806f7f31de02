import Foundation
import Geo
import Geofencing
import TestSupport
import Testing

@Suite struct FenceLinterTests {
  private static func store(
    _ id: String, _ latitude: Double, _ longitude: Double, radius: Double = 200,
    name: String? = nil,
    timeZone: String? = nil, _ change: (inout Fence.Settings) -> Void = { _ in }
  ) -> Fence {
    var settings = Fence.Settings()
    change(&settings)
    return Fence(
      id: Fence.ID(id), name: name,
      area: .circle(
        center: Coordinate(latitude: latitude, longitude: longitude)!, radius: .meters(radius)),
      timeZone: timeZone, settings: settings)
  }

  private static func area(_ id: String, _ rings: [(Double, Double)]...) -> Fence {
    let rings = rings.map { ring in
      try! Ring(corners: ring.map { Coordinate(latitude: $0.1, longitude: $0.0)! })
    }
    let polygon = Polygon(outer: rings[0], holes: Array(rings.dropFirst()))
    return Fence(id: Fence.ID(id), area: .polygons(MultiPolygon(polygons: [polygon])!))
  }

  struct Case: CustomTestStringConvertible {
    let testDescription: String
    let fences: [Fence]
    let finds: [String]
    init(_ description: String, _ fences: [Fence], _ finds: String...) {
      testDescription = description
      self.fences = fences
      self.finds = finds
    }
  }

  private static let square = [(11.0, 48.0), (11.01, 48), (11.01, 48.01), (11, 48.01)]

  @Test(arguments: [
    Case("a store is fine", [store("A", 45.4, -75.7, timeZone: "America/Toronto")]),
    Case("100 m is the least", [store("A", 45, 7, radius: 100)]),
    Case("99 m is small", [store("A", 45, 7, radius: 99.9)], "warning small_radius A"),
    Case("5 km is the most", [store("A", 45, 7, radius: 5000)]),
    Case("more is huge", [store("A", 45, 7, radius: 5001)], "warning huge_radius A"),
    Case("nothing is no radius", [store("A", 45, 7, radius: 0)], "error small_radius A"),
    Case("0,0", [store("A", 0, 0)], "error null_island A"),
    Case("near 0,0", [store("A", 0.05, -0.05)], "error null_island A"),
    Case("not so near 0,0", [store("A", 0.2, 0.05)]),
    Case(
      "one that is exchanged",
      [store("A", 48.1, 11.5), store("B", 48.2, 11.6), store("C", 11.55, 48.15)],
      "error looks_swapped C"),
    Case(
      "two of six exchanged",
      [
        store("A", 48.1, 11.5), store("B", 48.2, 11.6), store("C", 11.55, 48.15),
        store("D", 48.3, 11.7), store("E", 11.65, 48.25), store("F", 48.4, 11.8),
      ],
      "error looks_swapped C", "error looks_swapped E"),
    Case(
      "two chains, each at home",
      [
        store("A", 48.1, 11.5), store("B", 48.2, 11.6), store("C", 11.55, 48.15),
        store("D", 11.6, 48.2),
      ]),
    Case("Ottawa exchanged alone", [store("A", -75.7, 45.4)], "error looks_swapped A"),
    Case("on the diagonal", [store("A", 45.1, 45.2), store("B", 45.2, 45.1)]),
    Case(
      "the same id", [store("A", 45, 7), store("A", 46, 8)], "error duplicate_id A"),
    Case(
      "the same place and name",
      [store("A", 45, 7, name: "Shop"), store("B", 45.00001, 7, name: "shop")],
      "warning duplicate_place B A", "warning overlap A B"),
    Case(
      "the same center", [store("A", 45, 7), store("B", 45, 7, radius: 300)], "warning overlap A B"),
    Case(
      "overlapping by a meter",
      [store("A", 45, 7), store("B", 45 + 399.0 / 111_132, 7)], "warning overlap A B"),
    Case("apart by a meter", [store("A", 45, 7), store("B", 45 + 401.0 / 111_132, 7)]),
    Case(
      "overlapping over the antimeridian",
      [store("A", 10, 179.9995), store("B", 10, -179.9995)], "warning overlap A B"),
    Case("a sound polygon", [area("A", square)]),
    Case("a clockwise polygon", [area("A", square.reversed())], "warning clockwise_ring A"),
    Case(
      "a bow tie", [area("A", [(11, 48), (11.01, 48.01), (11.01, 48), (11, 48.02)])],
      "error invalid_ring A"),
    Case(
      "a line", [area("A", [(11, 48), (11.01, 48.01), (11.02, 48.02)])], "error invalid_ring A"),
    Case(
      "a hole outside", [area("A", square, [(12, 48), (12, 48.01), (12.01, 48.01)])],
      "error invalid_ring A"),
    Case(
      "a repeated corner", [area("A", [square[0]] + square)], "warning invalid_ring A"),
    Case(
      "a store in a mall", [area("A", square), store("B", 48.005, 11.005)], "warning overlap A B"),
    Case("a store beside a mall", [area("A", square), store("B", 48.005, 11.02)]),
    Case(
      "a store that reaches into a mall", [area("A", square), store("B", 48.005, 11.012)],
      "warning overlap A B"),
    Case(
      "crossing malls",
      [area("A", square), area("B", [(10.99, 48.004), (11.02, 48.004), (11.02, 48.006)])],
      "warning overlap A B"),
    Case(
      "a mall within a mall",
      [area("B", [(11.004, 48.004), (11.006, 48.004), (11.006, 48.006)]), area("A", square)],
      "warning overlap B A"),
    Case(
      "malls with meeting boxes only",
      [
        area("A", [(11, 48), (11.01, 48), (11, 48.01)]),
        area("B", [(11.01, 48.01), (11.006, 48.01), (11.01, 48.006)]),
      ]),
    Case(
      "no such time zone", [store("A", 45, 7, timeZone: "America/Ottawa")],
      "error unknown_time_zone A"),
    Case(
      "confidence above 1", [store("A", 45, 7) { $0.minimumConfidence = 1.1 }],
      "error setting_out_of_range A"),
    Case("confidence of 1", [store("A", 45, 7) { $0.minimumConfidence = 1 }]),
    Case(
      "nothing that is a number",
      [
        store("A", 45, 7, radius: .nan) {
          $0.minimumConfidence = .nan
          $0.exitBuffer = .meters(-1)
          $0.dwellSeconds = .infinity
        }
      ], "error small_radius A", "error setting_out_of_range A", "error setting_out_of_range A",
      "error setting_out_of_range A"),
  ])
  func `the linter finds`(_ example: Case) {
    let found = FenceLinter.findings(in: example.fences).map { finding in
      [
        finding.severity.rawValue, finding.kind.rawValue, finding.fence?.rawValue,
        finding.other?.rawValue,
      ]
      .compactMap(\.self).joined(separator: " ")
    }
    #expect(found.sorted() == example.finds.sorted())
  }

  @Test func `problems of a file are findings too`() {
    let bytes = Array("id,lat,lng,radiusMeters\nS,48,11,-5\nT,48,11,50\n".utf8)
    let findings = FenceLinter.findings(in: FenceCSV.read(bytes))
    #expect(findings.map(\.kind) == [.unreadable, .smallRadius])
    #expect(findings[0].fence == Fence.ID("S"))
    #expect(findings[0].description.contains("line 2, column 9"))
  }

  @Test func `overlaps of circles are those of brute force`() {
    var random = SeededGenerator(seed: 8)
    for round in 0..<20 {
      let longitude = [7.0, 179.99, -180][round % 3]
      let fences = (0..<100).map { index in
        Self.store(
          "\(1000 + index)",
          (round % 2 == 0 ? 45 : 89.9) + Double.random(in: -0.03...0.03, using: &random),
          foldedLongitude(longitude + Double.random(in: -0.05...0.05, using: &random)),
          radius: Double.random(in: 100...400, using: &random))
      }
      var expected: [Fence.ID: [Fence.ID]] = [:]
      for (index, fence) in fences.enumerated() {
        for other in fences[(index + 1)...] {
          guard case .circle(let a, let radius) = fence.area,
            case .circle(let b, let otherRadius) = other.area
          else { continue }
          if a.distance(to: b) < radius + otherRadius {
            expected[fence.id, default: []].append(other.id)
          }
        }
      }
      var found: [Fence.ID: [Fence.ID]] = [:]
      for finding in FenceLinter.findings(in: fences) where finding.kind == .overlap {
        found[finding.fence!, default: []].append(finding.other!)
      }
      #expect(found == expected.mapValues { Array($0.prefix(3)) })
    }
  }

  private func foldedLongitude(_ degrees: Double) -> Double {
    degrees < -180 ? degrees + 360 : degrees >= 180 ? degrees - 360 : degrees
  }

  @Test func `any number of stores on one place is looked through in time`() {
    let isLong = ProcessInfo.processInfo.environment["DOORSTEP_LONG_TESTS"] == "1"
    let count = isLong ? 6000 : 400
    let heap = (0..<count).map { Self.store("\($0)", 45, 7) }
    #expect(FenceLinter.findings(in: heap).count == count - 1)
    var random = SeededGenerator(seed: 9)
    let crowd = (0..<count).map {
      Self.store("\($0)", 45 + Double.random(in: 0...0.0001, using: &random), 7)
    }
    let findings = FenceLinter.findings(in: crowd)
    #expect(findings.count { $0.kind == .overlap } > count / 2)
    #expect(findings.contains { $0.kind == .overlapsUnfinished } == isLong)
  }
}
