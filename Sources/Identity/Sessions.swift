import Geo
import Persistence

/// Opens, refreshes, lists and ends sessions.
package struct Sessions {
  private let database: Database
  private let keys: SigningKeys
  private let party: TokenParty
  private var repository: SessionRepository { SessionRepository(database: database) }
  private var accounts: AccountRepository { AccountRepository(database: database) }

  package init(database: Database, keys: SigningKeys, party: TokenParty) {
    self.database = database
    self.keys = keys
    self.party = party
  }

  /// Opens a session for who was just verified; `client` is what the client calls itself.
  package func open(
    for proof: Proof, client: String?, policy: SessionPolicy = .employee, now: Timestamp,
    using random: inout some RandomNumberGenerator
  ) throws(IdentityError) -> SignedIn {
    let token = RefreshToken(using: &random)
    let absolute = policy.absoluteSeconds.map { now.advanced(bySeconds: Double($0)) }
    let session = StoredSession(
      id: Base64URL.encode(random.bytes(16)), user: proof.userID, method: proof.method.rawValue,
      provedAt: proof.at, client: client, address: proof.address.text,
      accessSeconds: policy.accessSeconds, idleSeconds: policy.idleSeconds, createdAt: now,
      lastUsedAt: now,
      idleUntil: idleLimit(seconds: policy.idleSeconds, absolute: absolute, from: now),
      absoluteUntil: absolute, end: nil)
    let (user, employments) = try database.decide { () throws(DatabaseError) in
      guard let user = try accounts.user(proof.userID), user.refusal == nil else {
        return Result<(User, [Employment]), IdentityError>.failure(.invalidCredentials)
      }
      try repository.add(session, refreshTokenHash: token.hash)
      let employments = try accounts.employments(of: user.id).filter { $0.holds(at: now) }
      return .success((user, employments))
    }
    return SignedIn(
      user: user, employments: employments,
      requiredActions: user.passwordIsTemporary ? [.changePassword] : [], session: session.id,
      tokens: tokens(
        of: session, refreshToken: token, idleUntil: session.idleUntil, now: now, using: &random))
  }

  /// Swaps a refresh token for a new access token and its successor.
  ///
  /// A token that was swapped up to 60 s ago gives the same successor again. One that was swapped
  /// before ends its session, of which its user should be told.
  package func refresh(
    _ refreshToken: Secret, now: Timestamp, using random: inout some RandomNumberGenerator
  ) throws(IdentityError) -> Tokens {
    // Who is told nothing of why signs out, as with a session that was forgotten long ago.
    guard let token = RefreshToken(refreshToken) else { throw .unauthorized(.revoked) }
    let newNonce = random.bytes(16)
    let (session, successor, idleUntil) = try database.decide { () throws(DatabaseError) in
      typealias Outcome = Result<(StoredSession, RefreshToken, Timestamp), IdentityError>
      guard
        let found = try repository.refreshToken(hash: token.hash),
        let session = try repository.session(found.session)
      else { return Outcome.failure(.unauthorized(.revoked)) }
      if let reason = try accounts.user(session.user)?.refusal {
        return .failure(.unauthorized(reason))
      }
      switch RefreshVerdict(on: found, of: session, at: now) {
      case .refuse(let reason): return .failure(.unauthorized(reason))
      case .reuse:
        try repository.end(session.id, reason: .reuseDetected, at: now)
        return .failure(.unauthorized(.reuseDetected))
      case .repeatSuccessor(let nonce):
        return .success((session, token.successor(nonce: nonce), session.idleUntil))
      case .rotate:
        let successor = token.successor(nonce: newNonce)
        let idleUntil = idleLimit(
          seconds: session.idleSeconds, absolute: session.absoluteUntil, from: now)
        let isNewest = try repository.rotate(
          hash: token.hash, to: successor.hash, nonce: newNonce, session: session.id, at: now,
          idleUntil: idleUntil,
          forgettingBefore: now.advanced(bySeconds: -Double(RefreshVerdict.repeatSeconds)))
        precondition(isNewest, "a refresh token changed within a transaction")
        return .success((session, successor, idleUntil))
      }
    }
    return tokens(
      of: session, refreshToken: successor, idleUntil: idleUntil, now: now, using: &random)
  }

  /// Ends the session of a refresh token, be it its newest or not; an unknown one is no error.
  package func signOut(refreshToken: Secret, now: Timestamp) throws(IdentityError) {
    guard let token = RefreshToken(refreshToken) else { return }
    guard let found = try stored(try repository.refreshToken(hash: token.hash)) else { return }
    _ = try stored(try repository.end(found.session, reason: .signedOut, at: now))
  }

  /// Ends the session that a caller speaks in.
  package func signOut(_ caller: Caller, now: Timestamp) throws(IdentityError) {
    _ = try stored(try repository.end(caller.session.id, reason: .signedOut, at: now))
  }

  /// The sessions of a user that are open, the last used first.
  package func open(of user: Int, now: Timestamp) throws(IdentityError) -> [StoredSession] {
    try stored(try repository.openSessions(of: user, now: now))
  }

  /// Ends one of the caller's own sessions; false where it is none of theirs that is open.
  package func end(_ id: String, by caller: Caller, now: Timestamp) throws(IdentityError) -> Bool {
    try database.decide { () throws(DatabaseError) in
      guard try repository.session(id)?.user == caller.user.id else { return .success(false) }
      return .success(try repository.end(id, reason: .revoked, at: now))
    }
  }

  /// Ends all of the caller's sessions but the one they speak in; returns how many.
  package func endOthers(of caller: Caller, now: Timestamp) throws(IdentityError) -> Int {
    try stored(
      try repository.endAll(
        of: caller.user.id, except: caller.session.id, reason: .revoked, at: now))
  }

  private func idleLimit(seconds: Int, absolute: Timestamp?, from now: Timestamp) -> Timestamp {
    min(now.advanced(bySeconds: Double(seconds)), absolute ?? .latest)
  }

  private func tokens(
    of session: StoredSession, refreshToken: RefreshToken, idleUntil: Timestamp, now: Timestamp,
    using random: inout some RandomNumberGenerator
  ) -> Tokens {
    let issuedAt = Int(now.millisecondsSince1970 / 1000)
    let expiresAt = min(
      issuedAt + session.accessSeconds, Int(idleUntil.millisecondsSince1970 / 1000))
    let token = AccessToken(
      userID: session.user, session: session.id, issuedAt: issuedAt, expiresAt: expiresAt,
      id: Base64URL.encode(random.bytes(16)))
    return Tokens(
      accessToken: token.signed(for: party, with: keys), refreshToken: refreshToken.text,
      expiresIn: expiresAt - issuedAt, refreshExpiresAt: idleUntil)
  }
}
