import Foundation
import Geo
import Geofencing
import TestSupport
import Testing

@testable import Persistence

/// Punches of which each comes with the answer to its request, so that half of one would show.
private enum Terminal {
  static let employments = 3

  static func write(_ number: Int, to database: Database) throws {
    let punches = PunchRepository(database: database)
    try database.transaction(failure: { $0 as any Error }) {
      let sequence = number / employments
      guard case .recorded = try punches.append(punch(number), after: sequence) else {
        Issue.record("a conflict where there is one writer")
        return
      }
      try IdempotencyRepository(database: database).store(answer(number), for: scope(number))
    }
  }

  static func punch(_ number: Int) -> Punch {
    Punch(
      kind: number / employments % 2 == 0 ? .clockIn : .clockOut,
      employment: number % employments, user: 7, store: Fence.ID("S"),
      time: noon.advanced(bySeconds: Double(number)),
      origin: Punch.Origin(idempotencyKey: "\(number)"))
  }

  static func scope(_ number: Int) -> IdempotencyRepository.Scope {
    .init(user: 7, route: "POST S/clock", key: "\(number)")
  }

  static func answer(_ number: Int) -> IdempotencyRepository.StoredAnswer {
    .init(fingerprint: [1], status: 201, body: Array("\(number)".utf8), storedAt: noon)
  }

  /// How many punches a file holds, all of them whole and with their answers.
  static func punches(in path: String) throws -> Int {
    let database = try Database(path: path)
    let punches = PunchRepository(database: database)
    let answers = IdempotencyRepository(database: database)
    var count = 0
    try punches.forEachPunch { stored throws(DatabaseError) in
      let number = (stored.sequence - 1) * employments + stored.punch.employment
      #expect(stored.punch == punch(number))
      #expect(try answers.answer(for: scope(number), storedSince: noon) == answer(number))
      count += 1
    }
    #expect(try answers.answer(for: scope(count), storedSince: noon) == nil)
    for employment in 0..<employments {
      let last = try punches.punches(of: employment).last
      #expect(try punches.head(of: employment)?.lastSequence == last?.sequence)
    }
    return count
  }
}

@Suite struct PunchCrashTests {
  private static let databaseKey = "DOORSTEP_TEST_TERMINAL_DATABASE"
  private static let environment = ProcessInfo.processInfo.environment

  /// What the next test starts in a process of its own.
  @Test(.enabled(if: environment[databaseKey] != nil))
  func punchUntilKilled() throws {
    let path = try #require(PunchCrashTests.environment[PunchCrashTests.databaseKey])
    let acknowledged = open(path + ".acknowledged", O_CREAT | O_WRONLY | O_APPEND, 0o600)
    let database = try Database(path: path)
    for number in 0..<100_000 {
      try Terminal.write(number, to: database)
      try #require(write(acknowledged, "+", 1) == 1)
    }
  }

  @Test(.enabled(if: environment[databaseKey] == nil), arguments: [0, 30])
  func `a process killed while it punches loses no punch and no answer`(least: Int) throws {
    let folder = try TemporaryFolder()
    let process = try startTestRun(
      only: "punchUntilKilled",
      environment: [PunchCrashTests.databaseKey: folder.path("doorstep.db")])
    defer { process.waitUntilExit() }
    let deadline = ContinuousClock.now.advanced(by: .seconds(30))
    while acknowledged(folder) <= least, process.isRunning {
      try #require(ContinuousClock.now < deadline, "the writer does not write")
      usleep(500)
    }
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    #expect(process.terminationReason == .uncaughtSignal)
    let count = acknowledged(folder)
    #expect(count > least)
    // The last one may have been written and not yet acknowledged.
    #expect([count, count + 1].contains(try Terminal.punches(in: folder.path("doorstep.db"))))
  }

  private func acknowledged(_ folder: TemporaryFolder) -> Int {
    FileManager.default.contents(atPath: folder.path("doorstep.db.acknowledged"))?.count ?? 0
  }

  @Test func `a log cut anywhere holds punches and their answers together`() throws {
    let folder = try TemporaryFolder()
    let database = try Database(path: folder.path("doorstep.db"))
    // Pages that are in the file already could not be cut off the log.
    try database.execute("PRAGMA wal_autocheckpoint = 0")
    var random = SeededGenerator(seed: 9)
    for number in 0..<30 {
      try Terminal.write(number, to: database)
      guard number % 3 == 0 else { continue }
      let file = try #require(FileManager.default.contents(atPath: folder.path("doorstep.db")))
      let log = try #require(FileManager.default.contents(atPath: folder.path("doorstep.db-wal")))
      for cut in [log.count, .random(in: 0..<log.count, using: &random), log.count - 1] {
        let copy = folder.path("copy\(number)-\(cut).db")
        try file.write(to: URL(filePath: copy))
        try log.prefix(cut).write(to: URL(filePath: copy + "-wal"))
        let count = try Terminal.punches(in: copy)
        #expect(cut == log.count ? count == number + 1 : count <= number)
      }
    }
  }
}
