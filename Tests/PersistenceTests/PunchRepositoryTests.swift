import Geo
import Geofencing
import TestSupport
import Testing

@testable import Persistence

@Suite struct PunchRepositoryTests {
  private let folder: TemporaryFolder
  private let database: Database
  private let punches: PunchRepository

  init() throws {
    folder = try TemporaryFolder()
    database = try Database(path: folder.path("doorstep.db"))
    punches = PunchRepository(database: database)
  }

  private func punch(
    _ kind: Punch.Kind, employment: Int = 1, user: Int = 7, after seconds: Double = 0
  ) -> Punch {
    Punch(
      kind: kind, employment: employment, user: user, store: Fence.ID("S"),
      time: noon.advanced(bySeconds: seconds))
  }

  @Test func `every field of every punch is read as it was written`() throws {
    var random = SeededGenerator(seed: 8)
    let written = (0..<300).map { random.punch(employment: $0 % 4, revision: $0) }
    for (index, punch) in written.enumerated() {
      let outcome = try punches.append(punch, after: index / 4)
      #expect(
        outcome
          == .recorded(StoredPunch(id: index + 1, sequence: index / 4 + 1, punch: punch)))
    }
    let others = PunchRepository(database: try Database(path: folder.path("doorstep.db")))
    var read: [Punch] = []
    try others.forEachPunch { stored throws(DatabaseError) in read.append(stored.punch) }
    let expected = (0..<4).flatMap { rest in
      written.enumerated().filter { $0.offset % 4 == rest }.map(\.element)
    }
    #expect(read == expected)
    #expect(try others.punch(17)?.punch == written[16])
    #expect(try others.punch(301) == nil)
  }

  @Test func `a punch follows the one that its writer knew, or is a conflict`() throws {
    let others = PunchRepository(database: try Database(path: folder.path("doorstep.db")))
    guard case .recorded = try punches.append(punch(.clockIn), after: 0) else {
      Issue.record("not recorded")
      return
    }
    #expect(try others.append(punch(.clockIn), after: 0) == .conflict(lastSequence: 1))
    #expect(try others.append(punch(.clockOut), after: 2) == .conflict(lastSequence: 1))
    #expect(
      try others.append(punch(.clockIn, employment: 2), after: 1) == .conflict(lastSequence: 0))
    #expect(try punches.punches(of: 1).count == 1)
    #expect(try punches.punches(of: 2).isEmpty)
  }

  @Test func `no punch can be changed or deleted`() throws {
    _ = try punches.append(punch(.clockIn), after: 0)
    for statement in [
      "UPDATE punches SET time = 0", "DELETE FROM punches",
    ] {
      #expect(throws: DatabaseError.self) { try database.run(statement) }
    }
    #expect(try punches.punches(of: 1).map(\.punch) == [punch(.clockIn)])
  }

  @Test func `a clock-in from outside does not get into the file`() throws {
    let outside = Punch(
      kind: .clockIn, employment: 1, user: 7, store: Fence.ID("S"), time: noon, isOutside: true)
    let error = #expect(throws: DatabaseError.self) { try punches.append(outside, after: 0) }
    #expect(error?.reason == .constraint)
    #expect(try punches.head(of: 1) == nil)
  }

  @Test func `a shift is open from its clock-in to its clock-out, breaks or not`() throws {
    let kinds: [Punch.Kind] = [.clockIn, .breakStart, .breakEnd, .clockOut, .clockIn]
    let expected: [Double?] = [0, 0, 0, nil, 240]
    for (index, (kind, since)) in zip(kinds, expected).enumerated() {
      _ = try punches.append(punch(kind, after: Double(index) * 60), after: index)
      let head = try #require(try punches.head(of: 1))
      #expect(head.lastSequence == index + 1)
      #expect(head.clockedInSince == since.map { noon.advanced(bySeconds: $0) })
      #expect(try punches.openShifts(of: 7) == (since == nil ? [] : [head]))
      #expect(try punches.openShifts(of: 8).isEmpty)
    }
  }

  @Test func `punches are read from the shift on that reaches into the time asked for`() throws {
    let kinds: [(Punch.Kind, Double)] = [
      (.clockIn, 0), (.clockOut, 100), (.clockIn, 200), (.breakStart, 250), (.breakEnd, 300),
      (.clockOut, 400), (.clockIn, 500),
    ]
    for (index, (kind, seconds)) in kinds.enumerated() {
      _ = try punches.append(punch(kind, after: seconds), after: index)
    }
    func sequences(_ start: Double, _ end: Double? = nil) throws -> [Int] {
      try punches.punches(
        of: 1, fromShiftAt: noon.advanced(bySeconds: start),
        before: end.map { noon.advanced(bySeconds: $0) }
      ).map(\.sequence)
    }
    #expect(try sequences(-1) == [1, 2, 3, 4, 5, 6, 7])
    #expect(try sequences(199) == [1, 2, 3, 4, 5, 6, 7])
    #expect(try sequences(200) == [3, 4, 5, 6, 7])
    #expect(try sequences(450, 500) == [3, 4, 5, 6])
    #expect(try sequences(600) == [7])
  }
}

extension SeededGenerator {
  /// A punch of no sense, judged by a fence of this revision, with each part there or not.
  fileprivate mutating func punch(employment: Int, revision: Int) -> Punch {
    let origin = Punch.Origin(
      remoteAddress: maybe(text()), clientName: maybe(text()), clientVersion: maybe(text()),
      idempotencyKey: maybe(text()))
    let fence = self.fence("S")
    var settings = Fence.Settings()
    settings.minimumConfidence = fence.settings.minimumConfidence
    let fix = PunchEvidence.ReportedFix(
      coordinate: coordinate(), accuracy: maybe(.meters(.random(in: 1...500, using: &self))),
      time: timestamp(), isSimulated: .random(using: &self))
    let last = SubjectPresence.CountedFix(
      coordinate: coordinate(), time: timestamp(),
      accuracy: maybe(.meters(.random(in: 1...100, using: &self))))
    let visit = VisitID(subject: SubjectID(text()), fence: Fence.ID("S"), entry: timestamp())
    let evidence = PunchEvidence(
      fence: Fence(id: fence.id, area: fence.area, settings: settings), fenceRevision: revision,
      fix: maybe(fix), sentAt: maybe(timestamp()), lastCounted: maybe(last),
      verdict: maybe(Eligibility.Verdict.allCases.randomElement(using: &self)!),
      reason: Eligibility.Reason.allCases.randomElement(using: &self)!,
      distance: maybe(.meters(.random(in: -100...5000, using: &self))),
      confidence: maybe(.random(in: 0...1, using: &self)), visit: maybe(visit),
      rule: maybe(FenceEvent.Rule.allCases.randomElement(using: &self)!))
    let kind = Punch.Kind.allCases.randomElement(using: &self)!
    return Punch(
      kind: kind, employment: employment, user: .random(in: 1...9, using: &self),
      store: Fence.ID("S"), time: timestamp(), receivedAt: timestamp(),
      isOutside: kind != .clockIn && Bool.random(using: &self), statedReason: maybe(text()),
      origin: origin, evidence: maybe(evidence))
  }
}
