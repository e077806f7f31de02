import Geo
import Geofencing
import TestSupport
import Testing

@testable import Persistence

@Suite struct PresenceRepositoryTests {
  private let folder: TemporaryFolder
  private let database: Database
  private let presences: PresenceRepository

  init() throws {
    folder = try TemporaryFolder()
    database = try Database(path: folder.path("doorstep.db"))
    presences = PresenceRepository(database: database)
  }

  private func change(
    _ subject: String, _ snapshot: [UInt8] = [1], from revision: Int = 0,
    _ events: [FenceEvent] = []
  ) -> PresenceRepository.Change {
    .init(
      subject: SubjectID(subject), format: 3, snapshot: snapshot, fromRevision: revision,
      events: events)
  }

  /// An event of the visit that D1 began at noon, so many seconds later.
  private func event(
    _ kind: FenceEvent.Kind, after seconds: Double = 0, rule: FenceEvent.Rule = .twoFixes,
    isLate: Bool = false, cause: FenceEvent.Cause? = nil
  ) -> FenceEvent {
    let visit = VisitID(subject: SubjectID("D1"), fence: Fence.ID("S"), entry: noon)
    return FenceEvent(
      kind: kind, subject: SubjectID("D1"), fence: Fence.ID("S"),
      visit: kind == .passed ? nil : visit,
      time: noon.advanced(bySeconds: seconds), confirmedAt: noon.advanced(bySeconds: seconds + 15),
      rule: rule, isLate: isLate, cause: cause)
  }

  private func newEvents(_ outcome: PresenceRepository.Outcome) -> [FenceEvent]? {
    guard case .recorded(let stored) = outcome else { return nil }
    return stored.map(\.event)
  }

  @Test func `every field of every event is read as it was written, in order`() throws {
    var random = SeededGenerator(seed: 5)
    let written = (0..<500).map { _ in random.event() }
    let outcome = try presences.record([change("D1", from: 0, written)], at: noon)
    #expect(newEvents(outcome) == written)
    let others = PresenceRepository(database: try Database(path: folder.path("doorstep.db")))
    let read = try others.events(limit: 1000)
    #expect(read.map(\.event) == written)
    #expect(outcome == .recorded(read))
    #expect(read.map(\.sequence) == Array(1...500))
    #expect(try others.events(after: 490, limit: 4).map(\.sequence) == [491, 492, 493, 494])
  }

  @Test(arguments: [[], [0], (0..<5000).map { UInt8(truncatingIfNeeded: $0) }])
  func `a snapshot is read as it was written`(snapshot: [UInt8]) throws {
    #expect(try presences.record([change("D1", snapshot)], at: noon) == .recorded([]))
    let stored = try #require(try presences.presence(of: SubjectID("D1")))
    #expect(stored.snapshot == snapshot)
    #expect(stored.format == 3)
    #expect(stored.revision == 1)
    #expect(stored.updatedAt == noon)
    #expect(try presences.presence(of: SubjectID("D2")) == nil)
  }

  @Test func `of two who began from one state only the first succeeds`() throws {
    let subject = SubjectID("D1")
    _ = try presences.record([change("D1", [1])], at: noon)
    _ = try presences.record([change("D1", [2], from: 1, [event(.entered)])], at: noon)
    let others = PresenceRepository(database: try Database(path: folder.path("doorstep.db")))
    let late = change("D1", [3], from: 1, [event(.exited, after: 60)])
    #expect(try others.record([late], at: noon) == .conflict([subject]))
    #expect(try others.record([change("D1", [4])], at: noon) == .conflict([subject]))
    #expect(try presences.presence(of: subject)?.snapshot == [2])
    #expect(try presences.presence(of: subject)?.revision == 2)
    #expect(try presences.events(limit: 9).map(\.event.kind) == [.entered])
  }

  @Test func `one conflict keeps a whole batch from being recorded`() throws {
    _ = try presences.record([change("D2")], at: noon)
    let batch = [
      change("D1", [9], from: 0, [event(.entered)]), change("D2"), change("D3", from: 4),
    ]
    let conflicts = [SubjectID("D2"), SubjectID("D3")]
    #expect(try presences.record(batch, at: noon) == .conflict(conflicts))
    #expect(try presences.presence(of: SubjectID("D1")) == nil)
    #expect(try presences.events(limit: 9).isEmpty)
  }

  @Test func `an event that is known is not recorded again`() throws {
    let first = [event(.entered), event(.dwelled, after: 60), event(.passed, after: 5)]
    _ = try presences.record([change("D1", from: 0, first)], at: noon)
    let again = try presences.record(
      [change("D1", from: 1, first + [event(.exited, after: 90, rule: .exitRun)])], at: noon)
    #expect(newEvents(again) == [event(.exited, after: 90, rule: .exitRun)])
    #expect(try presences.events(limit: 9).count == 4)
    let shifted = try presences.record(
      [change("D1", from: 2, [event(.entered, after: 1)])], at: noon)
    #expect(newEvents(shifted) == [])
  }

  @Test func `a visit expires and resumes as often as it does, each told once`() throws {
    let silences = [
      event(.presenceExpired, after: 100), event(.presenceResumed, after: 200),
      event(.presenceExpired, after: 300), event(.presenceResumed, after: 400),
    ]
    #expect(
      newEvents(try presences.record([change("D1", from: 0, silences)], at: noon)) == silences)
    #expect(newEvents(try presences.record([change("D1", from: 1, silences)], at: noon)) == [])
  }

  @Test func `a visit is opened by its entry and closed by its exit`() throws {
    let subject = SubjectID("D1")
    _ = try presences.record([change("D1", from: 0, [event(.entered)])], at: noon)
    let open = try #require(try presences.visits(of: subject).first)
    #expect(open.id == VisitID(subject: subject, fence: Fence.ID("S"), entry: noon))
    #expect(open.fence == Fence.ID("S"))
    #expect(
      open.entry == .init(time: noon, confirmedAt: noon.advanced(bySeconds: 15), rule: .twoFixes))
    #expect(open.exit == nil)
    _ = try presences.record(
      [change("D1", from: 1, [event(.exited, after: 60, rule: .silence, cause: .silent)])],
      at: noon)
    let closed = try #require(try presences.visits(of: subject).first)
    #expect(closed.entry == open.entry)
    #expect(closed.exit?.time == noon.advanced(bySeconds: 60))
    #expect(closed.exit?.rule == .silence)
    #expect(closed.exitCause == .silent)
    #expect(try presences.visits(of: SubjectID("D2")).isEmpty)
  }

  @Test func `a late exit amends the visit and is told beside the first`() throws {
    let exits = [
      event(.entered), event(.exited, after: 60, rule: .silence, cause: .silent),
      event(.exited, after: 80, rule: .exitRun, isLate: true),
    ]
    #expect(newEvents(try presences.record([change("D1", from: 0, exits)], at: noon)) == exits)
    let visit = try #require(try presences.visits(of: SubjectID("D1")).first)
    #expect(visit.exit?.time == noon.advanced(bySeconds: 80))
    #expect(visit.exitCause == nil)
  }

  @Test func `all presences stream by subject while they are changed`() throws {
    let subjects = (0..<50).map { "D\(100 + $0)" }
    _ = try presences.record(subjects.reversed().map { change($0, Array($0.utf8)) }, at: noon)
    var seen: [String] = []
    try presences.forEachPresence { presence throws(DatabaseError) in
      seen.append(presence.subject.rawValue)
      let next = change(presence.subject.rawValue, [0], from: presence.revision)
      _ = try presences.record([next], at: noon)
    }
    #expect(seen == subjects)
    try presences.forEachPresence { presence throws(DatabaseError) in
      #expect(presence.revision == 2)
    }
  }

  @Test func `a presence can be forgotten, and begins again at the first revision`() throws {
    _ = try presences.record([change("D1", from: 0, [event(.entered)])], at: noon)
    #expect(try presences.deletePresence(of: SubjectID("D1")))
    #expect(try !presences.deletePresence(of: SubjectID("D1")))
    #expect(try presences.record([change("D1", from: 1)], at: noon) == .conflict([SubjectID("D1")]))
    #expect(try presences.record([change("D1")], at: noon) == .recorded([]))
    #expect(try presences.events(limit: 9).count == 1)
  }

  @Test func `a full disk keeps what was accepted, and takes more when there is space`() throws {
    try database.execute("PRAGMA max_page_count = 60")
    let snapshot = [UInt8](repeating: 7, count: 9000)
    var accepted = 0
    let error = try #require(throws: DatabaseError.self) {
      while accepted < 1000 {
        let next = change(
          "D\(accepted)", snapshot, from: 0, [event(.passed, after: Double(accepted))])
        _ = try presences.record([next], at: noon)
        accepted += 1
      }
    }
    #expect(error.reason == .diskFull)
    #expect(error.description.contains("the disk is full; what was accepted before is kept"))
    #expect(accepted > 5)
    let others = PresenceRepository(database: try Database(path: folder.path("doorstep.db")))
    #expect(try others.events(limit: 2000).count == accepted)
    for index in 0..<accepted {
      #expect(try others.presence(of: SubjectID("D\(index)"))?.snapshot == snapshot)
    }
    try database.execute("PRAGMA max_page_count = 1000")
    let next = change("D\(accepted)", snapshot, from: 0, [event(.passed, after: Double(accepted))])
    #expect(newEvents(try presences.record([next], at: noon))?.count == 1)
  }
}
