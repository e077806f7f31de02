extension Schema {
  /// The staff clock: punches and what they were judged by, schedules, answers to repeat.
  ///
  /// Users and employments are numbers without a foreign key: a punch outlives the account.
  static let punches = """
    CREATE TABLE judged_fences (
      fence TEXT NOT NULL,
      revision INTEGER NOT NULL,
      kind TEXT NOT NULL,
      lat REAL, lng REAL, radius_meters REAL,
      rings BLOB,
      minimum_confidence REAL NOT NULL,
      PRIMARY KEY (fence, revision)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE punches (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      employment INTEGER NOT NULL,
      sequence INTEGER NOT NULL CHECK (sequence > 0),
      user INTEGER NOT NULL,
      store TEXT NOT NULL,
      kind TEXT NOT NULL CHECK (kind IN ('in', 'out', 'breakStart', 'breakEnd')),
      time INTEGER NOT NULL,
      received_at INTEGER NOT NULL,
      outside INTEGER NOT NULL CHECK (outside IN (0, 1)),
      stated_reason TEXT,
      remote_address TEXT, client_name TEXT, client_version TEXT, idempotency_key TEXT,
      fence_revision INTEGER,
      verdict TEXT,
      reason TEXT,
      distance_meters REAL,
      confidence REAL,
      fix_lat REAL, fix_lng REAL, fix_accuracy_meters REAL, fix_time INTEGER,
      fix_simulated INTEGER CHECK (fix_simulated IN (0, 1)),
      sent_at INTEGER,
      last_lat REAL, last_lng REAL, last_accuracy_meters REAL, last_time INTEGER,
      visit TEXT,
      rule TEXT,
      UNIQUE (employment, sequence),
      FOREIGN KEY (store, fence_revision) REFERENCES judged_fences (fence, revision),
      CHECK (kind <> 'in' OR outside = 0),
      CHECK ((reason IS NULL) = (fence_revision IS NULL)),
      CHECK ((fix_lat IS NULL) = (fix_lng IS NULL)),
      CHECK ((fix_lat IS NULL) = (fix_time IS NULL)),
      CHECK ((fix_lat IS NULL) = (fix_simulated IS NULL)),
      CHECK ((last_lat IS NULL) = (last_lng IS NULL)),
      CHECK ((last_lat IS NULL) = (last_time IS NULL))
    ) STRICT;
    CREATE INDEX punches_by_time ON punches (employment, time);
    CREATE TRIGGER punches_never_change BEFORE UPDATE ON punches
    BEGIN SELECT RAISE(ABORT, 'a punch never changes'); END;
    CREATE TRIGGER punches_stay BEFORE DELETE ON punches
    BEGIN SELECT RAISE(ABORT, 'a punch is never deleted'); END;

    -- Where each employment's sequence stands; what several writers compare and set.
    CREATE TABLE clocks (
      employment INTEGER PRIMARY KEY,
      user INTEGER NOT NULL,
      store TEXT NOT NULL,
      last_sequence INTEGER NOT NULL,
      clocked_in_since INTEGER
    ) STRICT;
    CREATE INDEX clocks_open ON clocks (user) WHERE clocked_in_since IS NOT NULL;

    CREATE TABLE schedule_entries (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      employment INTEGER NOT NULL,
      store TEXT NOT NULL,
      weekday INTEGER CHECK (weekday BETWEEN 1 AND 7),
      -- Days since 1970-01-01.
      first_day INTEGER NOT NULL,
      last_day INTEGER,
      -- Minutes after midnight by the clock on the wall; NULL for a day off.
      start_minute INTEGER CHECK (start_minute BETWEEN 0 AND 1439),
      end_minute INTEGER CHECK (end_minute BETWEEN 0 AND 1439),
      label TEXT,
      CHECK (weekday IS NOT NULL OR last_day IS first_day),
      CHECK (weekday IS NULL OR start_minute IS NOT NULL),
      CHECK ((start_minute IS NULL) = (end_minute IS NULL)),
      CHECK (last_day IS NULL OR last_day >= first_day)
    ) STRICT;
    CREATE INDEX schedule_of_employment ON schedule_entries (employment, first_day);
    CREATE INDEX schedule_of_store ON schedule_entries (store, first_day);

    CREATE TABLE idempotent_answers (
      user INTEGER NOT NULL,
      route TEXT NOT NULL,
      key TEXT NOT NULL,
      fingerprint BLOB NOT NULL,
      status INTEGER NOT NULL CHECK (status BETWEEN 200 AND 299),
      body BLOB NOT NULL,
      stored_at INTEGER NOT NULL,
      PRIMARY KEY (user, route, key)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX idempotent_answers_by_age ON idempotent_answers (stored_at);
    """
}
