import CSQLite
import Glibc

/// An open SQLite database that has this program's schema.
///
/// It belongs to one task at a time: it is not `Sendable`, and an actor that shares it is its owner.
/// What a transaction has committed survives a crash and a power cut (WAL, `synchronous=FULL`).
package final class Database {
  package let path: String
  private let handle: OpaquePointer
  /// Prepared statements that nobody is stepping through, by their SQL.
  private var idle: [String: OpaquePointer] = [:]

  /// Opens a file, making it, or bringing its schema up to date, where needed.
  ///
  /// A new file can be read by its owner alone. Waits for other processes for `busyMilliseconds` at
  /// most, at this and at every later statement.
  package init(path: String, busyMilliseconds: Int32 = 5000) throws(DatabaseError) {
    self.path = path
    try createPrivateFile(path)
    var opened: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    // A path is a path: SQLite has names of its own for what is in no file.
    let plainPath = path.hasPrefix("/") ? path : "./" + path
    let code = sqlite3_open_v2(plainPath, &opened, flags, nil)
    guard code == SQLITE_OK, let opened else {
      sqlite3_close_v2(opened)
      throw DatabaseError(
        code: code, message: String(cString: sqlite3_errstr(code)), sql: nil, path: path)
    }
    handle = opened
    sqlite3_busy_timeout(handle, busyMilliseconds)
    guard sqlite3_db_readonly(handle, "main") == 0 else {
      throw DatabaseError(.readOnly, path: path)
    }
    try Schema.verify(self)
    // Each only concerns this connection, but for the first, which the file remembers.
    try execute("PRAGMA journal_mode = WAL")
    try execute("PRAGMA synchronous = FULL")
    try execute("PRAGMA foreign_keys = ON")
    try execute("PRAGMA trusted_schema = OFF")
    try Schema.migrate(self)
  }

  deinit {
    for statement in idle.values { sqlite3_finalize(statement) }
    sqlite3_close_v2(handle)
  }

  /// Runs one statement and returns how many rows it inserted, updated or deleted.
  @discardableResult
  func run(_ sql: String, _ values: [DatabaseValue] = []) throws(DatabaseError) -> Int {
    try rows(sql, values) { _ in }
    return Int(sqlite3_changes64(handle))
  }

  /// Runs one statement and passes each row of its answer to `body`, one at a time.
  func rows(
    _ sql: String, _ values: [DatabaseValue] = [],
    _ body: (DatabaseRow) throws(DatabaseError) -> Void
  ) throws(DatabaseError) {
    let statement = try takeStatement(sql)
    defer { putBack(statement, sql) }
    for (index, value) in values.enumerated() {
      try check(value.bind(to: statement, at: Int32(index + 1)), sql)
    }
    while true {
      let code = sqlite3_step(statement)
      if code == SQLITE_DONE { return }
      guard code == SQLITE_ROW else { return try check(code, sql) }
      try body(DatabaseRow(statement: statement, path: path))
    }
  }

  /// The whole number that a statement answers; 0 where it has no row.
  func integer(_ sql: String, _ values: [DatabaseValue] = []) throws(DatabaseError) -> Int {
    var result = 0
    try rows(sql, values) { row throws(DatabaseError) in result = try row.integer(0) }
    return result
  }

  /// Runs statements that have no values, separated by semicolons.
  func execute(_ sql: String) throws(DatabaseError) {
    try check(sqlite3_exec(handle, sql, nil, nil, nil), sql)
  }

  /// Runs `body` so that all it writes is kept or, where it throws, nothing.
  ///
  /// The right to write is taken at the start, so that nothing that was read can change before the
  /// end. Within another transaction it is a part of that, kept or undone for itself, and lost with
  /// the whole.
  package func transaction<Result>(
    _ body: () throws(DatabaseError) -> Result
  ) throws(DatabaseError) -> Result {
    try transaction(wrapping: { $0 }, body)
  }

  /// The same for a body with errors of its own, of which `wrap` makes one for the database's.
  package func transaction<Result, Failure: Error>(
    wrapping wrap: (DatabaseError) -> Failure, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let isOutermost = sqlite3_get_autocommit(handle) != 0
    do { try run(isOutermost ? "BEGIN IMMEDIATE" : "SAVEPOINT part") } catch { throw wrap(error) }
    do throws(Failure) {
      let result = try body()
      do { try run(isOutermost ? "COMMIT" : "RELEASE part") } catch { throw wrap(error) }
      return result
    } catch {
      // A full disk may have ended the transaction already; and the first error is the one to tell.
      if sqlite3_get_autocommit(handle) == 0 {
        _ = try? execute(isOutermost ? "ROLLBACK" : "ROLLBACK TO part; RELEASE part")
      }
      throw error
    }
  }

  private func takeStatement(_ sql: String) throws(DatabaseError) -> OpaquePointer {
    if let statement = idle.removeValue(forKey: sql) { return statement }
    var statement: OpaquePointer?
    try check(
      sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil), sql)
    guard let statement else { preconditionFailure("a statement is needed, found '\(sql)'") }
    return statement
  }

  /// Ends a statement's run; where its SQL was run again meanwhile, one of the two is enough.
  private func putBack(_ statement: OpaquePointer, _ sql: String) {
    sqlite3_reset(statement)
    sqlite3_clear_bindings(statement)
    if let other = idle.updateValue(statement, forKey: sql) { sqlite3_finalize(other) }
  }

  private func check(_ code: Int32, _ sql: String) throws(DatabaseError) {
    guard code != SQLITE_OK else { return }
    throw DatabaseError(
      code: code, message: String(cString: sqlite3_errmsg(handle)), sql: sql, path: path)
  }
}

/// Makes an empty file that only its owner can read; SQLite gives the files beside it the same mode.
private func createPrivateFile(_ path: String) throws(DatabaseError) {
  let descriptor = open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
  guard descriptor < 0 else {
    close(descriptor)
    return
  }
  let problem = errno
  guard problem != EEXIST else { return }
  let reason: DatabaseError.Reason =
    switch problem {
    case ENOENT, ENOTDIR: .folderMissing
    case EROFS: .readOnly
    case ENOSPC, EDQUOT: .diskFull
    default: .notPermitted
    }
  throw DatabaseError(reason, message: String(cString: strerror(problem)), path: path)
}
