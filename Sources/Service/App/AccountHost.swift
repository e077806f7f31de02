import Geo
import Identity
import Persistence
import TimeClock

/// Accounts and the staff clock: owns their connection to the database, and a thread for it.
///
/// Who speaks, and where they may, is looked up at each request, so that what is revoked ends at
/// once.
actor AccountHost {
  private nonisolated let executor = QueueExecutor(label: "doorstep.accounts")
  nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  let accounts: AccountRepository
  let sessions: Sessions
  let authorization: Authorization
  let signIn: PasswordSignIn
  let clock: PunchClock
  let punches: PunchRepository
  let schedule: ScheduleRepository
  let answers: IdempotentAnswers
  let now: @Sendable () -> Timestamp
  var random = SystemRandomNumberGenerator()
  private var forgotAt: Timestamp?

  private static let party = TokenParty(issuer: "doorstep", audience: "doorstep")

  init(
    database: sending Database, now: @escaping @Sendable () -> Timestamp
  ) throws(DatabaseError) {
    var random = SystemRandomNumberGenerator()
    let keys = try SigningKeys.load(from: database, now: now(), using: &random)
    accounts = AccountRepository(database: database)
    sessions = Sessions(database: database, keys: keys, party: Self.party)
    authorization = Authorization(database: database, keys: keys, party: Self.party)
    signIn = PasswordSignIn(database: database)
    clock = PunchClock(database: database)
    punches = PunchRepository(database: database)
    schedule = ScheduleRepository(database: database)
    answers = IdempotentAnswers(database: database)
    self.now = now
  }

  /// Forgets, once an hour, the answers that are not repeated any more.
  func forgetExpiredAnswers() throws(DatabaseError) {
    let time = now()
    if let forgotAt, abs(time.seconds(since: forgotAt)) < 3600 { return }
    try answers.forgetExpired(now: time)
    forgotAt = time
  }

  // MARK: Signing in

  func beginSignIn(
    email: String, from address: ClientAddress
  ) throws(IdentityError) -> PasswordSignIn.Attempt {
    try signIn.begin(email: email, address: address, now: now())
  }

  func finishSignIn(
    _ checked: PasswordSignIn.CheckedAttempt, client: String?
  ) throws(IdentityError) -> SignedIn {
    let time = now()
    let proof = try signIn.finish(checked, now: time)
    return try sessions.open(for: proof, client: client, now: time, using: &random)
  }

  func refresh(_ token: Secret) throws(IdentityError) -> Tokens {
    try sessions.refresh(token, now: now(), using: &random)
  }

  func signOut(refreshToken: Secret) throws(IdentityError) {
    try sessions.signOut(refreshToken: refreshToken, now: now())
  }

  func signOut(accessToken: Secret) throws(IdentityError) {
    let time = now()
    try sessions.signOut(
      try authorization.caller(accessToken: accessToken, now: time), now: time)
  }

  // MARK: The caller

  /// Who speaks, and where they work now.
  func profile(
    _ accessToken: Secret
  ) throws -> (user: User, employments: [Employment]) {
    let time = now()
    let user = try authorization.caller(accessToken: accessToken, now: time).user
    return (user, try accounts.employments(of: user.id).filter { $0.holds(at: time) })
  }

  /// The caller's open sessions, and which of them is the one they speak in.
  func openSessions(
    _ accessToken: Secret
  ) throws(IdentityError) -> (current: String, all: [StoredSession]) {
    let time = now()
    let caller = try authorization.caller(accessToken: accessToken, now: time)
    return (caller.session.id, try sessions.open(of: caller.user.id, now: time))
  }

  /// Ends one of the caller's sessions; false where it is none of theirs that is open.
  func endSession(_ id: String, accessToken: Secret) throws(IdentityError) -> Bool {
    let time = now()
    let caller = try authorization.caller(accessToken: accessToken, now: time)
    return try sessions.end(id, by: caller, now: time)
  }

  /// The caller's employment at the store of the path; else `storeAccessRevoked` or `forbidden`.
  func employment(
    _ accessToken: Secret, at typeNum: String, now: Timestamp
  ) throws(IdentityError) -> Employment {
    let user = try authorization.caller(accessToken: accessToken, now: now).user
    return try authorization.employment(of: user, at: typeNum, now: now)
  }

  /// Who the access token speaks for.
  func userID(_ accessToken: Secret) throws(IdentityError) -> Int {
    try authorization.caller(accessToken: accessToken, now: now()).user.id
  }
}
