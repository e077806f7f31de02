import Foundation
import Geo
import Geofencing
import TestSupport
import Testing

@Suite struct FenceGeoJSONTests {
  private func read(_ text: String) -> FenceImport { FenceGeoJSON.read(Array(text.utf8)) }

  private func collection(_ features: String...) -> String {
    #"{"type":"FeatureCollection","features":["# + features.joined(separator: ",") + "]}"
  }

  private static func store(
    _ id: String = #""S""#, _ properties: String = "{}", at coordinates: String = "[11,48]"
  ) -> String {
    #"{"type":"Feature","id":\#(id),"properties":\#(properties),"#
      + #""geometry":{"type":"Point","coordinates":\#(coordinates)}}"#
  }

  @Test func `a point is a circle of 200 m with the settings of its properties`() throws {
    let fences = try read(
      collection(
        Self.store(),
        Self.store(
          "7",
          #"{"name":"Seven","radiusMeters":150.5,"timeZone":"Europe/Berlin","exitBufferMeters":30,"#
            + #""dwellSeconds":60,"passed":true,"minimumConfidence":0.9,"color":"red"}"#,
          at: "[-75.5,45.25,71]"),
        Self.store("null", #"{"id":"inner","name":null,"radiusMeters":null,"dwellSeconds":0}"#))
    ).get()
    let center = try #require(Coordinate(latitude: 48, longitude: 11))
    #expect(
      fences[0] == Fence(id: Fence.ID("S"), area: .circle(center: center, radius: .meters(200))))
    #expect(fences[1].id == Fence.ID("7"))
    #expect(fences[1].name == "Seven")
    #expect(fences[1].timeZone == "Europe/Berlin")
    let place = try #require(Coordinate(latitude: 45.25, longitude: -75.5))
    #expect(fences[1].area == .circle(center: place, radius: .meters(150.5)))
    #expect(fences[1].settings.exitBuffer == .meters(30))
    #expect(fences[1].settings.dwellSeconds == 60)
    #expect(fences[1].settings.passed)
    #expect(fences[1].settings.minimumConfidence == 0.9)
    #expect(fences[2].id == Fence.ID("inner"))
    #expect(fences[2].name == "inner")
    #expect(fences[2].settings.dwellSeconds == nil)
  }

  @Test func `a single feature is a file, and an empty collection is no problem of the file`()
    throws
  {
    #expect(try read(Self.store()).get().count == 1)
    let empty = read(collection())
    #expect(empty.fences.isEmpty && empty.problems.isEmpty)
  }

  struct Bad: CustomTestStringConvertible {
    let feature: String
    /// Code and field of each problem.
    let gives: [String]
    init(_ feature: String, _ gives: String...) {
      self.feature = feature
      self.gives = gives
    }
    var testDescription: String { feature }
  }

  private static func area(_ type: String, _ coordinates: String) -> String {
    #"{"type":"Feature","id":"P","geometry":{"type":"\#(type)","coordinates":\#(coordinates)}}"#
  }

  @Test(arguments: [
    // F5: both are told, and the hint where exchanged they would be right.
    Bad(
      store(at: "[-191.2693,95.5123]"), "lat_out_of_range geometry.coordinates",
      "lng_out_of_range geometry.coordinates"),
    Bad(
      store(at: "[48,-120]"), "lat_out_of_range geometry.coordinates",
      "looks_swapped geometry.coordinates"),
    Bad(store(at: "[180.0000001,0]"), "lng_out_of_range geometry.coordinates"),
    // F7: not finite, not a number.
    Bad(store(at: "[11,NaN]"), "not_a_number geometry.coordinates[1]"),
    Bad(store(at: "[11,\"NaN\"]"), "wrong_type geometry.coordinates[1]"),
    Bad(store(at: "[1e999,48]"), "not_a_number geometry.coordinates[0]"),
    Bad(
      store(at: "[-Infinity,null]"), "not_a_number geometry.coordinates[0]",
      "wrong_type geometry.coordinates[1]"),
    Bad(store(at: "[11]"), "wrong_type geometry.coordinates"),
    Bad(store(at: "null"), "wrong_type geometry.coordinates"),
    // F9: a decimal comma.
    Bad(store(at: #"["11,0001",48]"#), "decimal_comma geometry.coordinates[0]"),
    Bad(store(at: "[11,0001,48,0001]"), "not_a_number geometry.coordinates[1]"),
    Bad(store(at: "[11,5,48,25]"), "decimal_comma geometry.coordinates"),
    Bad(store(#""S""#, #"{"radiusMeters":"150,5"}"#), "decimal_comma properties.radiusMeters"),
    // Radius and settings.
    Bad(store(#""S""#, #"{"radiusMeters":-5}"#), "radius_out_of_range properties.radiusMeters"),
    Bad(store(#""S""#, #"{"radiusMeters":0}"#), "radius_out_of_range properties.radiusMeters"),
    Bad(store(#""S""#, #"{"radiusMeters":2.1e7}"#), "radius_out_of_range properties.radiusMeters"),
    Bad(store(#""S""#, #"{"radiusMeters":NaN}"#), "not_a_number properties.radiusMeters"),
    Bad(
      store(#""S""#, #"{"minimumConfidence":1.5,"passed":1,"dwellSeconds":-1,"name":7}"#),
      "out_of_range properties.minimumConfidence", "wrong_type properties.passed",
      "out_of_range properties.dwellSeconds", "wrong_type properties.name"),
    Bad(
      store(#""S""#, #"{"exitBufferMeters":1e300,"dwellSeconds":1e300,"timeZone":[]}"#),
      "out_of_range properties.exitBufferMeters", "out_of_range properties.dwellSeconds",
      "wrong_type properties.timeZone"),
    Bad(
      store(#""S""#, #"{"radiusMeters":-5}"#, at: "[11,98]"),
      "radius_out_of_range properties.radiusMeters", "lat_out_of_range geometry.coordinates",
      "looks_swapped geometry.coordinates"),
    Bad(store(#""S""#, "[]"), "wrong_type properties"),
    // Ids.
    Bad(store("null"), "missing id"),
    Bad(store(#""""#), "empty_id id"),
    Bad(store("true"), "wrong_type id"),
    Bad(store("01"), "not_a_number id"),
    Bad(
      store("{}", #"{"radiusMeters":-1}"#), "wrong_type id",
      "radius_out_of_range properties.radiusMeters"),
    // Features and geometries.
    Bad("7", "wrong_type "),
    Bad("{}", "missing id", "missing type", "missing geometry"),
    Bad(#"{"type":"Point","id":1,"geometry":null}"#, "wrong_type type", "wrong_type geometry"),
    Bad(#"{"type":"Feature","id":1,"geometry":{}}"#, "missing geometry.type"),
    Bad(#"{"type":"Feature","id":1,"geometry":{"type":"Point"}}"#, "missing geometry.coordinates"),
    Bad(
      #"{"type":"Feature","id":1,"geometry":{"type":"GeometryCollection","geometries":[]}}"#,
      "unsupported_geometry geometry.type"),
    Bad(area("LineString", "[]"), "unsupported_geometry geometry.type"),
    Bad(area("Polygon", "[]"), "wrong_type geometry.coordinates"),
    Bad(area("Polygon", "[[]]"), "ring_too_short geometry.coordinates[0]"),
    Bad(area("Polygon", "[[[0,1],[1,1],[0,1]]]"), "ring_too_short geometry.coordinates[0]"),
    Bad(area("Polygon", "[[[0,1],[1,1],[1,2],[0,2]]]"), "ring_not_closed geometry.coordinates[0]"),
    Bad(
      area("Polygon", "[[[0,1],[1,1],[1,1],[0,1]]]"), "ring_without_area geometry.coordinates[0]"),
    Bad(
      area("Polygon", "[[[0,1],[1,1],[1,\"x\"],[0,1]]]"), "wrong_type geometry.coordinates[0][2][1]"
    ),
    Bad(area("Polygon", "[[[0,1],[1,1],7,[0,1]]]"), "wrong_type geometry.coordinates[0][2]"),
    Bad(
      area("Polygon", "[[[0,1],[1,1],[1,2],[0,1]],[[0,1],[1,1],[1,91],[0,1]],3]"),
      "lat_out_of_range geometry.coordinates[1][2]", "looks_swapped geometry.coordinates[1][2]",
      "wrong_type geometry.coordinates[2]"),
    Bad(area("MultiPolygon", "[]"), "wrong_type geometry.coordinates"),
    Bad(
      area("MultiPolygon", "[[[[0,1],[1,1],[1,2],[0,2]]],[],[[[0,1]]]]"),
      "ring_not_closed geometry.coordinates[0][0]", "wrong_type geometry.coordinates[1]",
      "ring_too_short geometry.coordinates[2][0]"),
  ])
  func `every problem of a feature is told with its field`(_ bad: Bad) {
    let read = read(collection(Self.store(#""good""#), "\n" + bad.feature))
    #expect(read.problems.map { "\($0.code) \($0.field ?? "")" }.sorted() == bad.gives.sorted())
    #expect(read.problems.allSatisfy { $0.item == 2 && $0.line == 2 && $0.column != nil })
    #expect(read.fences.map(\.id) == [Fence.ID("good")])
    #expect(throws: FenceImportError.self) { try read.get() }
  }

  @Test(arguments: [
    ("", "malformed", 1, 1), ("{\"type\":\n \"FeatureCollection\",}", "malformed", 2, 22),
    ("[]", "wrong_type", 1, 1), (#"{"type":"Point","coordinates":[1,2]}"#, "wrong_type", 1, 9),
    (#"{"features":[]}"#, "wrong_type", 1, 1), (#"{"type":"FeatureCollection"}"#, "missing", 1, 1),
    (#"{"type":"FeatureCollection","features":{}}"#, "wrong_type", 1, 40),
    (#"{"type":"FeatureCollection","type":1}"#, "malformed", 1, 29),
  ])
  func `a file that is none is one problem`(
    _ text: String, _ code: String, _ line: Int, _ column: Int
  ) {
    let read = read(text)
    #expect(read.fences.isEmpty)
    #expect(read.problems.map(\.code) == [code])
    #expect(read.problems.first?.item == nil)
    #expect(read.problems.first?.line == line)
    #expect(read.problems.first?.column == column)
  }

  @Test func `D7 one broken item of a hundred is named, and nothing is taken`() {
    let features = (1...100).map { number in
      Self.store("\"S\(number)\"", "{\"radiusMeters\":\(number == 17 ? -5 : 200)}")
    }
    let read = read(
      #"{"type":"FeatureCollection","features":["# + "\n" + features.joined(separator: ",\n") + "]}"
    )
    #expect(read.fences.count == 99)
    #expect(read.problems.count == 1)
    let error = #expect(throws: FenceImportError.self) { try read.get() }
    #expect(
      error?.description == "line 18, column 59: fence 17 (S17): properties.radiusMeters:"
        + " a radius of -5.0 m is not above 0 and at most 20000000.0 m")
  }

  @Test func `ids are unique among all files, and a problem names both places`() throws {
    let first = FenceFile(
      name: "a.geojson", bytes: Array(collection(Self.store("1"), Self.store("2")).utf8))
    let second = FenceFile(
      name: "b.geojson", bytes: Array(collection(Self.store("\"3\""), Self.store("\"2\"")).utf8))
    let third = FenceFile(name: "c.csv", bytes: Array("id,lat,lng\n4,48,11\n3,48,11\n".utf8))
    let read = FenceImport(files: [first, second, third])
    #expect(read.fences.map(\.id.rawValue) == ["1", "2", "3", "4"])
    #expect(read.problems.map(\.code) == ["duplicate_id", "duplicate_id"])
    #expect(read.problems[0].file == "b.geojson")
    #expect(read.problems[0].description.contains("fence 2 of a.geojson"))
    #expect(read.problems[1].file == "c.csv")
    #expect(read.problems[1].line == 3)
    #expect(read.problems[1].description.contains("fence 1 of b.geojson"))
  }

  @Test func `F3 areas at the antimeridian and around a pole hold what they should`() throws {
    func area(_ coordinates: String, _ type: String = "Polygon") throws -> MultiPolygon {
      let fence = try #require(try read(collection(Self.area(type, coordinates))).get().first)
      guard case .polygons(let area) = fence.area else { throw CancellationError() }
      return area
    }
    func holds(_ area: MultiPolygon, _ latitude: Double, _ longitude: Double) throws -> Bool {
      area.contains(try #require(Coordinate(latitude: latitude, longitude: longitude)))
    }
    let cut = try area(
      "[[[[170,-10],[180,-10],[180,10],[170,10],[170,-10]]],[[[-180,-10],[-170,-10],[-170,10],[-180,10],[-180,-10]]]]",
      "MultiPolygon")
    let whole = try area("[[[170,-10],[-170,-10],[-170,10],[170,10],[170,-10]]]")
    for area in [cut, whole] {
      #expect(try holds(area, 0, 175) && holds(area, 0, -175) && holds(area, 0, 180))
      #expect(try !holds(area, 0, 169.9) && !holds(area, 0, -169.9) && !holds(area, 0, 0))
    }
    // Around the north pole: once by a ring of corners, once cut along the antimeridian.
    for text in [
      "[[[0,80],[90,80],[180,80],[-90,80],[0,80]]]",
      "[[[-180,80],[180,80],[180,90],[-180,90],[-180,80]]]",
      "[[[-180,80],[-60,80],[60,80],[180,80],[180,90],[-180,90],[-180,80]]]",
    ] {
      let cap = try area(text)
      for longitude in [-179.0, -100, 0, 45, 120, 179] {
        #expect(try holds(cap, 85, longitude), "\(text) \(longitude)")
        #expect(try !holds(cap, 79, longitude), "\(text) \(longitude)")
        #expect(try !holds(cap, -85, longitude), "\(text) \(longitude)")
      }
    }
    let fence = try #require(
      try read(collection(Self.store(at: "[179.9995,10]"))).get().first)
    guard case .circle(let center, _) = fence.area else { throw CancellationError() }
    let near = try #require(Coordinate(latitude: 10, longitude: -179.9998))
    #expect(center.distance(to: near) < .meters(200))
  }

  @Test func `random fences come back as they were written`() throws {
    var random = SeededGenerator(seed: 5)
    for _ in 0..<200 {
      let fences = (0..<Int.random(in: 0...5, using: &random)).map { index in
        randomFence(id: "fence \"\(index)\" é", using: &random)
      }
      let written = FenceGeoJSON.write(fences)
      #expect(
        try FenceGeoJSON.read(written).get() == fences,
        "\(String(decoding: written, as: UTF8.self))")
      #expect((try? JSONSerialization.jsonObject(with: Data(written))) != nil)
    }
  }

  @Test func `an edge on the antimeridian is written with the sign of its side`() throws {
    let text =
      "[[[170,-10],[180,-10],[180,10],[170,10],[170,-10]]],[[[-180,-10],[-170,-10],[-170,10],[-180,10],[-180,-10]]]"
    let fences = try read(collection(Self.area("MultiPolygon", "[\(text)]"))).get()
    #expect(String(decoding: FenceGeoJSON.write(fences), as: UTF8.self).contains(text))
  }

  private func randomFence(id: String, using random: inout SeededGenerator) -> Fence {
    func coordinate() -> Coordinate {
      Coordinate(
        latitude: Double.random(in: -89...89, using: &random),
        longitude: Double.random(in: -180..<180, using: &random))!
    }
    func ring() -> Ring {
      try! Ring(corners: (0..<Int.random(in: 3...8, using: &random)).map { _ in coordinate() })
    }
    func polygon() -> Polygon {
      Polygon(outer: ring(), holes: (0..<Int.random(in: 0...2, using: &random)).map { _ in ring() })
    }
    var settings = Fence.Settings()
    if Bool.random(using: &random) {
      settings.exitBuffer = .meters(Double.random(in: 0...100, using: &random))
      settings.dwellSeconds = 60
      settings.passed = true
      settings.minimumConfidence = Double.random(in: 0...1, using: &random)
    }
    let isCircle = Bool.random(using: &random)
    let polygons = (0..<Int.random(in: 1...3, using: &random)).map { _ in polygon() }
    return Fence(
      id: Fence.ID(id), name: Bool.random(using: &random) ? nil : "Name\n\u{1}",
      area: isCircle
        ? .circle(center: coordinate(), radius: .meters(Double.random(in: 1...1e6, using: &random)))
        : .polygons(MultiPolygon(polygons: polygons)!),
      timeZone: Bool.random(using: &random) ? nil : "America/Toronto", settings: settings)
  }

  @Test func `mutated files never crash, and a refusal of a feature names it`() throws {
    var random = SeededGenerator(seed: 6)
    let seed = Array(
      collection(
        Self.store("1", #"{"radiusMeters":150,"name":"A"}"#),
        Self.area("Polygon", "[[[0,1],[1,1],[1,2],[0,1]],[[0,1],[1,1],[1,2],[0,1]]]"),
        Self.area("MultiPolygon", "[[[[170,-10],[180,-10],[180,10],[170,-10]]]]")
          .replacingOccurrences(of: "\"P\"", with: "3")
      ).utf8)
    let alphabet = Array("{}[]:,\"0123456789.-e TFPnull".utf8) + [0xff, 0x0a]
    var sound = 0
    for _ in 0..<5000 {
      var bytes = seed
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let at = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes.insert(alphabet.randomElement(using: &random)!, at: at)
        case 1: bytes.remove(at: at)
        default: bytes[at] = alphabet.randomElement(using: &random)!
        }
      }
      let read = FenceGeoJSON.read(bytes)
      if read.problems.isEmpty { sound += 1 }
      for problem in read.problems {
        #expect(problem.line != nil && problem.column != nil)
        if problem.item == nil {
          #expect(["malformed", "wrong_type", "missing"].contains(problem.code))
          #expect(read.fences.isEmpty)
        }
      }
    }
    #expect(sound > 100)
  }

  @Test func `the sample fences are sound`() throws {
    let folder = SharedFiles.checkout.appending(path: "fences")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".geojson") }.sorted()
    #expect(names.count >= 3)
    let read = FenceImport(
      files: try names.map {
        FenceFile(name: $0, bytes: Array(try Data(contentsOf: folder.appending(path: $0))))
      })
    #expect(read.problems.map(\.description) == [])
    #expect(FenceLinter.findings(in: read).map(\.description) == [])
  }
}
