extension Schema {
  /// Deliveries of events, the webhooks that they go to, and the track of fixes.
  static let outbox = """
    -- The secret signs what is sent, so it has to be readable.
    CREATE TABLE webhooks (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      company INTEGER NOT NULL,
      url TEXT NOT NULL,
      secret TEXT NOT NULL,
      is_enabled INTEGER NOT NULL CHECK (is_enabled IN (0, 1)),
      filters_fences INTEGER NOT NULL CHECK (filters_fences IN (0, 1)),
      filters_subjects INTEGER NOT NULL CHECK (filters_subjects IN (0, 1)),
      filters_kinds INTEGER NOT NULL CHECK (filters_kinds IN (0, 1)),
      created_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX webhooks_of_company ON webhooks (company);

    -- What a filter that is switched on lets through.
    CREATE TABLE webhook_filters (
      webhook INTEGER NOT NULL REFERENCES webhooks ON DELETE CASCADE,
      field TEXT NOT NULL CHECK (field IN ('fence', 'subject', 'kind')),
      value TEXT NOT NULL,
      PRIMARY KEY (webhook, field, value)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE outbox (
      id TEXT NOT NULL PRIMARY KEY,
      target TEXT NOT NULL,
      event INTEGER NOT NULL REFERENCES events (sequence),
      state TEXT NOT NULL,
      attempts INTEGER NOT NULL CHECK (attempts >= 0),
      queued_at INTEGER NOT NULL,
      give_up_at INTEGER NOT NULL,
      next_attempt_at INTEGER,
      settled_at INTEGER,
      last_error TEXT,
      UNIQUE (target, event),
      CHECK (
        state = 'pending' AND next_attempt_at IS NOT NULL AND settled_at IS NULL
        OR state IN ('delivered', 'dead') AND next_attempt_at IS NULL AND settled_at IS NOT NULL)
    ) STRICT;
    CREATE INDEX outbox_due ON outbox (target, next_attempt_at, event) WHERE state = 'pending';
    CREATE INDEX outbox_dead ON outbox (target, event) WHERE state = 'dead';
    CREATE INDEX outbox_delivered ON outbox (settled_at) WHERE state = 'delivered';

    -- Every fix that was understood, whatever became of it.
    CREATE TABLE track (
      id INTEGER PRIMARY KEY,
      subject TEXT NOT NULL,
      time INTEGER NOT NULL,
      received_at INTEGER NOT NULL,
      lat REAL NOT NULL, lng REAL NOT NULL,
      accuracy_meters REAL,
      speed_meters_per_second REAL,
      course_degrees REAL,
      altitude_meters REAL,
      source TEXT,
      simulated INTEGER NOT NULL CHECK (simulated IN (0, 1)),
      outcome TEXT NOT NULL,
      rule TEXT
    ) STRICT;
    CREATE INDEX track_of_subject ON track (subject, time);
    CREATE INDEX track_received ON track (received_at);

    CREATE INDEX events_of_subject ON events (subject, confirmed_at);
    """
}
