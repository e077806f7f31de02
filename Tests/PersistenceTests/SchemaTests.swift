import TestSupport
import Testing

@testable import Persistence

@Suite struct SchemaTests {
  private let database: Database
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    database = try Database(path: folder.path("doorstep.db"))
  }

  private var version: Int { get throws { try database.integer("PRAGMA user_version") } }

  @Test func `only the migrations that are missing run, in order and once`() throws {
    let next =
      Schema.migrations + [
        "CREATE TABLE extra (value INTEGER NOT NULL) STRICT; INSERT INTO extra VALUES (1)",
        "UPDATE extra SET value = value * 10 + 2",
      ]
    try Schema.migrate(database, using: next)
    #expect(try version == next.count)
    #expect(try database.integer("SELECT value FROM extra") == 12)
    try Schema.migrate(database, using: next)
    #expect(try database.integer("SELECT value FROM extra") == 12)
  }

  @Test func `a migration that fails leaves the version before, and nothing half`() throws {
    let before = try version
    let broken = Schema.migrations + ["CREATE TABLE extra (value INTEGER) STRICT", "NONSENSE"]
    #expect(throws: DatabaseError.self) { try Schema.migrate(database, using: broken) }
    #expect(try version == before)
    #expect(try database.integer("SELECT count(*) FROM sqlite_schema WHERE name = 'extra'") == 0)
  }

  @Test func `every table checks the types of what it holds`() throws {
    let loose = try database.integer(
      "SELECT count(*) FROM pragma_table_list WHERE type = 'table' AND NOT strict "
        + "AND name NOT LIKE 'sqlite_%'")
    #expect(loose == 0)
  }
}
