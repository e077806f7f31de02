import Geo

/// The answers that requests with an idempotency key got, so that a repeat gets the same.
package struct IdempotencyRepository {
  private let database: Database

  package init(database: Database) { self.database = database }

  /// Whose key on which route: two people who choose the same one do not meet.
  package struct Scope: Hashable, Sendable {
    package let user: Int
    /// The method and path, with the store in it.
    package let route: String
    package let key: String

    package init(user: Int, route: String, key: String) {
      self.user = user
      self.route = route
      self.key = key
    }
  }

  /// An answer as it was sent.
  package struct StoredAnswer: Hashable, Sendable {
    /// Of the request that it answers.
    package let fingerprint: [UInt8]
    /// 200 to 299.
    package let status: Int
    package let body: [UInt8]
    package let storedAt: Timestamp

    package init(fingerprint: [UInt8], status: Int, body: [UInt8], storedAt: Timestamp) {
      self.fingerprint = fingerprint
      self.status = status
      self.body = body
      self.storedAt = storedAt
    }
  }

  /// The answer under a key; nil where there is none, or only one that was stored before `cutoff`.
  package func answer(
    for scope: Scope, storedSince cutoff: Timestamp
  ) throws(DatabaseError) -> StoredAnswer? {
    var answer: StoredAnswer?
    try database.rows(
      """
      SELECT fingerprint, status, body, stored_at FROM idempotent_answers
      WHERE user = ? AND route = ? AND key = ? AND stored_at >= ?
      """, [DatabaseValue(scope.user), .text(scope.route), .text(scope.key), DatabaseValue(cutoff)]
    ) { row throws(DatabaseError) in
      answer = StoredAnswer(
        fingerprint: try row.bytes(0), status: try row.integer(1), body: try row.bytes(2),
        storedAt: try row.timestamp(3))
    }
    return answer
  }

  /// Stores an answer, over an older one of the same key where there is one.
  ///
  /// Belongs in the transaction of what the request changed.
  package func store(_ answer: StoredAnswer, for scope: Scope) throws(DatabaseError) {
    try database.run(
      """
      INSERT INTO idempotent_answers (user, route, key, fingerprint, status, body, stored_at)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (user, route, key) DO UPDATE SET
        fingerprint = excluded.fingerprint, status = excluded.status, body = excluded.body,
        stored_at = excluded.stored_at
      """,
      [
        DatabaseValue(scope.user), .text(scope.route), .text(scope.key),
        .bytes(answer.fingerprint), DatabaseValue(answer.status), .bytes(answer.body),
        DatabaseValue(answer.storedAt),
      ])
  }

  /// Forgets what was stored before `cutoff`; returns how many answers those were.
  @discardableResult
  package func forget(storedBefore cutoff: Timestamp) throws(DatabaseError) -> Int {
    try database.run(
      "DELETE FROM idempotent_answers WHERE stored_at < ?", [DatabaseValue(cutoff)])
  }
}
