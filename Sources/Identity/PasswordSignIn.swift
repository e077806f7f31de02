import Geo
import Persistence

/// Signing in with an e-mail address and a password, in three steps: `begin` and `finish` belong
/// where the database is, the slow `verify` between them anywhere else.
///
///     let attempt = try signIn.begin(email: email, address: address, now: now)
///     let checked = attempt.verify(password, with: hasher)
///     let proof = try signIn.finish(checked, now: now)
///
/// Whether the account exists, is disabled or has no password shows neither in the outcome nor in
/// the time: each does the same reads and writes, and one hash of the same cost.
package struct PasswordSignIn {
  private let database: Database
  private var attempts: SignInAttemptRepository { SignInAttemptRepository(database: database) }
  private var accounts: AccountRepository { AccountRepository(database: database) }

  package init(database: Database) { self.database = database }

  /// An attempt that is counted and not decided.
  package struct Attempt: Sendable {
    /// How long the answer is to be held back, right or wrong.
    package let delayMilliseconds: Int
    fileprivate let userID: Int?
    fileprivate let hash: Secret?
    fileprivate let account: [UInt8]
    fileprivate let address: ClientAddress

    /// Compares the password, in the time and memory of one hash.
    package func verify(_ password: Secret, with hasher: PasswordHasher) -> CheckedAttempt {
      let isRight = hasher.verify(password, against: hash)
      var newHash: Secret?
      if isRight, let hash, hasher.isOutdated(hash) { newHash = try? hasher.hash(password) }
      return CheckedAttempt(attempt: self, isRight: isRight, newHash: newHash)
    }
  }

  /// An attempt whose password was compared.
  package struct CheckedAttempt: Sendable {
    fileprivate let attempt: Attempt
    fileprivate let isRight: Bool
    /// The hash at today's cost, where the one that was stored is of another.
    fileprivate let newHash: Secret?
  }

  /// Counts an attempt and looks for its account; `rateLimited` where it is one too many.
  package func begin(
    email: String, address: ClientAddress, now: Timestamp
  ) throws(IdentityError) -> Attempt {
    let key = EmailAddress(email)?.key
    // What is no address is counted too, and looked for as one that nobody has.
    let account = sha256((key ?? email).utf8)
    let pairSince = now.advanced(bySeconds: -Double(SignInLimits.pairSeconds))
    return try database.decide { () throws(DatabaseError) in
      let count = try attempts.count(
        account: account, address: address.network, pairSince: pairSince,
        since: now.advanced(bySeconds: -Double(SignInLimits.windowSeconds)),
        addressLimit: SignInLimits.fromAddress)
      switch SignInLimits.verdict(on: count, at: now) {
      case .refused(let seconds): return .failure(.rateLimited(retryAfterSeconds: seconds))
      case .allowed(let delay):
        try attempts.forget(before: pairSince)
        try attempts.add(account: account, address: address.network, at: now)
        let user = try accounts.user(emailKey: key ?? "")
        let hash = try accounts.passwordHash(of: user?.id ?? 0)
        return .success(
          Attempt(
            delayMilliseconds: delay, userID: user?.id, hash: hash.map { Secret($0) },
            account: account, address: address))
      }
    }
  }

  /// Who was verified, or `invalidCredentials`.
  ///
  /// The account is looked at again: it may have been disabled, or its password changed, while the
  /// hash was computed.
  package func finish(_ checked: CheckedAttempt, now: Timestamp) throws(IdentityError) -> Proof {
    let attempt = checked.attempt
    guard checked.isRight, let userID = attempt.userID, let hash = attempt.hash else {
      throw .invalidCredentials
    }
    return try database.decide { () throws(DatabaseError) in
      guard
        try accounts.user(userID)?.isActive == true,
        let today = try accounts.passwordHash(of: userID), Secret(today) == hash
      else { return .failure(.invalidCredentials) }
      try attempts.clear(account: attempt.account, address: attempt.address.network)
      if let newHash = checked.newHash {
        try accounts.replacePasswordHash(hash.revealed, with: newHash.revealed, of: userID)
      }
      return .success(
        Proof(userID: userID, method: .password, at: now, address: attempt.address))
    }
  }
}
