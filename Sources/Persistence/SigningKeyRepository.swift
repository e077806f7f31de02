import Geo

/// The server's keys for the tokens that it signs.
package struct SigningKeyRepository {
  private let database: Database

  package init(database: Database) { self.database = database }

  /// A key and its secret; its description shows the id alone.
  package struct StoredKey: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    package let id: String
    package let secret: [UInt8]
    package let createdAt: Timestamp

    package init(id: String, secret: [UInt8], createdAt: Timestamp) {
      self.id = id
      self.secret = secret
      self.createdAt = createdAt
    }

    package var description: String { "signing key \(id)" }
    package var customMirror: Mirror { Mirror(self, children: ["id": id]) }
  }

  /// All keys, the newest first.
  package func keys() throws(DatabaseError) -> [StoredKey] {
    var keys: [StoredKey] = []
    try database.rows(
      "SELECT id, secret, created_at FROM signing_keys ORDER BY created_at DESC, rowid DESC"
    ) { row throws(DatabaseError) in
      keys.append(
        StoredKey(
          id: try row.text(0), secret: try row.bytes(1), createdAt: try row.timestamp(2)))
    }
    return keys
  }

  /// Adds a key, and forgets all but the newest `kept`.
  package func add(_ key: StoredKey, keeping kept: Int) throws(DatabaseError) {
    try database.transaction { () throws(DatabaseError) in
      try database.run(
        "INSERT INTO signing_keys (id, secret, created_at) VALUES (?, ?, ?)",
        [.text(key.id), .bytes(key.secret), DatabaseValue(key.createdAt)])
      for old in try keys().dropFirst(kept) {
        try database.run("DELETE FROM signing_keys WHERE id = ?", [.text(old.id)])
      }
    }
  }
}
