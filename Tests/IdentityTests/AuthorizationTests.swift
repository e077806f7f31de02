import Geo
import Persistence
import TestSupport
import Testing

@testable import Identity

@Suite struct AuthorizationTests {
  private let world: World
  private let ana: User

  init() throws {
    world = try World()
    ana = try #require(try world.accounts.user(world.ana))
  }

  private func employment(
    _ user: User, _ typeNum: String, at now: Timestamp = noon
  ) throws -> Employment {
    try world.authorization.employment(of: user, at: typeNum, now: now)
  }

  @Test func `a token of another server, and nonsense, speak for nobody`() throws {
    let other = try World(seed: 5)
    let foreign = try other.open().tokens.accessToken
    #expect(try refusal { try world.caller(foreign) } == .unauthorized(nil))
    #expect(try refusal { try world.caller(Secret("nonsense")) } == .unauthorized(nil))
    #expect(try refusal { try world.caller(Secret("")) } == .unauthorized(nil))
    let refreshToken = try world.open().tokens.refreshToken
    #expect(try refusal { try world.caller(refreshToken) } == .unauthorized(nil))
  }

  @Test func `an access token that expired asks for a refresh, in a session that goes on`() throws {
    let token = try world.open().tokens.accessToken
    _ = try world.caller(token, at: noon + 86_459)
    #expect(try refusal { try world.caller(token, at: noon + 86_460) } == .tokenExpired)
  }

  @Test func `a token whose session names another user speaks for nobody`() throws {
    let signedIn = try world.open()
    let forged = AccessToken(
      userID: world.bo, session: signedIn.session,
      issuedAt: Int(noon.millisecondsSince1970 / 1000),
      expiresAt: Int(noon.millisecondsSince1970 / 1000) + 60, id: "x"
    ).signed(for: party, with: world.keys)
    #expect(try refusal { try world.caller(forged) } == .unauthorized(nil))
  }

  @Test func `a disabled, deleted or re-passworded user is out at once, with the reason`() throws {
    let (a, b, c) = (
      try world.open("ana@example.com"), try world.open("bo@example.com"),
      try world.open("cy@example.com")
    )
    try world.administration.disableUser(world.ana, now: noon)
    try world.administration.deleteUser(world.bo, now: noon)
    try world.administration.setPassword(
      PasswordHasher.cheap.hash(password), isTemporary: false, of: world.cy, now: noon)
    for (signedIn, reason) in [
      (a, IdentityError.Reason.revoked), (b, .accountDeleted), (c, .revoked),
    ] {
      #expect(
        try refusal { try world.caller(signedIn.tokens.accessToken) } == .unauthorized(reason))
      #expect(
        try refusal { try world.refresh(signedIn.tokens.refreshToken, at: noon) }
          == .unauthorized(reason))
    }
    // To be let in again takes a new session.
    try world.administration.enableUser(world.ana)
    #expect(
      try refusal { try world.caller(a.tokens.accessToken) } == .unauthorized(.revoked))
    _ = try world.open("ana@example.com")
  }

  @Test func `nothing but the number stays of a deleted user`() throws {
    try world.administration.deleteUser(world.ana, now: noon)
    let user = try #require(try world.accounts.user(world.ana))
    #expect(user.deletedAt == noon && user.email == nil)
    #expect(user.firstName.isEmpty && user.lastName.isEmpty)
    #expect(try world.accounts.passwordHash(of: world.ana) == nil)
    #expect(try refusal { try world.prove() } == .invalidCredentials)
    #expect(throws: AdministrationError.userUnknown(world.ana)) {
      try world.administration.enableUser(world.ana)
    }
    // The address is free, and its new owner is somebody else.
    let next = try world.administration.createUser(
      firstName: "Ana", lastName: "Too", email: "ana@example.com", company: 1, now: noon)
    #expect(next.id > world.cy)
  }

  @Test(arguments: ["ou00", "OU00", "Ou00"])
  func `a store is found in any case of letters`(typeNum: String) throws {
    let found = try employment(ana, typeNum)
    #expect(found.store.typeNum == "ou00" && found.employeeID == 456)
    #expect(found.store.timeZone == "America/Toronto" && found.role.name == "buyer")
  }

  @Test func `access that was revoked differs from access that never was`() throws {
    let token = try world.open().tokens.accessToken
    #expect(try world.administration.revoke(user: world.ana, from: "OU00", now: noon + 5))
    #expect(try !world.administration.revoke(user: world.ana, from: "ou00", now: noon + 6))
    _ = try employment(ana, "ou00", at: noon + 4.999)
    #expect(try refusal { try employment(ana, "ou00", at: noon + 5) } == .storeAccessRevoked)
    // The session goes on, and the other store is open.
    #expect(try world.caller(token, at: noon + 5).user.id == world.ana)
    #expect(try employment(ana, "pa00", at: noon + 5).employeeID == 789)
    #expect(try refusal { try employment(ana, "x1") } == .forbidden)
    #expect(try refusal { try employment(ana, "nowhere") } == .forbidden)
    #expect(try refusal { try employment(ana, "' OR 1=1 --") } == .forbidden)
    #expect(try world.open(at: noon + 5).employments.map(\.store.typeNum) == ["pa00"])
    // And who comes back is in again.
    _ = try world.administration.assign(
      user: world.ana, to: "ou00", role: "buyer", employeeID: 456, from: noon + 100)
    #expect(try refusal { try employment(ana, "ou00", at: noon + 99) } == .storeAccessRevoked)
    _ = try employment(ana, "ou00", at: noon + 100)
  }

  @Test func `work that has not begun opens nothing, and is ended by a revocation too`() throws {
    _ = try world.administration.assign(
      user: world.bo, to: "pa00", role: "manager", employeeID: 2, from: noon + 100,
      until: noon + 200)
    let bo = try #require(try world.accounts.user(world.bo))
    #expect(try refusal { try employment(bo, "pa00", at: noon + 99.999) } == .forbidden)
    _ = try employment(bo, "pa00", at: noon + 100)
    _ = try employment(bo, "pa00", at: noon + 199.999)
    #expect(try refusal { try employment(bo, "pa00", at: noon + 200) } == .storeAccessRevoked)
    #expect(try world.administration.revoke(user: world.bo, from: "pa00", now: noon))
    #expect(
      try refusal { try employment(bo, "pa00", at: noon + 150) } == .storeAccessRevoked)
  }

  @Test func `a permission reaches as far as its scope`() throws {
    let bo = try #require(try world.accounts.user(world.bo))
    func require(
      _ permission: Permission, _ scope: PermissionScope, _ user: User, _ typeNum: String
    ) throws -> IdentityError? {
      try refusal {
        try world.authorization.require(
          permission, for: scope, of: user, at: typeNum, now: noon)
      }
    }
    #expect(try require(.clock, .own, ana, "ou00") == nil)
    #expect(try require(.clock, .team, ana, "ou00") == .forbidden)
    #expect(try require(.viewHours, .own, ana, "ou00") == .forbidden)
    #expect(try require(.viewHours, .own, bo, "ou00") == nil)
    #expect(try require(.viewHours, .store, bo, "ou00") == nil)
    #expect(try require(.viewHours, .company, bo, "ou00") == .forbidden)
    // Of the whole company: also at the store where Bo does not work, and not of another company.
    #expect(try require(.manageUsers, .store, bo, "pa00") == nil)
    #expect(try require(.viewHours, .store, bo, "pa00") == .forbidden)
    #expect(try require(.manageUsers, .store, bo, "x1") == .forbidden)
    #expect(try require(.manageUsers, .store, bo, "nowhere") == .forbidden)
    _ = try world.administration.revoke(user: world.ana, from: "ou00", now: noon)
    #expect(try require(.clock, .own, ana, "ou00") == .storeAccessRevoked)
  }

  @Test func `an API key opens what its scopes say until it is revoked`() throws {
    let (key, secret) = try world.administration.createAPIKey(
      name: "agent", scopes: [.positions, .events], subject: SubjectID("van-1"), company: 1,
      now: noon, using: &world.random)
    func open(_ text: Secret, _ scope: APIScope, at now: Timestamp = noon) throws -> StoredAPIKey {
      try world.authorization.apiKey(text, for: scope, now: now)
    }
    let found = try open(secret, .positions)
    #expect(found.id == key.id && found.subject == SubjectID("van-1") && found.company == 1)
    #expect(found.scopes == [.positions, .events])
    _ = try open(secret, .events)
    #expect(try refusal { try open(secret, .admin) } == .forbidden)
    for text in ["", "doorstep_", secret.revealed + "A", String(secret.revealed.dropFirst(9))] {
      #expect(try refusal { try open(Secret(text), .positions) } == .unauthorized(nil))
    }
    let other = APIKey(using: &world.random)
    #expect(try refusal { try open(other.text, .positions) } == .unauthorized(nil))
    let keys = APIKeyRepository(database: world.database)
    #expect(try keys.keys(of: 1).map(\.lastUsedAt) == [noon])
    _ = try open(secret, .positions, at: noon + 300)
    #expect(try keys.keys(of: 1).map(\.lastUsedAt) == [noon + 300])
    #expect(try world.administration.revokeAPIKey(key.id, now: noon))
    #expect(try !world.administration.revokeAPIKey(key.id, now: noon))
    #expect(try refusal { try open(secret, .positions) } == .unauthorized(.revoked))
  }
}
