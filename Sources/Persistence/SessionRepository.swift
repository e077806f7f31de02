import Geo

/// Sessions and their families of refresh tokens.
///
/// A token is known by its SHA-256 alone. The newest of a family is swapped for its successor by
/// compare-and-set, so that of several who try at once only one makes the successor.
package struct SessionRepository {
  private let database: Database

  package init(database: Database) { self.database = database }

  /// Adds a session with its first refresh token.
  package func add(
    _ session: StoredSession, refreshTokenHash hash: [UInt8]
  ) throws(DatabaseError) {
    try database.transaction { () throws(DatabaseError) in
      try database.run(
        """
        INSERT INTO sessions (\(columns))
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
        [
          .text(session.id), DatabaseValue(session.user), .text(session.method),
          DatabaseValue(session.provedAt), DatabaseValue(session.client), .text(session.address),
          DatabaseValue(session.accessSeconds), DatabaseValue(session.idleSeconds),
          DatabaseValue(session.createdAt), DatabaseValue(session.lastUsedAt),
          DatabaseValue(session.idleUntil), DatabaseValue(session.absoluteUntil),
          DatabaseValue(session.end?.at), DatabaseValue(session.end?.reason.rawValue),
        ])
      try insertToken(hash, session: session.id, at: session.createdAt)
    }
  }

  package func session(_ id: String) throws(DatabaseError) -> StoredSession? {
    try sessions("WHERE id = ?", [.text(id)]).first
  }

  /// The sessions of a user that have neither ended nor expired, the last used first.
  package func openSessions(
    of user: Int, now: Timestamp
  ) throws(DatabaseError) -> [StoredSession] {
    try sessions(
      """
      WHERE user = ?1 AND ended_at IS NULL AND idle_until > ?2
      ORDER BY last_used_at DESC, id
      """, [DatabaseValue(user), DatabaseValue(now)])
  }

  package func refreshToken(hash: [UInt8]) throws(DatabaseError) -> StoredRefreshToken? {
    var token: StoredRefreshToken?
    try database.rows(
      "SELECT session, superseded_at, successor_nonce FROM refresh_tokens WHERE hash = ?",
      [.bytes(hash)]
    ) { row throws(DatabaseError) in
      token = StoredRefreshToken(
        session: try row.text(0), supersededAt: row.timestampIfAny(1),
        successorNonce: row.isNull(2) ? nil : try row.bytes(2))
    }
    return token
  }

  /// Swaps a session's newest token for its successor, and moves the session's idle limit; false,
  /// and nothing is changed, where the token is not the newest or the session has ended.
  ///
  /// The nonces of tokens superseded before `forgettingBefore` are forgotten.
  package func rotate(
    hash: [UInt8], to successor: [UInt8], nonce: [UInt8], session: String, at now: Timestamp,
    idleUntil: Timestamp, forgettingBefore: Timestamp
  ) throws(DatabaseError) -> Bool {
    try database.transaction { () throws(DatabaseError) in
      let superseded = try database.run(
        """
        UPDATE refresh_tokens SET superseded_at = ?, successor_nonce = ?
        WHERE hash = ? AND session = ? AND superseded_at IS NULL
          AND EXISTS (SELECT 1 FROM sessions WHERE id = session AND ended_at IS NULL)
        """, [DatabaseValue(now), .bytes(nonce), .bytes(hash), .text(session)])
      guard superseded == 1 else { return false }
      try insertToken(successor, session: session, at: now)
      try database.run(
        "UPDATE sessions SET last_used_at = ?, idle_until = ? WHERE id = ?",
        [DatabaseValue(now), DatabaseValue(idleUntil), .text(session)])
      try database.run(
        """
        UPDATE refresh_tokens SET successor_nonce = NULL
        WHERE session = ? AND superseded_at < ?
        """, [.text(session), DatabaseValue(forgettingBefore)])
      return true
    }
  }

  /// Remembers that a session was used.
  package func touch(_ id: String, at now: Timestamp) throws(DatabaseError) {
    try database.run(
      "UPDATE sessions SET last_used_at = ?1 WHERE id = ?2 AND last_used_at < ?1",
      [DatabaseValue(now), .text(id)])
  }

  /// Ends a session; false where it had ended before, which keeps its reason.
  @discardableResult
  package func end(
    _ id: String, reason: StoredSession.EndReason, at now: Timestamp
  ) throws(DatabaseError) -> Bool {
    try end("id = ?", [.text(id)], reason: reason, at: now) > 0
  }

  /// Ends all sessions of a user but one; returns how many had not ended before.
  @discardableResult
  package func endAll(
    of user: Int, except kept: String? = nil, reason: StoredSession.EndReason, at now: Timestamp
  ) throws(DatabaseError) -> Int {
    try end(
      "user = ? AND id IS NOT ?", [DatabaseValue(user), DatabaseValue(kept)], reason: reason,
      at: now)
  }

  private func end(
    _ condition: String, _ values: [DatabaseValue], reason: StoredSession.EndReason,
    at now: Timestamp
  ) throws(DatabaseError) -> Int {
    try database.transaction { () throws(DatabaseError) in
      let ended = try database.run(
        "UPDATE sessions SET ended_at = ?, end_reason = ? WHERE ended_at IS NULL AND \(condition)",
        [DatabaseValue(now), .text(reason.rawValue)] + values)
      // Nobody may ask for a successor in a session that is over.
      try database.run(
        """
        UPDATE refresh_tokens SET successor_nonce = NULL
        WHERE session IN (SELECT id FROM sessions WHERE ended_at IS NOT NULL AND \(condition))
        """, values)
      return ended
    }
  }

  /// Forgets sessions that ended or expired before an instant, and their tokens; returns how many.
  @discardableResult
  package func forgetSessions(over before: Timestamp) throws(DatabaseError) -> Int {
    try database.run(
      "DELETE FROM sessions WHERE min(coalesce(ended_at, idle_until), idle_until) < ?",
      [DatabaseValue(before)])
  }

  private func insertToken(
    _ hash: [UInt8], session: String, at now: Timestamp
  ) throws(DatabaseError) {
    try database.run(
      "INSERT INTO refresh_tokens (hash, session, issued_at) VALUES (?, ?, ?)",
      [.bytes(hash), .text(session), DatabaseValue(now)])
  }

  private func sessions(
    _ condition: String, _ values: [DatabaseValue]
  ) throws(DatabaseError) -> [StoredSession] {
    var sessions: [StoredSession] = []
    try database.rows("SELECT \(columns) FROM sessions \(condition)", values) {
      row throws(DatabaseError) in
      var end: StoredSession.End?
      if let reason = try row.choiceIfAny(13, as: StoredSession.EndReason.self) {
        end = StoredSession.End(at: try row.timestamp(12), reason: reason)
      }
      sessions.append(
        StoredSession(
          id: try row.text(0), user: try row.integer(1), method: try row.text(2),
          provedAt: try row.timestamp(3), client: row.textIfAny(4), address: try row.text(5),
          accessSeconds: try row.integer(6), idleSeconds: try row.integer(7),
          createdAt: try row.timestamp(8), lastUsedAt: try row.timestamp(9),
          idleUntil: try row.timestamp(10), absoluteUntil: row.timestampIfAny(11), end: end))
    }
    return sessions
  }
}

private let columns = """
  id, user, method, proved_at, client, address, access_seconds, idle_seconds, created_at, \
  last_used_at, idle_until, absolute_until, ended_at, end_reason
  """
