import Foundation
import Geo
import Geofencing
import TestSupport
import Testing

@testable import Persistence

@Suite struct FenceRepositoryTests {
  private let folder: TemporaryFolder
  private let fences: FenceRepository

  init() throws {
    folder = try TemporaryFolder()
    fences = FenceRepository(database: try Database(path: folder.path("doorstep.db")))
  }

  private func circle(_ id: String, name: String? = nil, radius: Double = 200) -> Fence {
    let center = Coordinate(latitude: 48, longitude: 11)!
    return Fence(
      id: Fence.ID(id), name: name, area: .circle(center: center, radius: .meters(radius)))
  }

  private var remembered: [Fence] { get throws { try fences.all().map(\.fence) } }

  @Test func `every field of every fence is read as it was written, by another connection`() throws
  {
    var random = SeededGenerator(seed: 1)
    let written = (0..<300).map { random.fence("F\(1000 + $0)") }
    let changes = try fences.upsert(written, at: noon)
    #expect(changes == .init(written: 300, deleted: 0, revision: 1))
    let others = FenceRepository(database: try Database(path: folder.path("doorstep.db")))
    let read = try others.all()
    #expect(read.map(\.fence) == written)
    #expect(read.allSatisfy { $0.revision == 1 && $0.changedAt == noon })
    #expect(try others.count() == 300)
    #expect(try others.fence(Fence.ID("F1007"))?.fence == written[7])
    #expect(try others.fence(Fence.ID("F1")) == nil)
  }

  @Test func `a fence that is written as it is keeps its revision, and so does the set`() throws {
    try fences.upsert([circle("A"), circle("B")], at: noon)
    let later = noon.advanced(bySeconds: 60)
    #expect(
      try fences.upsert([circle("A"), circle("B")], at: later)
        == .init(written: 0, deleted: 0, revision: 1))
    #expect(
      try fences.upsert([circle("A"), circle("B", name: "Dock")], at: later)
        == .init(written: 1, deleted: 0, revision: 2))
    #expect(try fences.fence(Fence.ID("A"))?.changedAt == noon)
    #expect(try fences.fence(Fence.ID("B"))?.changedAt == later)
    #expect(try fences.fence(Fence.ID("B"))?.revision == 2)
    #expect(try fences.revision() == 2)
  }

  @Test func `a circle can become a polygon and lose its time zone`() throws {
    var random = SeededGenerator(seed: 2)
    var fence = circle("A")
    fence.timeZone = "Asia/Tokyo"
    try fences.upsert([fence], at: noon)
    fence.timeZone = nil
    fence.area = .polygons(MultiPolygon(polygons: [Polygon(outer: random.ring())])!)
    try fences.upsert([fence], at: noon)
    #expect(try remembered == [fence])
  }

  @Test func `a new set replaces the old one`() throws {
    try fences.upsert([circle("A"), circle("B"), circle("C")], at: noon)
    let changes = try fences.replaceAll(
      with: [circle("B"), circle("C", radius: 300), circle("D")], at: noon)
    #expect(changes == .init(written: 2, deleted: 1, revision: 2))
    #expect(try remembered == [circle("B"), circle("C", radius: 300), circle("D")])
  }

  @Test func `an empty set must be meant`() throws {
    try fences.upsert([circle("A")], at: noon)
    #expect(throws: FenceRepository.ReplacementError.empty) {
      try fences.replaceAll(with: [], at: noon)
    }
    #expect(try fences.count() == 1)
    let changes = try fences.replaceAll(with: [], allowingEmpty: true, at: noon)
    #expect(changes == .init(written: 0, deleted: 1, revision: 2))
    #expect(try fences.count() == 0)
  }

  @Test func `a set with one id twice is refused whole`() throws {
    try fences.upsert([circle("A")], at: noon)
    #expect(throws: FenceRepository.ReplacementError.idGivenTwice(Fence.ID("B"))) {
      try fences.replaceAll(with: [circle("B"), circle("C"), circle("B")], at: noon)
    }
    #expect(try remembered == [circle("A")])
  }

  @Test(arguments: [-1.0, Double.nan, -Double.infinity])
  func `one fence that is refused refuses all`(radius: Double) throws {
    try fences.upsert([circle("A")], at: noon)
    let bad = [circle("B"), circle("C", radius: radius)]
    let error = try #require(throws: DatabaseError.self) { try fences.upsert(bad, at: noon) }
    #expect(error.reason == .constraint)
    #expect(throws: FenceRepository.ReplacementError.self) {
      try fences.replaceAll(with: bad, at: noon)
    }
    #expect(try remembered == [circle("A")])
    #expect(try fences.revision() == 1)
  }

  @Test func `what is deleted is gone, and what is not there is no error`() throws {
    try fences.upsert([circle("A"), circle("B")], at: noon)
    #expect(
      try fences.delete([Fence.ID("A"), Fence.ID("X")])
        == .init(written: 0, deleted: 1, revision: 2))
    #expect(try fences.delete([Fence.ID("A")]) == .init(written: 0, deleted: 0, revision: 2))
    #expect(try remembered == [circle("B")])
  }

  @Test(.enabled(if: ProcessInfo.processInfo.environment["DOORSTEP_LONG_TESTS"] == "1"))
  func `a hundred thousand fences are imported, and imported again`() throws {
    let many = (0..<100_000).map { circle("F\($0)", radius: Double(100 + $0 % 400)) }
    let start = ContinuousClock.now
    #expect(try fences.replaceAll(with: many, at: noon).written == 100_000)
    let first = ContinuousClock.now
    #expect(try fences.replaceAll(with: many, at: noon).written == 0)
    let second = ContinuousClock.now
    #expect(try fences.all().count == 100_000)
    print(
      "import \(first - start), again \(second - first), read \(ContinuousClock.now - second)")
    #expect(first - start < .seconds(20))
  }
}

@Suite struct AreaBytesTests {
  @Test func `bytes that are cut or have more after them are no area`() throws {
    var random = SeededGenerator(seed: 3)
    let area = MultiPolygon(polygons: [
      Polygon(outer: random.ring(), holes: [random.ring()]), Polygon(outer: random.ring()),
    ])!
    let bytes = area.bytes
    #expect(MultiPolygon(bytes: bytes) == area)
    for count in 0..<bytes.count { #expect(MultiPolygon(bytes: Array(bytes.prefix(count))) == nil) }
    #expect(MultiPolygon(bytes: bytes + [0]) == nil)
  }

  @Test func `any bytes give an area or nothing`() {
    var random = SeededGenerator(seed: 4)
    let bytes = MultiPolygon(polygons: [Polygon(outer: random.ring())])!.bytes
    for _ in 0..<2000 {
      var changed = bytes
      changed[Int.random(in: 0..<min(24, bytes.count), using: &random)] =
        .random(in: 0...255, using: &random)
      if let area = MultiPolygon(bytes: changed) {
        #expect(MultiPolygon(bytes: area.bytes) == area)
      }
    }
  }
}
