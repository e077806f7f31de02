import Geo
import TestSupport
import Testing

@testable import Geofencing

@Suite struct RecentPastTests {
  @Test func `an old sample after an exit amends the track and nothing else`() {
    var engine = Ground.engine(pastLength: 64)
    let live = engine.events(of: [
      Ground.fix(at: 90, north: 10), Ground.fix(at: 100, north: 10),
      Ground.fix(at: 140, north: 420), Ground.fix(at: 160, north: 420),
    ])
    #expect(live.map(\.kind) == [.entered, .exited])
    var events: [FenceEvent] = []
    let outcome = engine.receive(Ground.fix(at: 95, north: 10), from: "D1", events: &events)
    #expect(outcome == .outOfOrder)
    #expect(events.isEmpty)
    #expect(engine.presence(of: "D1")!.states(in: engine.fences).isEmpty)
  }

  @Test func `a backlog mixed with live fixes gives one late visit and no live event`() {
    var engine = Ground.engine(pastLength: 64)
    let events = engine.events(of: [
      Ground.fix(at: 1000, north: 600), Ground.fix(at: 400, north: 10),
      Ground.fix(at: 1010, north: 600), Ground.fix(at: 410, north: 10),
      Ground.fix(at: 1020, north: 600), Ground.fix(at: 1030, north: 600),
    ])
    #expect(events.map(\.kind) == [.entered, .exited])
    #expect(events.allSatisfy { $0.isLate })
    #expect(Set(events.map(\.visit)).count == 1)
    #expect(events.map(\.time) == [400, 1000].map { Ground.start.advanced(bySeconds: $0) })
    #expect(engine.presence(of: "D1")!.states(in: engine.fences).isEmpty)
  }

  @Test func `a late fix that moves an exit tells the exit again, of the same visit`() {
    var engine = Ground.engine(pastLength: 64)
    let live = engine.events(of: [
      Ground.fix(at: 0, north: 10), Ground.fix(at: 10, north: 10),
      Ground.fix(at: 60, north: 420), Ground.fix(at: 80, north: 420),
    ])
    let late = engine.events(of: [Ground.fix(at: 40, north: 400)])
    #expect(late.map(\.kind) == [.exited])
    #expect(late.first?.isLate == true)
    #expect(late.first?.visit == live.first?.visit)
    #expect(late.first?.time == Ground.start.advanced(bySeconds: 40))
  }

  @Test func `a late fix sent again is a duplicate, and one that leaps is dropped`() {
    var engine = Ground.engine(pastLength: 64)
    _ = engine.events(of: [
      Ground.fix(at: 0, north: 10), Ground.fix(at: 100, north: 12),
      Ground.fix(at: 200, north: 14),
    ])
    var events: [FenceEvent] = []
    func outcome(_ fix: Fix) -> FixOutcome { engine.receive(fix, from: "D1", events: &events) }
    #expect(outcome(Ground.fix(at: 50, north: 11)) == .outOfOrder)
    #expect(outcome(Ground.fix(at: 50, north: 11)) == .duplicate)
    #expect(outcome(Ground.fix(at: 50, north: 13)) == .sameTime)
    #expect(outcome(Ground.fix(at: 0, north: 10)) == .duplicate)
    #expect(outcome(Ground.fix(at: 60, north: 30_000)) == .implausibleJump)
    #expect(events.isEmpty)
  }

  @Test
  func `a refused fix before the first that counts makes no visit of before the restart late`()
    throws
  {
    var before = Ground.engine(pastLength: 64)
    let entered = before.events(of: [Ground.fix(at: 0, north: 10)])
    var after = Ground.engine(pastLength: 64)
    try after.restore(#require(before.snapshot(of: "D1")), of: "D1")
    let live = after.events(of: [
      Ground.fix(at: 50, north: 12, isSimulated: true), Ground.fix(at: 100, north: 12),
      Ground.fix(at: 140, north: 420), Ground.fix(at: 160, north: 420),
    ])
    #expect(live.map(\.kind) == [.exited])
    #expect(live.first?.visit == entered.first?.visit)
    #expect(after.events(of: [Ground.fix(at: 120, north: 15)]).isEmpty)
  }

  @Test func `a long backlog costs a few steps a fix and touches nothing live`() {
    var engine = Ground.engine(pastLength: 512)
    var events: [FenceEvent] = []
    engine.receive(Ground.fix(at: 100_000, north: 5000), from: "D1", events: &events)
    let clock = ContinuousClock()
    let time = clock.measure {
      // Newest first, as some apps send what they gathered.
      for second in stride(from: 90_000.0, to: 70_000, by: -1) {
        engine.receive(Ground.fix(at: second, north: 10), from: "D1", events: &events)
      }
    }
    #expect(time < .seconds(60))
    engine.settle(events: &events)
    #expect(!events.contains { !$0.isLate })
    #expect(engine.presence(of: "D1")?.states(in: engine.fences).isEmpty == true)
  }

  @Test(arguments: 0..<40 as Range<UInt64>)
  func `late fixes never change what is told live`(seed: UInt64) {
    let fixes = SnapshotTests.track(seed: seed, count: 150)
    var random = SeededGenerator(seed: seed)
    var plain = Ground.engine(SnapshotTests.fences)
    var amended = Ground.engine(SnapshotTests.fences, pastLength: 32)
    var expected: [FenceEvent] = []
    var found: [FenceEvent] = []
    for (index, fix) in fixes.enumerated() {
      plain.receive(fix, from: "D1", events: &expected)
      amended.receive(fix, from: "D1", events: &found)
      guard index > 3, Double.random(in: 0..<1, using: &random) < 0.3 else { continue }
      let neighbor = fixes[Int.random(in: 0..<index, using: &random)]
      let late = Fix(
        coordinate: neighbor.coordinate,
        time: neighbor.time.advanced(byMilliseconds: Int64.random(in: 1...900, using: &random)),
        accuracy: .meters(5))
      guard let last = amended.presence(of: "D1")?.lastAccepted, late.time < last.time else {
        continue
      }
      amended.receive(late, from: "D1", events: &found)
    }
    #expect(found.filter { !$0.isLate } == expected)
    #expect(amended.presence(of: "D1") == plain.presence(of: "D1"))
  }
}
