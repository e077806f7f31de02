import Geo
import Persistence

/// The server's own keys for access tokens: one that signs, and the one before it, whose tokens are
/// still good.
package struct SigningKeys: Sendable {
  /// That of HMAC-SHA256's output, the least that RFC 7518 (section 3.2) allows.
  static let byteCount = 32

  let current: SigningKeyRepository.StoredKey
  private let previous: SigningKeyRepository.StoredKey?

  init(
    current: SigningKeyRepository.StoredKey, previous: SigningKeyRepository.StoredKey? = nil
  ) {
    self.current = current
    self.previous = previous
  }

  /// The key of that id; nil for one that is not the server's.
  func key(id: String) -> SigningKeyRepository.StoredKey? {
    [current, previous].compactMap { $0 }.first { $0.id == id }
  }

  /// The keys that the database holds, of which the first is made where there is none.
  package static func load(
    from database: Database, now: Timestamp, using random: inout some RandomNumberGenerator
  ) throws(DatabaseError) -> SigningKeys {
    let repository = SigningKeyRepository(database: database)
    return try database.transaction { () throws(DatabaseError) in
      let keys = try repository.keys()
      guard let current = keys.first else {
        return try rotate(in: database, now: now, using: &random)
      }
      return SigningKeys(current: current, previous: keys.dropFirst().first)
    }
  }

  /// Makes a new key that signs from now on.
  ///
  /// Tokens of the key before stay good; those of older keys do not, so that two changes within the
  /// life of an access token make clients refresh early, and no more.
  package static func rotate(
    in database: Database, now: Timestamp, using random: inout some RandomNumberGenerator
  ) throws(DatabaseError) -> SigningKeys {
    let repository = SigningKeyRepository(database: database)
    let key = SigningKeyRepository.StoredKey(
      id: Base64URL.encode(random.bytes(8)), secret: random.bytes(byteCount), createdAt: now)
    return try database.transaction { () throws(DatabaseError) in
      let previous = try repository.keys().first
      try repository.add(key, keeping: 2)
      return SigningKeys(current: key, previous: previous)
    }
  }
}
