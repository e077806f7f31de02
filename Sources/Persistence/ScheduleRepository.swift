import Geo
import Geofencing

/// The planned shifts of all employments.
package struct ScheduleRepository {
  private let database: Database

  package init(database: Database) { self.database = database }

  /// An entry as it is remembered.
  package struct StoredEntry: Hashable, Sendable, Identifiable {
    package let id: Int
    package let entry: ScheduleEntry

    package init(id: Int, entry: ScheduleEntry) {
      self.id = id
      self.entry = entry
    }
  }

  /// Adds entries, all or nothing, and returns them with their ids.
  @discardableResult
  package func add(_ entries: [ScheduleEntry]) throws(DatabaseError) -> [StoredEntry] {
    try database.transaction { () throws(DatabaseError) in
      var stored: [StoredEntry] = []
      for entry in entries { stored.append(StoredEntry(id: try insert(entry), entry: entry)) }
      return stored
    }
  }

  /// Deletes an entry; false where there is none of this id.
  @discardableResult
  package func remove(_ id: Int) throws(DatabaseError) -> Bool {
    try database.run("DELETE FROM schedule_entries WHERE id = ?", [DatabaseValue(id)]) > 0
  }

  /// An employment's entries that may concern a day from `first` to `last`, both included.
  package func entries(
    of employment: Int, from first: CivilDate, through last: CivilDate
  ) throws(DatabaseError) -> [StoredEntry] {
    try entries("employment = ?", DatabaseValue(employment), from: first, through: last)
  }

  /// The entries of all who work at a store.
  package func entries(
    at store: Fence.ID, from first: CivilDate, through last: CivilDate
  ) throws(DatabaseError) -> [StoredEntry] {
    try entries("store = ?", .text(store.rawValue), from: first, through: last)
  }

  private func entries(
    _ condition: String, _ value: DatabaseValue, from first: CivilDate, through last: CivilDate
  ) throws(DatabaseError) -> [StoredEntry] {
    var entries: [StoredEntry] = []
    try database.rows(
      """
      SELECT id, \(columns) FROM schedule_entries
      WHERE \(condition) AND first_day <= ? AND (last_day IS NULL OR last_day >= ?) ORDER BY id
      """, [value, DatabaseValue(last.daysSince1970), DatabaseValue(first.daysSince1970)]
    ) { row throws(DatabaseError) in
      entries.append(StoredEntry(id: try row.integer(0), entry: try entry(row)))
    }
    return entries
  }

  private func insert(_ entry: ScheduleEntry) throws(DatabaseError) -> Int {
    let days: [DatabaseValue] =
      switch entry.recurrence {
      case .weekly(let weekday, let first, let last):
        [
          DatabaseValue(weekday.rawValue), DatabaseValue(first.daysSince1970),
          last.map { DatabaseValue($0.daysSince1970) } ?? .null,
        ]
      case .dated(let date):
        [.null, DatabaseValue(date.daysSince1970), DatabaseValue(date.daysSince1970)]
      }
    let hours = [entry.hours?.start, entry.hours?.end].map {
      $0.map { DatabaseValue($0.minutesAfterMidnight) } ?? .null
    }
    try database.run(
      "INSERT INTO schedule_entries (\(columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
      [DatabaseValue(entry.employment), .text(entry.store.rawValue)] + days + hours
        + [DatabaseValue(entry.label)])
    return try database.integer("SELECT last_insert_rowid()")
  }
}

private let columns =
  "employment, store, weekday, first_day, last_day, start_minute, end_minute, label"

private func entry(_ row: DatabaseRow) throws(DatabaseError) -> ScheduleEntry {
  let first = CivilDate(daysSince1970: try row.integer(4))
  let recurrence: ScheduleEntry.Recurrence
  if row.isNull(3) {
    recurrence = .dated(first)
  } else {
    let last = row.isNull(5) ? nil : CivilDate(daysSince1970: try row.integer(5))
    let weekday = try row.required(Weekday(rawValue: try row.integer(3)), 3)
    recurrence = .weekly(weekday, from: first, through: last)
  }
  func time(_ column: Int32) throws(DatabaseError) -> TimeOfDay {
    try row.required(TimeOfDay(minutesAfterMidnight: try row.integer(column)), column)
  }
  return ScheduleEntry(
    employment: try row.integer(1), store: Fence.ID(try row.text(2)), recurrence: recurrence,
    hours: row.isNull(6) ? nil : ScheduleEntry.Hours(start: try time(6), end: try time(7)),
    label: row.textIfAny(8))
}
