import Geo
import TestSupport
import Testing

@testable import Geofencing

@Suite struct SnapshotTests {
  /// A walk to and fro around two overlapping fences, with silences, coarse fixes and leaps.
  static func track(seed: UInt64, count: Int) -> [Fix] {
    var random = SeededGenerator(seed: seed)
    var fixes: [Fix] = []
    var seconds = 0.0
    var north = Double.random(in: -600...600, using: &random)
    for _ in 0..<count {
      seconds +=
        Double.random(in: 0..<1, using: &random) < 0.02
        ? Double.random(in: 1500...20_000, using: &random)
        : Double.random(in: 1...40, using: &random)
      north = max(-700, min(700, north + Double.random(in: -120...120, using: &random)))
      let leap = Double.random(in: 0..<1, using: &random) < 0.05 ? 9000.0 : 0
      let accuracies: [Double?] = [5, 15, 60, nil, 130, 300]
      fixes.append(
        Ground.fix(
          at: seconds, north: north + leap, accuracy: accuracies.randomElement(using: &random)!))
    }
    return fixes
  }

  static let fences = [
    Ground.fence("S") { $0.dwellSeconds = 120 },
    Ground.fence("T", north: 250, radius: 150) { $0.passed = true },
  ]

  @Test(arguments: 0..<60 as Range<UInt64>)
  func `a track in two halves with saved presence gives the events of one go`(
    seed: UInt64
  ) throws {
    let fixes = SnapshotTests.track(seed: seed, count: 500)
    var whole = Ground.engine(SnapshotTests.fences)
    let expected = whole.events(of: fixes)
    var random = SeededGenerator(seed: seed + 1000)
    let cut = Int.random(in: 1..<fixes.count, using: &random)
    var first = Ground.engine(SnapshotTests.fences)
    var found = first.events(of: Array(fixes[..<cut]))
    // The fences come back in another order, so that slots differ.
    var second = Ground.engine(SnapshotTests.fences.reversed())
    try second.restore(#require(first.snapshot(of: "D1")), of: "D1")
    found += second.events(of: Array(fixes[cut...]))
    #expect(found == expected)
    #expect(!expected.isEmpty)
  }

  @Test func `a fence that is gone after a restart is left at the next fix`() throws {
    var before = Ground.engine()
    let entered = before.events(of: [Ground.fix(at: 0, north: 0)])
    var after = Ground.engine([Ground.fence("T", north: 5000)])
    try after.restore(#require(before.snapshot(of: "D1")), of: "D1")
    let events = after.events(of: [Ground.fix(at: 10, north: 0)])
    #expect(events.map(\.kind) == [.exited])
    #expect(events.first?.cause == .fenceRemoved)
    #expect(events.first?.visit == entered.first?.visit)
    #expect(after.events(of: [Ground.fix(at: 20, north: 0)]).isEmpty)
  }

  @Test(arguments: [
    "", "{}", "{\"version\":2}", "{\"version\":1}", "[1", "{\"version\":1,\"fences\":[{}]}",
  ])
  func `damaged bytes are refused`(text: String) {
    var engine = Ground.engine()
    #expect(throws: SnapshotProblem.self) { try engine.restore(Array(text.utf8), of: "D1") }
    #expect(engine.presence(of: "D1") == nil)
  }
}
