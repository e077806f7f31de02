import Geo

/// What a program may do with its API key.
package enum APIScope: String, CaseIterable, Sendable {
  /// Reporting positions.
  case positions
  /// Asking where a device may clock in.
  case eligibility
  /// Reading events, webhooks and explanations.
  case events
  /// Reading and editing fences.
  case fences
  case admin
}

/// A credential of a device or a backend, as it is remembered: not the key, but what it opens.
package struct StoredAPIKey: Hashable, Sendable {
  package let id: Int
  package let company: Int
  package let name: String
  package let scopes: Set<APIScope>
  /// The only subject it may speak of; nil where it may of all.
  package let subject: SubjectID?
  package let createdAt: Timestamp
  /// To within some minutes; nil where it never was used.
  package let lastUsedAt: Timestamp?
  package let revokedAt: Timestamp?
}

/// The API keys, known by their SHA-256 alone.
package struct APIKeyRepository {
  private let database: Database

  package init(database: Database) { self.database = database }

  package func add(
    hash: [UInt8], company: Int, name: String, scopes: Set<APIScope>, subject: SubjectID?,
    at now: Timestamp
  ) throws(DatabaseError) -> StoredAPIKey {
    try database.transaction { () throws(DatabaseError) in
      let id = try database.integer(
        """
        INSERT INTO api_keys (company, name, hash, subject, created_at) VALUES (?, ?, ?, ?, ?)
        RETURNING id
        """,
        [
          DatabaseValue(company), .text(name), .bytes(hash), DatabaseValue(subject?.rawValue),
          DatabaseValue(now),
        ])
      for scope in scopes {
        try database.run(
          "INSERT INTO api_key_scopes (api_key, scope) VALUES (?, ?)",
          [DatabaseValue(id), .text(scope.rawValue)])
      }
      return StoredAPIKey(
        id: id, company: company, name: name, scopes: scopes, subject: subject, createdAt: now,
        lastUsedAt: nil, revokedAt: nil)
    }
  }

  package func key(hash: [UInt8]) throws(DatabaseError) -> StoredAPIKey? {
    try keys("WHERE hash = ?", [.bytes(hash)]).first
  }

  /// The keys of a company, the revoked ones too, in the order in which they were made.
  package func keys(of company: Int) throws(DatabaseError) -> [StoredAPIKey] {
    try keys("WHERE company = ? ORDER BY id", [DatabaseValue(company)])
  }

  /// Every key by its hash, the revoked ones too.
  package func all() throws(DatabaseError) -> [[UInt8]: StoredAPIKey] {
    var hashes: [Int: [UInt8]] = [:]
    try database.rows("SELECT id, hash FROM api_keys") { row throws(DatabaseError) in
      hashes[try row.integer(0)] = try row.bytes(1)
    }
    var keys: [[UInt8]: StoredAPIKey] = [:]
    for key in try self.keys("", []) {
      if let hash = hashes[key.id] { keys[hash] = key }
    }
    return keys
  }

  /// A number that is another after each making and revoking of a key; it costs next to nothing.
  package func revision() throws(DatabaseError) -> Int {
    try database.integer("SELECT count(*) + count(revoked_at) FROM api_keys")
  }

  /// Remembers that a key was used.
  package func touch(_ id: Int, at now: Timestamp) throws(DatabaseError) {
    try database.run(
      "UPDATE api_keys SET last_used_at = ? WHERE id = ?", [DatabaseValue(now), DatabaseValue(id)])
  }

  /// Revokes a key; false where there is none of that number that was not revoked before.
  package func revoke(_ id: Int, at now: Timestamp) throws(DatabaseError) -> Bool {
    try database.run(
      "UPDATE api_keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL",
      [DatabaseValue(now), DatabaseValue(id)]) > 0
  }

  private func keys(
    _ condition: String, _ values: [DatabaseValue]
  ) throws(DatabaseError) -> [StoredAPIKey] {
    var keys: [StoredAPIKey] = []
    try database.rows(
      """
      SELECT id, company, name, subject, created_at, last_used_at, revoked_at
      FROM api_keys \(condition)
      """, values
    ) { row throws(DatabaseError) in
      let id = try row.integer(0)
      keys.append(
        StoredAPIKey(
          id: id, company: try row.integer(1), name: try row.text(2), scopes: try scopes(of: id),
          subject: row.textIfAny(3).map { SubjectID($0) }, createdAt: try row.timestamp(4),
          lastUsedAt: row.timestampIfAny(5), revokedAt: row.timestampIfAny(6)))
    }
    return keys
  }

  private func scopes(of id: Int) throws(DatabaseError) -> Set<APIScope> {
    var scopes: Set<APIScope> = []
    try database.rows("SELECT scope FROM api_key_scopes WHERE api_key = ?", [DatabaseValue(id)]) {
      row throws(DatabaseError) in scopes.insert(try row.choice(0, as: APIScope.self))
    }
    return scopes
  }
}
