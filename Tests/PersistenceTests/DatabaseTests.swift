import Foundation
import Geo
import Geofencing
import TestSupport
import Testing

@testable import Persistence

@Suite struct DatabaseTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func error(opening path: String) throws -> DatabaseError {
    try #require(throws: DatabaseError.self) { _ = try Database(path: path) }
  }

  @Test func `a new file is for its owner alone, and so are those beside it`() throws {
    let database = try Database(path: folder.path("doorstep.db"))
    try database.run("UPDATE fence_set SET revision = 1")
    for name in ["doorstep.db", "doorstep.db-wal", "doorstep.db-shm"] {
      let attributes = try FileManager.default.attributesOfItem(atPath: folder.path(name))
      #expect(attributes[.posixPermissions] as? Int == 0o600)
    }
  }

  @Test func `what is acknowledged is flushed, in write-ahead mode`() throws {
    let database = try Database(path: folder.path("doorstep.db"))
    #expect(try database.integer("PRAGMA synchronous") == 2)
    var mode = ""
    try database.rows("PRAGMA journal_mode") { row throws(DatabaseError) in mode = try row.text(0) }
    #expect(mode == "wal")
    #expect(try database.integer("PRAGMA foreign_keys") == 1)
  }

  @Test func `a missing folder is said to be missing`() throws {
    let error = try error(opening: folder.path("nowhere/doorstep.db"))
    #expect(error.reason == .folderMissing)
    #expect(
      error.description.contains("/nowhere/doorstep.db': its folder does not exist; create it"))
  }

  @Test func `a folder is no database`() throws {
    #expect(try error(opening: folder.path).reason == .notPermitted)
  }

  @Test func `a file of anything else is no database, and is left as it was`() throws {
    let text = Data(String(repeating: "{\"type\": \"FeatureCollection\"}\n", count: 200).utf8)
    try text.write(to: URL(filePath: folder.path("doorstep.db")))
    #expect(try error(opening: folder.path("doorstep.db")).reason == .notADatabase)
    #expect(try Data(contentsOf: URL(filePath: folder.path("doorstep.db"))) == text)
  }

  @Test func `another program's database is left as it was`() throws {
    do {
      let database = try Database(path: folder.path("doorstep.db"))
      try database.execute("PRAGMA application_id = 7; PRAGMA journal_mode = DELETE")
    }
    let before = try Data(contentsOf: URL(filePath: folder.path("doorstep.db")))
    #expect(try error(opening: folder.path("doorstep.db")).reason == .foreign)
    #expect(try Data(contentsOf: URL(filePath: folder.path("doorstep.db"))) == before)
  }

  @Test func `a newer version's database is left as it was, and both versions are told`() throws {
    let known = Schema.migrations.count
    do {
      let database = try Database(path: folder.path("doorstep.db"))
      try database.execute("PRAGMA user_version = \(known + 1)")
    }
    let before = try Data(contentsOf: URL(filePath: folder.path("doorstep.db")))
    let error = try error(opening: folder.path("doorstep.db"))
    #expect(error.reason == .newerSchema(found: known + 1, known: known))
    #expect(error.description.contains("(schema \(known + 1), this one knows \(known)); use that"))
    #expect(try Data(contentsOf: URL(filePath: folder.path("doorstep.db"))) == before)
  }

  @Test func `a damaged file is an error, not an answer`() throws {
    do {
      let fences = FenceRepository(database: try Database(path: folder.path("doorstep.db")))
      let area = Fence.Area.circle(
        center: Coordinate(latitude: 48, longitude: 11)!, radius: .meters(200))
      try fences.upsert((0..<2000).map { Fence(id: Fence.ID("F\($0)"), area: area) }, at: noon)
    }
    var bytes = try Data(contentsOf: URL(filePath: folder.path("doorstep.db")))
    for index in stride(from: 8192, to: bytes.count, by: 3) { bytes[index] = 0xff }
    try bytes.write(to: URL(filePath: folder.path("doorstep.db")))
    let error = try #require(throws: DatabaseError.self) {
      let fences = FenceRepository(database: try Database(path: folder.path("doorstep.db")))
      _ = try fences.all()
    }
    #expect(error.reason == .corrupt)
    #expect(error.description.contains("the file is damaged; restore it from a backup"))
  }

  @Test func `a file that cannot be written is said to be so`() throws {
    do { _ = try Database(path: folder.path("doorstep.db")) }
    let files = FileManager.default
    try files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
    try files.setAttributes([.posixPermissions: 0o444], ofItemAtPath: folder.path("doorstep.db"))
    let error = try withoutPrivileges { try self.error(opening: folder.path("doorstep.db")) }
    #expect(error.reason == .readOnly)
    #expect(error.description.contains("make the file and its folder yours to write"))
  }

  @Test func `a folder that cannot be written is said to be so, with and without a file`() throws {
    do { _ = try Database(path: folder.path("doorstep.db")) }
    let files = FileManager.default
    try files.setAttributes([.posixPermissions: 0o666], ofItemAtPath: folder.path("doorstep.db"))
    try files.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder.path)
    for name in ["doorstep.db", "other.db"] {
      let error = try withoutPrivileges { try self.error(opening: folder.path(name)) }
      #expect([.notPermitted, .readOnly].contains(error.reason))
    }
  }

  @Test func `where one process writes another waits, and is told when it waited in vain`() throws {
    let one = try Database(path: folder.path("doorstep.db"))
    let other = try Database(path: folder.path("doorstep.db"), busyMilliseconds: 20)
    try one.run("BEGIN IMMEDIATE")
    let error = try #require(throws: DatabaseError.self) {
      try other.transaction { () throws(DatabaseError) in
        _ = try other.run("UPDATE fence_set SET revision = 7")
      }
    }
    #expect(error.reason == .busy)
    #expect(try other.integer("SELECT revision FROM fence_set") == 0)
    try one.run("COMMIT")
    try other.run("UPDATE fence_set SET revision = 7")
    #expect(try one.integer("SELECT revision FROM fence_set") == 7)
  }

  @Test func `many that begin at once make one database`() async throws {
    let path = folder.path("doorstep.db")
    try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<8 {
        group.addTask {
          try Database(path: path).run("UPDATE fence_set SET revision = revision + 1")
        }
      }
      for try await changed in group { #expect(changed == 1) }
    }
    #expect(try Database(path: path).integer("SELECT revision FROM fence_set") == 8)
  }

  @Test func `a transaction that fails leaves nothing, and the database usable`() throws {
    let database = try Database(path: folder.path("doorstep.db"))
    let error = try #require(throws: DatabaseError.self) {
      try database.transaction { () throws(DatabaseError) in
        try database.run("UPDATE fence_set SET revision = 5")
        try database.run("INSERT INTO fence_set VALUES (2, 'secret')")
      }
    }
    #expect(error.reason == .constraint)
    #expect(error.sql == "INSERT INTO fence_set VALUES (2, 'secret')")
    #expect(try database.integer("SELECT revision FROM fence_set") == 0)
    try database.transaction { () throws(DatabaseError) in
      _ = try database.run("UPDATE fence_set SET revision = 6")
    }
    #expect(try database.integer("SELECT revision FROM fence_set") == 6)
  }

  @Test func `an error does not tell bound values`() throws {
    let database = try Database(path: folder.path("doorstep.db"))
    let error = try #require(throws: DatabaseError.self) {
      try database.run("INSERT INTO fence_set VALUES (?, ?)", [.integer(48_137), .integer(1)])
    }
    #expect(!error.description.contains("48137"))
  }

  @Test func `a statement can run within its own rows`() throws {
    let database = try Database(path: folder.path("doorstep.db"))
    let sql = "SELECT value FROM json_each('[1, 2, 3]')"
    var seen: [Int] = []
    try database.rows(sql) { row throws(DatabaseError) in
      try database.rows(sql) { inner throws(DatabaseError) in
        seen.append(10 * (try row.integer(0)) + (try inner.integer(0)))
      }
    }
    #expect(seen == [11, 12, 13, 21, 22, 23, 31, 32, 33])
  }
}
