import Geo
import Geofencing
import TestSupport
import Testing

@testable import Persistence

@Suite struct TrackRepositoryTests {
  private let folder: TemporaryFolder
  private let database: Database
  private let track: TrackRepository

  init() throws {
    folder = try TemporaryFolder()
    database = try Database(path: folder.path("doorstep.db"))
    track = TrackRepository(database: database)
  }

  private func after(_ seconds: Double) -> Timestamp { noon.advanced(bySeconds: seconds) }

  private func fix(
    _ subject: String, _ seconds: Double, receivedAfter delay: Double = 0
  ) -> TrackRepository.TrackedFix {
    let coordinate = Coordinate(latitude: 48, longitude: 11)!
    return .init(
      subject: SubjectID(subject), fix: Fix(coordinate: coordinate, time: after(seconds)),
      receivedAt: after(seconds + delay), outcome: .accepted)
  }

  @Test func `a fix is read as it was written, whatever is unknown of it`() throws {
    var random = SeededGenerator(seed: 3)
    let fixes = (0..<200).map { number in
      let coordinate = random.coordinate()
      let accuracy = random.maybe(Distance.meters(.random(in: 0.1...500, using: &random)))
      let speed = random.maybe(Speed.metersPerSecond(.random(in: 0...70, using: &random)))
      let course = random.maybe(Bearing(degrees: .random(in: 0..<360, using: &random))!)
      let altitude = random.maybe(Distance.meters(.random(in: -400...9000, using: &random)))
      let source = random.maybe(Fix.Source.allCases.randomElement(using: &random)!)
      let rule = random.maybe(FenceEvent.Rule.allCases.randomElement(using: &random)!)
      return TrackRepository.TrackedFix(
        subject: SubjectID("D"),
        fix: Fix(
          coordinate: coordinate, time: after(Double(number)), accuracy: accuracy, speed: speed,
          course: course, altitude: altitude, source: source,
          isSimulated: Bool.random(using: &random)),
        receivedAt: random.timestamp(), outcome: FixOutcome.allCases.randomElement(using: &random)!,
        rule: rule)
    }
    try track.append(fixes)
    let read = try track.fixes(
      of: SubjectID("D"), around: noon, reachMilliseconds: 1_000_000, limit: 1000)
    #expect(read == fixes)
  }

  @Test func `around a moment there are as many before as after, none beyond the reach`() throws {
    try track.append((0..<100).map { fix("D1", Double($0)) } + [fix("D2", 50)])
    let subject = SubjectID("D1")
    func seconds(_ moment: Double, reach: Int64, limit: Int) throws -> [Double] {
      try track.fixes(
        of: subject, around: after(moment), reachMilliseconds: reach, limit: limit
      ).map { $0.fix.time.seconds(since: noon) }
    }
    #expect(try seconds(50, reach: 1_000_000, limit: 3) == [47, 48, 49, 50, 51, 52])
    #expect(try seconds(50, reach: 2000, limit: 9) == [48, 49, 50, 51, 52])
    #expect(try seconds(50, reach: 1999, limit: 9) == [49, 50, 51])
    #expect(try seconds(0, reach: 1000, limit: 9) == [0, 1])
    #expect(try seconds(500, reach: 1_000_000, limit: 2) == [98, 99])
    #expect(try seconds(500, reach: 1000, limit: 2).isEmpty)
  }

  @Test func `fixes of one time keep the order in which they came`() throws {
    let outcomes: [FixOutcome] = [.accepted, .duplicate, .sameTime]
    let fixes = outcomes.map { outcome in
      var fix = fix("D1", 0)
      fix.outcome = outcome
      return fix
    }
    try track.append(fixes)
    for moment in [noon, after(1)] {
      let read = try track.fixes(
        of: SubjectID("D1"), around: moment, reachMilliseconds: 5000, limit: 9)
      #expect(read.map(\.outcome) == outcomes)
    }
  }

  @Test func `what was received long ago is forgotten in parts, by the receiver's clock`() throws {
    try track.append(
      [
        fix("D1", 0), fix("D1", 1), fix("D1", 2), fix("D1", 3),
        // From a device whose clock is a day ahead, and one that kept it for a day.
        fix("D1", 86_400, receivedAfter: -86_400), fix("D1", -86_400, receivedAfter: 172_800),
      ])
    #expect(try track.delete(receivedBefore: after(2), atMost: 2) == 2)
    #expect(try track.delete(receivedBefore: after(2), atMost: 2) == 1)
    #expect(try track.delete(receivedBefore: after(2), atMost: 2) == 0)
    let left = try track.fixes(
      of: SubjectID("D1"), around: noon, reachMilliseconds: .max / 4, limit: 9)
    #expect(left.map { $0.fix.time.seconds(since: noon) } == [-86_400, 2, 3])
  }

  @Test func `fixes are kept or lost with the presence that they led to`() throws {
    let presences = PresenceRepository(database: database)
    func change(from revision: Int) -> PresenceRepository.Change {
      .init(
        subject: SubjectID("D1"), format: 1, snapshot: [], fromRevision: revision, events: [])
    }
    let outbox = OutboxRepository(database: database)
    let unknown = StoredEvent(
      sequence: 9,
      event: FenceEvent(
        kind: .passed, subject: SubjectID("D1"), fence: Fence.ID("S"), visit: nil, time: noon,
        confirmedAt: noon, rule: .straightWay))
    #expect(throws: DatabaseError.self) {
      try presences.record([change(from: 0)], at: noon) { _ throws(DatabaseError) in
        try track.append([fix("D1", 0)])
        try outbox.add([.init(event: unknown, target: .broker, giveUpAt: noon)], at: noon)
      }
    }
    #expect(try database.integer("SELECT count(*) FROM track") == 0)
    _ = try presences.record([change(from: 0)], at: noon) { _ throws(DatabaseError) in
      try track.append([fix("D1", 0)])
    }
    #expect(try database.integer("SELECT count(*) FROM track") == 1)
  }

  @Test func `a subject's events are read by when they were certain`() throws {
    let subject = SubjectID("D1")
    let events = [5.0, 0, 10].map { seconds in
      FenceEvent(
        kind: .passed, subject: subject, fence: Fence.ID("S"), visit: nil, time: after(seconds),
        confirmedAt: after(seconds + 1), rule: .straightWay)
    }
    let presences = PresenceRepository(database: database)
    #expect(try presences.lastSequence() == 0)
    _ = try presences.record(
      [.init(subject: subject, format: 1, snapshot: [], fromRevision: 0, events: events)],
      at: noon)
    #expect(try presences.lastSequence() == 3)
    func times(_ start: Double, _ end: Double, limit: Int = 9) throws -> [Double] {
      try presences.events(of: subject, from: after(start), to: after(end), limit: limit)
        .map { $0.event.time.seconds(since: noon) }
    }
    #expect(try times(0, 100) == [0, 5, 10])
    #expect(try times(0, 100, limit: 2) == [0, 5])
    #expect(try times(1, 6) == [0, 5])
    #expect(try times(1.001, 5.999).isEmpty)
    #expect(
      try presences.events(of: SubjectID("D2"), from: noon, to: after(100), limit: 9).isEmpty)
  }
}
