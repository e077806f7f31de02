import CSQLite
import Geo

/// A value for a statement's parameter.
enum DatabaseValue {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case bytes([UInt8])

  init(_ value: Double?) { self = value.map(DatabaseValue.real) ?? .null }
  init(_ value: String?) { self = value.map(DatabaseValue.text) ?? .null }
  init(_ value: Int) { self = .integer(Int64(value)) }
  init(_ value: Bool) { self = .integer(value ? 1 : 0) }
  init(_ value: Timestamp?) { self = value.map { .integer($0.millisecondsSince1970) } ?? .null }

  func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
    switch self {
    case .null: sqlite3_bind_null(statement, index)
    case .integer(let value): sqlite3_bind_int64(statement, index, value)
    case .real(let value): sqlite3_bind_double(statement, index, value)
    case .text(let value):
      // Counted in bytes, so that a text may hold a zero.
      sqlite3_bind_text64(
        statement, index, value, UInt64(value.utf8.count), copied, UInt8(SQLITE_UTF8))
    case .bytes(let value):
      // A null pointer, as an empty array may have, would bind NULL.
      value.isEmpty
        ? sqlite3_bind_zeroblob(statement, index, 0)
        : sqlite3_bind_blob64(statement, index, value, UInt64(value.count), copied)
    }
  }
}

/// SQLite's `SQLITE_TRANSIENT`, a cast that Swift does not import: the value is copied at once.
private var copied: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }

/// One row of an answer, valid until the next; columns count from 0.
struct DatabaseRow {
  let statement: OpaquePointer
  let path: String

  func isNull(_ column: Int32) -> Bool {
    sqlite3_column_type(statement, column) == SQLITE_NULL
  }

  func integer(_ column: Int32) throws(DatabaseError) -> Int {
    try required(integerIfAny(column).map { Int($0) }, column)
  }

  func bool(_ column: Int32) throws(DatabaseError) -> Bool { try integer(column) != 0 }

  func timestamp(_ column: Int32) throws(DatabaseError) -> Timestamp {
    try required(timestampIfAny(column), column)
  }

  func real(_ column: Int32) throws(DatabaseError) -> Double {
    try required(realIfAny(column), column)
  }

  func text(_ column: Int32) throws(DatabaseError) -> String {
    try required(textIfAny(column), column)
  }

  func bytes(_ column: Int32) throws(DatabaseError) -> [UInt8] {
    guard !isNull(column) else { throw invalid(column) }
    let count = Int(sqlite3_column_bytes(statement, column))
    guard count > 0, let start = sqlite3_column_blob(statement, column) else { return [] }
    return Array(UnsafeRawBufferPointer(start: start, count: count))
  }

  private func integerIfAny(_ column: Int32) -> Int64? {
    isNull(column) ? nil : sqlite3_column_int64(statement, column)
  }

  func timestampIfAny(_ column: Int32) -> Timestamp? {
    integerIfAny(column).map { Timestamp(millisecondsSince1970: $0) }
  }

  func realIfAny(_ column: Int32) -> Double? {
    isNull(column) ? nil : sqlite3_column_double(statement, column)
  }

  func textIfAny(_ column: Int32) -> String? {
    guard let start = sqlite3_column_text(statement, column) else { return nil }
    let count = Int(sqlite3_column_bytes(statement, column))
    return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  /// One of the cases of an enumeration, by its raw value; nil for NULL.
  func choiceIfAny<Choice: RawRepresentable<String>>(
    _ column: Int32, as type: Choice.Type
  ) throws(DatabaseError) -> Choice? {
    guard let text = textIfAny(column) else { return nil }
    return try required(Choice(rawValue: text), column)
  }

  func choice<Choice: RawRepresentable<String>>(
    _ column: Int32, as type: Choice.Type
  ) throws(DatabaseError) -> Choice {
    try required(choiceIfAny(column, as: type), column)
  }

  /// The value, or the error that this column holds none.
  func required<Value>(_ value: Value?, _ column: Int32) throws(DatabaseError) -> Value {
    guard let value else { throw invalid(column) }
    return value
  }

  private func invalid(_ column: Int32) -> DatabaseError {
    let name = sqlite3_column_name(statement, column).map { String(cString: $0) } ?? "\(column)"
    return DatabaseError(.invalidRow, message: "column \(name)", path: path)
  }
}
