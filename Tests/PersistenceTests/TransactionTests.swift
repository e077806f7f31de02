import TestSupport
import Testing

@testable import Persistence

@Suite struct TransactionTests {
  private enum Refusal: Error, Equatable {
    case refused
    case database(DatabaseError)
  }

  private let folder: TemporaryFolder
  private let database: Database

  init() throws {
    folder = try TemporaryFolder()
    database = try Database(path: folder.path + "/doorstep.db")
    try database.execute("CREATE TABLE numbers (value INTEGER NOT NULL UNIQUE) STRICT")
  }

  private func add(_ value: Int) throws(Refusal) {
    do { try database.run("INSERT INTO numbers VALUES (?)", [DatabaseValue(value)]) } catch {
      throw .database(error)
    }
  }

  private func part(_ value: Int, refusing: Bool = false) throws(Refusal) {
    try database.transaction(wrapping: Refusal.database) { () throws(Refusal) in
      try add(value)
      if refusing { throw .refused }
    }
  }

  private var sum: Int { get throws { try database.integer("SELECT sum(value) FROM numbers") } }

  @Test func `a part that is refused is undone for itself, and the rest is kept`() throws {
    try database.transaction(wrapping: Refusal.database) { () throws(Refusal) in
      try part(1)
      do { try part(10, refusing: true) } catch {}
      try part(100)
    }
    #expect(try sum == 101)
  }

  @Test func `a part is lost with the whole`() throws {
    #expect(throws: Refusal.refused) {
      try database.transaction(wrapping: Refusal.database) { () throws(Refusal) in
        try part(1)
        throw .refused
      }
    }
    #expect(try sum == 0)
    try part(5)
    #expect(try sum == 5)
  }

  @Test func `a failure of the database comes as the body's own error and undoes all`() throws {
    try part(1)
    let error = #expect(throws: Refusal.self) {
      try database.transaction(wrapping: Refusal.database) { () throws(Refusal) in
        try part(2)
        try part(1)
      }
    }
    guard case .database(let cause) = error else {
      Issue.record("not the database's: \(String(describing: error))")
      return
    }
    #expect(cause.reason == .constraint)
    #expect(try sum == 1)
  }
}
