import CSQLite

/// Why a database could not be read or written; its description says what can be done.
///
/// It holds no bound value, so that nobody's position gets into a log.
package struct DatabaseError: Error, Equatable, CustomStringConvertible {
  package enum Reason: Equatable, Sendable {
    case folderMissing
    case notPermitted
    case notADatabase
    /// An SQLite database, but of another program.
    case foreign
    /// Written by a newer version of this program.
    case newerSchema(found: Int, known: Int)
    case corrupt
    case readOnly
    /// Another process held the database for longer than the busy timeout.
    case busy
    case diskFull
    case inputOutput
    /// A value that the schema refuses.
    case constraint
    /// A value in the database that is none of ours, as a fence without an area.
    case invalidRow
    /// Neither `XDG_DATA_HOME` nor `HOME` names a folder.
    case homeMissing
    case other
  }

  package let reason: Reason
  /// SQLite's extended result code; 0 where the database itself found no fault.
  package let code: Int32
  package let message: String
  /// The statement that failed, without its values; nil where there was none.
  package let sql: String?
  package let path: String

  init(_ reason: Reason, message: String = "", path: String) {
    self.reason = reason
    code = 0
    self.message = message
    sql = nil
    self.path = path
  }

  init(code: Int32, message: String, sql: String?, path: String) {
    self.code = code
    self.message = message
    self.sql = sql
    self.path = path
    reason =
      switch code & 0xff {
      case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH: .notPermitted
      case SQLITE_NOTADB: .notADatabase
      case SQLITE_CORRUPT: .corrupt
      case SQLITE_READONLY: .readOnly
      case SQLITE_BUSY, SQLITE_LOCKED: .busy
      case SQLITE_FULL: .diskFull
      case SQLITE_IOERR: .inputOutput
      case SQLITE_CONSTRAINT, SQLITE_TOOBIG, SQLITE_MISMATCH: .constraint
      default: .other
      }
  }

  package var description: String {
    let statement = sql.map { " [\($0)]" } ?? ""
    let details = message.isEmpty ? "" : " (\(message)\(statement))"
    return "database '\(path)': \(advice)\(details)"
  }

  private var advice: String {
    switch reason {
    case .folderMissing: "its folder does not exist; create it, or choose another file"
    case .notPermitted:
      "it cannot be opened; its folder and it must be yours to write, or choose another file"
    case .notADatabase: "the file is no database; move it away, or choose another file"
    case .foreign: "the file is another program's database; choose another file"
    case .newerSchema(let found, let known):
      "it was written by a newer version of this program (schema \(found), this one knows \(known)); "
        + "use that version, or choose another file"
    case .corrupt: "the file is damaged; restore it from a backup, or move it away to begin afresh"
    case .readOnly: "it cannot be written; make the file and its folder yours to write"
    case .busy: "another process is using it; end that, or try again"
    case .diskFull:
      "the disk is full; what was accepted before is kept, free some space and try again"
    case .inputOutput: "the disk failed to read or write; look at the system's log"
    case .constraint: "a value was refused, and nothing of that change was kept"
    case .invalidRow: "it holds a value that this program did not write; restore it from a backup"
    case .homeMissing: "neither XDG_DATA_HOME nor HOME names a folder; set one, or choose a file"
    case .other: "it could not be used"
    }
  }
}
