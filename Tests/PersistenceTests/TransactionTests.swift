import TestSupport
import Testing

@testable import Persistence

@Suite struct TransactionTests {
  private struct Failure: Error {}

  private let folder: TemporaryFolder
  private let database: Database

  init() throws {
    folder = try TemporaryFolder()
    database = try Database(path: folder.path("doorstep.db"))
    try database.execute("CREATE TABLE notes (text TEXT NOT NULL) STRICT")
  }

  private func note(_ text: String) throws(DatabaseError) {
    _ = try database.transaction { () throws(DatabaseError) in
      try database.run("INSERT INTO notes VALUES (?)", [.text(text)])
    }
  }

  private func notes() throws -> [String] {
    var notes: [String] = []
    let other = try Database(path: folder.path("doorstep.db"))
    try other.rows("SELECT text FROM notes ORDER BY rowid") { row throws(DatabaseError) in
      notes.append(try row.text(0))
    }
    return notes
  }

  private func together(_ body: () throws -> Void) throws {
    try database.transaction(failure: { $0 as any Error }, body)
  }

  @Test func `nothing of a transaction is seen before its end, and then all`() throws {
    try together {
      try note("a")
      try note("b")
      #expect(try notes() == [])
    }
    #expect(try notes() == ["a", "b"])
  }

  @Test func `where the whole fails its parts are undone`() throws {
    #expect(throws: Failure.self) {
      try together {
        try note("a")
        try together { try note("b") }
        throw Failure()
      }
    }
    #expect(try notes() == [])
    try note("c")
    #expect(try notes() == ["c"])
  }

  @Test func `where a part fails the rest can go on without it`() throws {
    try together {
      try note("a")
      #expect(throws: Failure.self) {
        try together {
          try note("b")
          try together { try note("c") }
          throw Failure()
        }
      }
      try note("d")
    }
    #expect(try notes() == ["a", "d"])
  }

  @Test func `the database's own errors are given to the caller as the caller wants them`() throws {
    enum Mine: Error, Equatable { case database(DatabaseError.Reason) }
    let other = try Database(path: folder.path("doorstep.db"), busyMilliseconds: 1)
    try together {
      #expect(throws: Mine.database(.busy)) {
        try other.transaction(failure: { Mine.database($0.reason) }) { () throws(Mine) in }
      }
    }
  }
}
