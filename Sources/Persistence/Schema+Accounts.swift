extension Schema {
  /// Companies, their stores and people; sessions; what is counted against guessing; credentials of
  /// programs.
  ///
  /// No token, password or API key is here in clear: of a token there is its SHA-256, of a password
  /// its Argon2id.
  static let accounts = """
    CREATE TABLE companies (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      name TEXT NOT NULL UNIQUE,
      created_at INTEGER NOT NULL
    ) STRICT;

    -- A store is the fence of the same id; it may be there before its fence is drawn.
    CREATE TABLE stores (
      type_num TEXT NOT NULL COLLATE NOCASE PRIMARY KEY,
      company INTEGER NOT NULL REFERENCES companies,
      name TEXT NOT NULL,
      time_zone TEXT NOT NULL,
      created_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX stores_of_company ON stores (company);

    -- A deleted user keeps the row, for punches and their records name its number, and nothing else.
    CREATE TABLE users (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      company INTEGER NOT NULL REFERENCES companies,
      first_name TEXT NOT NULL,
      last_name TEXT NOT NULL,
      email TEXT,
      email_key TEXT UNIQUE,
      password_hash TEXT,
      password_is_temporary INTEGER NOT NULL DEFAULT 0 CHECK (password_is_temporary IN (0, 1)),
      created_at INTEGER NOT NULL,
      disabled_at INTEGER,
      deleted_at INTEGER,
      CHECK ((email IS NULL) = (email_key IS NULL)),
      CHECK (deleted_at IS NULL OR (email IS NULL AND password_hash IS NULL))
    ) STRICT;
    CREATE INDEX users_of_company ON users (company);

    CREATE TABLE roles (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      company INTEGER NOT NULL REFERENCES companies,
      name TEXT NOT NULL,
      role_id INTEGER NOT NULL,
      is_manager INTEGER NOT NULL CHECK (is_manager IN (0, 1)),
      UNIQUE (company, name),
      UNIQUE (company, role_id)
    ) STRICT;

    CREATE TABLE role_permissions (
      role INTEGER NOT NULL REFERENCES roles ON DELETE CASCADE,
      permission TEXT NOT NULL,
      scope TEXT NOT NULL CHECK (scope IN ('self', 'team', 'store', 'company')),
      PRIMARY KEY (role, permission)
    ) STRICT, WITHOUT ROWID;

    -- What ended stays, so that access that was revoked differs from access that never was.
    CREATE TABLE employments (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      user INTEGER NOT NULL REFERENCES users,
      store TEXT NOT NULL COLLATE NOCASE REFERENCES stores,
      role INTEGER NOT NULL REFERENCES roles,
      employee_id INTEGER NOT NULL,
      valid_from INTEGER NOT NULL,
      valid_until INTEGER,
      CHECK (valid_until IS NULL OR valid_until >= valid_from)
    ) STRICT;
    CREATE INDEX employments_of_user ON employments (user, store);
    CREATE INDEX employments_of_store ON employments (store, employee_id);

    -- A session is a family of refresh tokens, of which the newest alone is not superseded.
    CREATE TABLE sessions (
      id TEXT NOT NULL PRIMARY KEY,
      user INTEGER NOT NULL REFERENCES users,
      method TEXT NOT NULL,
      proved_at INTEGER NOT NULL,
      client TEXT,
      address TEXT NOT NULL,
      access_seconds INTEGER NOT NULL,
      idle_seconds INTEGER NOT NULL,
      created_at INTEGER NOT NULL,
      last_used_at INTEGER NOT NULL,
      idle_until INTEGER NOT NULL,
      absolute_until INTEGER,
      ended_at INTEGER,
      end_reason TEXT,
      CHECK ((ended_at IS NULL) = (end_reason IS NULL))
    ) STRICT;
    CREATE INDEX sessions_of_user ON sessions (user);

    CREATE TABLE refresh_tokens (
      hash BLOB NOT NULL PRIMARY KEY CHECK (length(hash) = 32),
      session TEXT NOT NULL REFERENCES sessions ON DELETE CASCADE,
      issued_at INTEGER NOT NULL,
      superseded_at INTEGER,
      -- With the token itself it gives the successor, and is there only while that may be asked for.
      successor_nonce BLOB,
      CHECK (superseded_at IS NOT NULL OR successor_nonce IS NULL)
    ) STRICT, WITHOUT ROWID;
    CREATE UNIQUE INDEX refresh_token_of_session ON refresh_tokens (session)
    WHERE superseded_at IS NULL;
    CREATE INDEX refresh_tokens_of_session ON refresh_tokens (session);

    -- Sign-ins that failed, or have not succeeded yet. The account is a hash: people type passwords
    -- into the wrong field.
    CREATE TABLE sign_in_attempts (
      id INTEGER PRIMARY KEY,
      account BLOB NOT NULL,
      address TEXT NOT NULL,
      at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX sign_in_attempts_of_account ON sign_in_attempts (account, at);
    CREATE INDEX sign_in_attempts_of_address ON sign_in_attempts (address, at);
    CREATE INDEX sign_in_attempts_by_time ON sign_in_attempts (at);

    CREATE TABLE signing_keys (
      id TEXT NOT NULL PRIMARY KEY,
      secret BLOB NOT NULL CHECK (length(secret) >= 32),
      created_at INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE api_keys (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      company INTEGER NOT NULL REFERENCES companies,
      name TEXT NOT NULL,
      hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32),
      subject TEXT,
      created_at INTEGER NOT NULL,
      last_used_at INTEGER,
      revoked_at INTEGER
    ) STRICT;

    CREATE TABLE api_key_scopes (
      api_key INTEGER NOT NULL REFERENCES api_keys ON DELETE CASCADE,
      scope TEXT NOT NULL,
      PRIMARY KEY (api_key, scope)
    ) STRICT, WITHOUT ROWID;
    """
}
