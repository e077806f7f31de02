import Geo
import Persistence

/// A user who speaks, and the session they speak in.
package struct Caller: Hashable, Sendable {
  package let user: User
  package let session: StoredSession
}

/// Decides, at each request anew, who speaks and what they may do, so that what is revoked ends at
/// once.
package struct Authorization {
  private let database: Database
  private let keys: SigningKeys
  private let party: TokenParty
  private var accounts: AccountRepository { AccountRepository(database: database) }

  /// How exactly the last use of sessions and API keys is known: each writing of it costs a flush of
  /// the disk.
  private static let lastUseSeconds = 300.0

  package init(database: Database, keys: SigningKeys, party: TokenParty) {
    self.database = database
    self.keys = keys
    self.party = party
  }

  /// Who an access token speaks for; else `tokenExpired` or `unauthorized`.
  package func caller(
    accessToken: Secret, now: Timestamp
  ) throws(IdentityError) -> Caller {
    let token: AccessToken
    do { token = try AccessToken(verifying: accessToken, for: party, with: keys, now: now) } catch {
      switch error {
      case .invalid: throw .unauthorized(nil)
      case .expired: throw .tokenExpired
      }
    }
    let sessions = SessionRepository(database: database)
    guard let session = try stored(try sessions.session(token.session)) else {
      throw .unauthorized(.revoked)
    }
    guard
      session.user == token.userID, let user = try stored(try accounts.user(session.user))
    else { throw .unauthorized(nil) }
    if let reason = session.refusal(at: now) ?? user.refusal { throw .unauthorized(reason) }
    if now.seconds(since: session.lastUsedAt) >= Authorization.lastUseSeconds {
      try stored(try sessions.touch(session.id, at: now))
    }
    return Caller(user: user, session: session)
  }

  /// A user's employment at a store; else `storeAccessRevoked` where there was one that has ended,
  /// and `forbidden` where there was none, or no such store.
  package func employment(
    of user: User, at typeNum: String, now: Timestamp
  ) throws(IdentityError) -> Employment {
    let employments = try stored(try accounts.employments(of: user.id, at: typeNum))
    if let employment = employments.first(where: { $0.holds(at: now) }) { return employment }
    let hasEnded = employments.contains { $0.until.map { $0 <= now } ?? false }
    throw hasEnded ? .storeAccessRevoked : .forbidden
  }

  /// Lets a user pass who may do something to records of that scope at a store: by the role there,
  /// or by a role at another store of the company that reaches the whole company.
  package func require(
    _ permission: Permission, for scope: PermissionScope, of user: User, at typeNum: String,
    now: Timestamp
  ) throws(IdentityError) {
    let refusal: IdentityError
    do throws(IdentityError) {
      let reach = try employment(of: user, at: typeNum, now: now).role.permissions[permission]
      if let reach, reach >= scope { return }
      refusal = .forbidden
    } catch {
      guard error == .storeAccessRevoked || error == .forbidden else { throw error }
      refusal = error
    }
    guard
      let company = try stored(try accounts.store(typeNum))?.company,
      try stored(try accounts.employments(of: user.id)).contains(where: {
        $0.holds(at: now) && $0.store.company == company
          && $0.role.permissions[permission] == .company
      })
    else { throw refusal }
  }

  /// The API key of a device or backend that may do what `scope` says; else `unauthorized` or
  /// `forbidden`.
  package func apiKey(
    _ text: Secret, for scope: APIScope, now: Timestamp
  ) throws(IdentityError) -> StoredAPIKey {
    let repository = APIKeyRepository(database: database)
    guard
      let hash = APIKey(text)?.hash, let key = try stored(try repository.key(hash: hash))
    else { throw .unauthorized(nil) }
    guard key.revokedAt == nil else { throw .unauthorized(.revoked) }
    guard key.scopes.contains(scope) else { throw .forbidden }
    if key.lastUsedAt.map({ now.seconds(since: $0) >= Authorization.lastUseSeconds }) ?? true {
      try stored(try repository.touch(key.id, at: now))
    }
    return key
  }
}
