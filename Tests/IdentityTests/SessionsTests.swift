import Foundation
import Geo
import Persistence
import TestSupport
import Testing

@testable import Identity

@Suite struct SessionsTests {
  private let world: World

  init() throws { world = try World() }

  @Test func `a refresh gives new tokens and moves the session's end`() throws {
    let first = try world.open().tokens
    let second = try world.refresh(first.refreshToken, at: noon + 86_400)
    #expect(second.refreshToken != first.refreshToken)
    #expect(second.accessToken != first.accessToken)
    #expect(second.expiresIn == 86_400)
    #expect(second.refreshExpiresAt == noon + 15 * 86_400)
    #expect(try world.caller(second.accessToken, at: noon + 86_400).user.id == world.ana)
    let third = try world.refresh(second.refreshToken, at: noon + 86_500)
    #expect(third.refreshToken != second.refreshToken)
  }

  /// Several requests find their token expired at once, or an answer is lost on its way.
  @Test(arguments: [0.0, 0.01, 5, 59.999, 60])
  func `the same token gives the same successor for a minute`(later: Double) throws {
    let first = try world.open().tokens
    let second = try world.refresh(first.refreshToken, at: noon + 100)
    let again = try world.refresh(first.refreshToken, at: noon + 100 + later)
    #expect(again.refreshToken == second.refreshToken)
    #expect(again.refreshExpiresAt == second.refreshExpiresAt)
    #expect(try world.caller(again.accessToken, at: noon + 100 + later).user.id == world.ana)
    // And the session goes on from there, whoever was first.
    _ = try world.refresh(second.refreshToken, at: noon + 86_400)
  }

  @Test func `the same successor comes though the session went on meanwhile`() throws {
    let first = try world.open().tokens
    let second = try world.refresh(first.refreshToken, at: noon + 10)
    let third = try world.refresh(second.refreshToken, at: noon + 20)
    #expect(
      try world.refresh(first.refreshToken, at: noon + 30).refreshToken == second.refreshToken)
    #expect(
      try world.refresh(second.refreshToken, at: noon + 40).refreshToken == third.refreshToken)
  }

  @Test func `a token used again after a minute ends its session, and that alone`() throws {
    let (mine, other) = (try world.open(), try world.open())
    let second = try world.refresh(mine.tokens.refreshToken, at: noon + 10)
    #expect(
      try refusal { try world.refresh(mine.tokens.refreshToken, at: noon + 70.001) }
        == .unauthorized(.reuseDetected))
    // The successor, and access tokens of the session, are as dead as the token itself.
    for token in [second.refreshToken, mine.tokens.refreshToken] {
      #expect(
        try refusal { try world.refresh(token, at: noon + 71) } == .unauthorized(.reuseDetected))
    }
    for token in [mine.tokens.accessToken, second.accessToken] {
      #expect(
        try refusal { try world.caller(token, at: noon + 71) } == .unauthorized(.reuseDetected))
    }
    #expect(try world.caller(other.tokens.accessToken, at: noon + 71).user.id == world.ana)
    _ = try world.refresh(other.tokens.refreshToken, at: noon + 72)
  }

  @Test func `a token of long ago is known for what it is`() throws {
    let first = try world.open().tokens.refreshToken
    var token = first
    for day in 1...40 {
      token = try world.refresh(token, at: noon + Double(day) * 86_400).refreshToken
    }
    #expect(
      try refusal { try world.refresh(first, at: noon + 41 * 86_400) }
        == .unauthorized(.reuseDetected))
  }

  @Test func `a clock that was set back revokes nobody`() throws {
    let first = try world.open().tokens
    let second = try world.refresh(first.refreshToken, at: noon + 7200)
    #expect(
      try world.refresh(first.refreshToken, at: noon + 3600).refreshToken == second.refreshToken)
    _ = try world.refresh(second.refreshToken, at: noon + 3600)
  }

  /// A refresh is in flight while its user signs out: whichever comes first, the session is over.
  @Test func `no answer brings back a session that was signed out`() throws {
    for signsOutWithOld in [false, true] {
      let first = try world.open().tokens
      let second = try world.refresh(first.refreshToken, at: noon)
      try world.sessions.signOut(
        refreshToken: signsOutWithOld ? first.refreshToken : second.refreshToken, now: noon + 1)
      for token in [first.refreshToken, second.refreshToken] {
        #expect(try refusal { try world.refresh(token, at: noon + 2) } == .unauthorized(.revoked))
      }
      #expect(
        try refusal { try world.caller(second.accessToken, at: noon + 2) }
          == .unauthorized(.revoked))
    }
    // Twice, or with nonsense, is no error.
    try world.sessions.signOut(refreshToken: Secret("nonsense"), now: noon)
  }

  @Test func `a session expires 14 days after its last refresh`() throws {
    let first = try world.open().tokens
    let almost = noon + (14 * 86_400 - 0.001)
    #expect(
      try refusal { try world.refresh(first.refreshToken, at: noon + 14 * 86_400) }
        == .unauthorized(.expired))
    let second = try world.refresh(first.refreshToken, at: almost)
    #expect(second.refreshExpiresAt == almost + 14 * 86_400)
  }

  @Test func `a session with an absolute end does not outlive it, nor do its access tokens`() throws
  {
    let policy = SessionPolicy(
      accessSeconds: 86_400, idleSeconds: 3 * 86_400, absoluteSeconds: 5 * 86_400)
    let first = try world.open(policy: policy).tokens
    #expect(first.refreshExpiresAt == noon + 3 * 86_400)
    let second = try world.refresh(first.refreshToken, at: noon + 2.5 * 86_400)
    #expect(second.refreshExpiresAt == noon + 5 * 86_400)
    let third = try world.refresh(second.refreshToken, at: noon + 4.5 * 86_400)
    #expect(third.expiresIn == 43_200)
    #expect(
      try refusal { try world.caller(third.accessToken, at: noon + 5 * 86_400) }
        == .unauthorized(.expired))
    #expect(
      try refusal { try world.refresh(third.refreshToken, at: noon + 5 * 86_400) }
        == .unauthorized(.expired))
  }

  @Test(arguments: [
    "", "nonsense", String(repeating: "A", count: 43), String(repeating: "A", count: 44),
  ])
  func `a token that nobody was given is refused`(text: String) throws {
    #expect(try refusal { try world.refresh(Secret(text), at: noon) } == .unauthorized(.revoked))
  }

  @Test func `a user sees their sessions and ends them, and nobody else's`() throws {
    let (phone, page, other) = (
      try world.open(), try world.open(at: noon + 5), try world.open("bo@example.com")
    )
    let caller = try world.caller(page.tokens.accessToken, at: noon + 10)
    let listed = try world.sessions.open(of: world.ana, now: noon + 10)
    #expect(listed.map(\.id) == [page.session, phone.session])
    #expect(listed[0].client == "test/1" && listed[0].address == "192.0.2.1")
    #expect(try !world.sessions.end(other.session, by: caller, now: noon + 10))
    #expect(try !world.sessions.end("nonsense", by: caller, now: noon + 10))
    #expect(try world.sessions.end(phone.session, by: caller, now: noon + 10))
    #expect(try !world.sessions.end(phone.session, by: caller, now: noon + 10))
    #expect(
      try refusal { try world.caller(phone.tokens.accessToken, at: noon + 10) }
        == .unauthorized(.revoked))
    _ = try world.caller(other.tokens.accessToken, at: noon + 10)
    let third = try world.open(at: noon + 20)
    #expect(try world.sessions.endOthers(of: caller, now: noon + 30) == 1)
    #expect(
      try refusal { try world.refresh(third.tokens.refreshToken, at: noon + 30) }
        == .unauthorized(.revoked))
    try world.sessions.signOut(caller, now: noon + 40)
    #expect(try world.sessions.open(of: world.ana, now: noon + 40).isEmpty)
  }

  @Test func `a session's last use is known to within five minutes`() throws {
    let signedIn = try world.open()
    func lastUse() throws -> Timestamp {
      try world.sessions.open(of: world.ana, now: noon)[0].lastUsedAt
    }
    _ = try world.caller(signedIn.tokens.accessToken, at: noon + 299)
    #expect(try lastUse() == noon)
    _ = try world.caller(signedIn.tokens.accessToken, at: noon + 300)
    #expect(try lastUse() == noon + 300)
  }

  @Test func `sessions that are long over are forgotten, open ones are not`() throws {
    let (ended, _, open) = (
      try world.open(), try world.open(), try world.open(at: noon + 10 * 86_400)
    )
    try world.sessions.signOut(refreshToken: ended.tokens.refreshToken, now: noon)
    let repository = SessionRepository(database: world.database)
    #expect(try repository.forgetSessions(over: noon) == 0)
    #expect(try repository.forgetSessions(over: noon + 1) == 1)
    #expect(try repository.forgetSessions(over: noon + 15 * 86_400) == 1)
    _ = try world.refresh(open.tokens.refreshToken, at: noon + 15 * 86_400)
  }

  /// Computed by Python's hmac module.
  @Test func `a successor is the HMAC of its nonce under the token`() throws {
    let token = try #require(
      RefreshToken(Secret("AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8")))
    #expect(
      token.successor(nonce: [UInt8](0..<16)).text
        == Secret("2m4miNker1H3r3vNX2LuRMEKODEuawoDSm_LrCL_QxI"))
  }

  @Test func `no token is in the database in clear, and no nonce for longer than a minute`() throws
  {
    let first = try world.open().tokens.refreshToken
    let second = try world.refresh(first, at: noon).refreshToken
    let repository = SessionRepository(database: world.database)
    func nonce(_ token: Secret) throws -> [UInt8]? {
      try #require(try repository.refreshToken(hash: RefreshToken(token)!.hash)).successorNonce
    }
    #expect(try nonce(first)?.count == 16)
    let third = try world.refresh(second, at: noon + 61).refreshToken
    #expect(try nonce(first) == nil)
    #expect(try nonce(second) != nil)
    try world.sessions.signOut(refreshToken: third, now: noon + 62)
    #expect(try nonce(second) == nil)
    var bytes: [UInt8] = []
    for name in ["doorstep.db", "doorstep.db-wal"] {
      bytes += try Data(contentsOf: URL(filePath: world.folder.path(name)))
    }
    for token in [first, second, third] {
      #expect(bytes.firstRange(of: RefreshToken(token)!.hash) != nil)
      #expect(bytes.firstRange(of: Array(token.revealed.utf8)) == nil)
      #expect(bytes.firstRange(of: Base64URL.decode(token.revealed)!) == nil)
    }
  }
}
