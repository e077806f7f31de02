import Geo
import Persistence
import TestSupport

@testable import Identity

let noon = Timestamp(millisecondsSince1970: 1_764_504_000_000)
let party = TokenParty(issuer: "https://clock.example.com", audience: "doorstep")
let password = Secret("correct horse")

extension Timestamp {
  static func + (a: Timestamp, seconds: Double) -> Timestamp { a.advanced(bySeconds: seconds) }
}

extension PasswordHasher {
  /// As cheap as Argon2id gets: these tests are about who may do what.
  static let cheap = try! PasswordHasher(cost: Cost(passes: 1, memoryInBytes: 8192)!)
}

/// Two companies on a file of their own: `ou00` and `pa00` of one, `x1` of the other. Ana buys at
/// both stores of the first, Bo manages `ou00` alone, and Cy works for the other.
final class World {
  let folder: TemporaryFolder
  let database: Database
  let keys: SigningKeys
  let administration: Administration
  let sessions: Sessions
  let authorization: Authorization
  let signIn: PasswordSignIn
  let accounts: AccountRepository
  var random: SeededGenerator
  let (ana, bo, cy): (Int, Int, Int)

  init(seed: UInt64 = 1) throws {
    folder = try TemporaryFolder()
    database = try Database(path: folder.path("doorstep.db"))
    random = SeededGenerator(seed: seed)
    let before = noon + -86_400
    keys = try SigningKeys.load(from: database, now: before, using: &random)
    administration = Administration(database: database)
    sessions = Sessions(database: database, keys: keys, party: party)
    authorization = Authorization(database: database, keys: keys, party: party)
    signIn = PasswordSignIn(database: database)
    accounts = AccountRepository(database: database)
    try Fixture(json: Array(World.document.utf8)).load(
      into: database, hasher: .cheap, now: before)
    let emails = ["ana@example.com", "bo@example.com", "cy@example.com"]
    let ids = try emails.map { [accounts] email in try accounts.user(emailKey: email)!.id }
    (ana, bo, cy) = (ids[0], ids[1], ids[2])
  }

  static let document = """
    {"companies": [
      {"name": "Example",
       "roles": [
         {"name": "manager", "roleId": 2, "isManager": true,
          "permissions": {"clock": "self", "viewHours": "store", "manageUsers": "company"}},
         {"name": "buyer", "roleId": 4, "isManager": false, "permissions": {"clock": "self"}}],
       "stores": [
         {"typeNum": "ou00", "storeName": "Ottawa Store", "timeZone": "America/Toronto"},
         {"typeNum": "pa00", "storeName": "Parkway Store", "timeZone": "America/Toronto"}],
       "users": [
         {"firstName": "Ana", "lastName": "Ruiz", "email": "Ana@Example.com",
          "password": "correct horse",
          "assignments": [
            {"store": "ou00", "role": "buyer", "employeeId": 456},
            {"store": "pa00", "role": "buyer", "employeeId": 789}]},
         {"firstName": "Bo", "lastName": "Li", "email": "bo@example.com",
          "password": "correct horse",
          "assignments": [{"store": "ou00", "role": "manager", "employeeId": 1}]}]},
      {"name": "Other",
       "roles": [{"name": "buyer", "roleId": 4, "isManager": false}],
       "stores": [{"typeNum": "x1", "storeName": "Elsewhere", "timeZone": "Asia/Tokyo"}],
       "users": [
         {"firstName": "Cy", "lastName": "Day", "email": "cy@example.com",
          "password": "correct horse",
          "assignments": [{"store": "x1", "role": "buyer", "employeeId": 456}]}]}]}
    """

  func prove(
    _ email: String = "ana@example.com", _ typed: Secret = password,
    from address: String = "192.0.2.1", hasher: PasswordHasher = .cheap, at now: Timestamp = noon
  ) throws -> Proof {
    let attempt = try signIn.begin(email: email, address: ClientAddress(address), now: now)
    return try signIn.finish(attempt.verify(typed, with: hasher), now: now)
  }

  func open(
    _ email: String = "ana@example.com", from address: String = "192.0.2.1",
    policy: SessionPolicy = .employee, at now: Timestamp = noon
  ) throws -> SignedIn {
    try sessions.open(
      for: try prove(email, from: address, at: now), client: "test/1", policy: policy, now: now,
      using: &random)
  }

  func refresh(_ token: Secret, at now: Timestamp) throws -> Tokens {
    try sessions.refresh(token, now: now, using: &random)
  }

  func caller(_ token: Secret, at now: Timestamp = noon) throws -> Caller {
    try authorization.caller(accessToken: token, now: now)
  }
}

/// What identity refuses with; nil where it does not.
func refusal<Value>(_ body: () throws -> Value) throws -> IdentityError? {
  do {
    _ = try body()
    return nil
  } catch let error as IdentityError {
    return error
  }
}
