import Foundation
import Geo
import Geofencing
import TestSupport
import Testing

@testable import Persistence

/// A run of transactions of which each leaves a trace in all tables, so that a half one would show.
private enum Writer {
  static let subjects = 5

  static func change(_ number: Int) -> PresenceRepository.Change {
    let subject = SubjectID("D\(number % subjects)")
    let time = noon.advanced(bySeconds: Double(number))
    let visit = VisitID(subject: subject, fence: Fence.ID("S"), entry: time)
    let events = [FenceEvent.Kind.entered, .exited].map {
      FenceEvent(
        kind: $0, subject: subject, fence: Fence.ID("S"), visit: visit, time: time,
        confirmedAt: time,
        rule: .twoFixes)
    }
    return .init(
      subject: subject, format: number, snapshot: snapshot(number),
      fromRevision: number / subjects, events: events)
  }

  static func snapshot(_ number: Int) -> [UInt8] {
    [UInt8](repeating: UInt8(number % 251), count: 3000 + number % 100)
  }

  static func write(_ number: Int, to presences: PresenceRepository) throws {
    guard case .recorded(let events) = try presences.record([change(number)], at: noon) else {
      Issue.record("a conflict where there is one writer")
      return
    }
    #expect(events.count == 2)
  }

  /// How many transactions a file holds, all of them whole.
  static func transactions(in path: String) throws -> Int {
    let database = try Database(path: path)
    var verdict = ""
    try database.rows("PRAGMA integrity_check") { row throws(DatabaseError) in
      verdict = try row.text(0)
    }
    #expect(verdict == "ok")
    let presences = PresenceRepository(database: database)
    let events = try presences.events(limit: .max)
    let count = events.count / 2
    #expect(events.map(\.event) == (0..<count).flatMap { change($0).events })
    for subject in 0..<min(subjects, count) {
      let last = (count - 1 - subject) / subjects * subjects + subject
      let id = SubjectID("D\(subject)")
      let presence = try presences.presence(of: id)
      #expect(presence?.snapshot == snapshot(last))
      #expect(presence?.revision == last / subjects + 1)
      #expect(try presences.visits(of: id).count == last / subjects + 1)
      #expect(try presences.visits(of: id).allSatisfy { $0.exit != nil })
    }
    return count
  }
}

@Suite struct CrashTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let databaseKey = "DOORSTEP_TEST_WRITER_DATABASE"

  /// What the next test starts in a process of its own.
  @Test(.enabled(if: environment[databaseKey] != nil))
  func writeUntilKilled() throws {
    let path = try #require(CrashTests.environment[CrashTests.databaseKey])
    let acknowledged = open(path + ".acknowledged", O_CREAT | O_WRONLY | O_APPEND, 0o600)
    let presences = PresenceRepository(database: try Database(path: path))
    for number in 0..<100_000 {
      try Writer.write(number, to: presences)
      try #require(write(acknowledged, "+", 1) == 1)
    }
  }

  @Test(.enabled(if: environment[databaseKey] == nil), arguments: [0, 3, 40])
  func `a process killed while it writes loses nothing it acknowledged`(least: Int) throws {
    let folder = try TemporaryFolder()
    let process = try startTestRun(
      only: "writeUntilKilled",
      environment: [CrashTests.databaseKey: folder.path("doorstep.db")])
    defer { process.waitUntilExit() }
    let deadline = ContinuousClock.now.advanced(by: .seconds(30))
    while try acknowledged(folder) <= least, process.isRunning {
      try #require(ContinuousClock.now < deadline, "the writer does not write")
      usleep(500)
    }
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    #expect(process.terminationReason == .uncaughtSignal)
    let count = try acknowledged(folder)
    #expect(count > least)
    // The last one may have been written and not yet acknowledged.
    #expect([count, count + 1].contains(try Writer.transactions(in: folder.path("doorstep.db"))))
  }

  private func acknowledged(_ folder: TemporaryFolder) throws -> Int {
    FileManager.default.contents(atPath: folder.path("doorstep.db.acknowledged"))?.count ?? 0
  }

  @Test func `a log cut anywhere, as by a power cut, holds a beginning of what was written`() throws
  {
    let folder = try TemporaryFolder()
    let database = try Database(path: folder.path("doorstep.db"))
    // Pages that are in the file already could not be cut off the log.
    try database.execute("PRAGMA wal_autocheckpoint = 0")
    let presences = PresenceRepository(database: database)
    var random = SeededGenerator(seed: 6)
    var copies = 0
    for number in 0..<60 {
      try Writer.write(number, to: presences)
      guard number % 4 == 0 else { continue }
      let file = try #require(FileManager.default.contents(atPath: folder.path("doorstep.db")))
      let log = try #require(FileManager.default.contents(atPath: folder.path("doorstep.db-wal")))
      for cut in [log.count, .random(in: 0..<log.count, using: &random), log.count - 1] {
        copies += 1
        let copy = folder.path("copy\(copies).db")
        try file.write(to: URL(filePath: copy))
        try log.prefix(cut).write(to: URL(filePath: copy + "-wal"))
        let count = try Writer.transactions(in: copy)
        #expect(cut == log.count ? count == number + 1 : count <= number)
      }
    }
  }
}
