/// The tables, and how those of an older version become those of this one.
///
/// `application_id` says that a file is ours, and `user_version` how many migrations it has had.
enum Schema {
  /// "DSTP" in ASCII.
  private static let applicationID = 0x4453_5450

  /// One for each version, in order; what was once released is never changed.
  ///
  /// Instants are milliseconds since 1970 in UTC; every other unit stands in the column's name.
  static let migrations = [
    """
    CREATE TABLE fences (
      id TEXT NOT NULL PRIMARY KEY,
      name TEXT NOT NULL,
      kind TEXT NOT NULL,
      lat REAL, lng REAL, radius_meters REAL,
      rings BLOB,
      time_zone TEXT,
      exit_buffer_meters REAL NOT NULL,
      dwell_seconds REAL,
      passed INTEGER NOT NULL CHECK (passed IN (0, 1)),
      minimum_confidence REAL NOT NULL,
      revision INTEGER NOT NULL,
      changed_at INTEGER NOT NULL,
      CHECK (
        kind = 'circle' AND abs(lat) <= 90 AND abs(lng) <= 180 AND radius_meters >= 0
          AND lat IS NOT NULL AND lng IS NOT NULL AND radius_meters IS NOT NULL AND rings IS NULL
        OR kind = 'polygons' AND rings IS NOT NULL
          AND lat IS NULL AND lng IS NULL AND radius_meters IS NULL)
    ) STRICT;

    CREATE TABLE fence_set (
      only INTEGER PRIMARY KEY CHECK (only = 1),
      revision INTEGER NOT NULL
    ) STRICT;
    INSERT INTO fence_set VALUES (1, 0);

    CREATE TABLE subjects (
      subject TEXT NOT NULL PRIMARY KEY,
      format INTEGER NOT NULL,
      snapshot BLOB NOT NULL,
      revision INTEGER NOT NULL CHECK (revision > 0),
      updated_at INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE visits (
      id TEXT NOT NULL PRIMARY KEY,
      subject TEXT NOT NULL,
      fence TEXT NOT NULL,
      entered_at INTEGER NOT NULL,
      entry_confirmed_at INTEGER NOT NULL,
      entry_rule TEXT NOT NULL,
      exited_at INTEGER,
      exit_confirmed_at INTEGER,
      exit_rule TEXT,
      exit_cause TEXT,
      CHECK ((exited_at IS NULL) = (exit_confirmed_at IS NULL)),
      CHECK ((exited_at IS NULL) = (exit_rule IS NULL))
    ) STRICT;
    CREATE INDEX visits_of_subject ON visits (subject, entered_at);

    CREATE TABLE events (
      sequence INTEGER PRIMARY KEY AUTOINCREMENT,
      kind TEXT NOT NULL,
      subject TEXT NOT NULL,
      fence TEXT NOT NULL,
      visit TEXT,
      time INTEGER NOT NULL,
      confirmed_at INTEGER NOT NULL,
      rule TEXT NOT NULL,
      initial INTEGER NOT NULL CHECK (initial IN (0, 1)),
      late INTEGER NOT NULL CHECK (late IN (0, 1)),
      cause TEXT,
      lat REAL, lng REAL,
      distance_meters REAL,
      interval_start INTEGER, interval_end INTEGER,
      CHECK ((lat IS NULL) = (lng IS NULL)),
      CHECK ((interval_start IS NULL) = (interval_end IS NULL))
    ) STRICT;
    -- A visit is entered, dwelled in and left once, but may expire and resume often, and each fix
    -- that comes late may amend it.
    CREATE UNIQUE INDEX events_of_visit ON events (
      visit, kind, late,
      iif(late OR kind IN ('presence_expired', 'presence_resumed'), time, 0)
    ) WHERE visit IS NOT NULL;
    CREATE UNIQUE INDEX events_without_visit ON events (subject, fence, kind, time)
    WHERE visit IS NULL;
    """,
    accounts,
    punches,
    outbox,
  ]

  /// Refuses a file that is not ours, or of a newer version, before anything in it is changed.
  static func verify(_ database: Database) throws(DatabaseError) {
    let found = try database.integer("PRAGMA user_version")
    let isEmpty = try database.integer("SELECT count(*) FROM sqlite_schema") == 0
    let isOurs = try database.integer("PRAGMA application_id") == applicationID
    guard isOurs || (isEmpty && found == 0) else {
      throw DatabaseError(.foreign, path: database.path)
    }
    guard found <= migrations.count else {
      throw DatabaseError(
        .newerSchema(found: found, known: migrations.count), path: database.path)
    }
  }

  /// Runs the migrations that the file has not had, all or none of them.
  static func migrate(_ database: Database, using migrations: [String] = migrations)
    throws(DatabaseError)
  {
    guard try database.integer("PRAGMA user_version") < migrations.count else { return }
    try database.transaction { () throws(DatabaseError) in
      // Asked again, for another process may have done it while this one waited for its turn.
      let done = try database.integer("PRAGMA user_version")
      for migration in migrations.dropFirst(done) { try database.execute(migration) }
      try database.execute("PRAGMA application_id = \(applicationID)")
      try database.execute("PRAGMA user_version = \(max(done, migrations.count))")
    }
  }
}
