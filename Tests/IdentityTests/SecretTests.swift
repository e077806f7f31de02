import Geo
import Persistence
import TestSupport
import Testing

@testable import Identity

@Suite struct SecretTests {
  @Test func `no description, reflection or dump of a secret shows it`() throws {
    let world = try World()
    let signedIn = try world.open()
    let attempt = try world.signIn.begin(
      email: "ana@example.com", address: ClientAddress("192.0.2.1"), now: noon)
    let key = try world.administration.createAPIKey(
      name: "agent", scopes: [.positions], subject: nil, company: 1, now: noon,
      using: &world.random)
    let hash = try #require(try world.accounts.passwordHash(of: world.ana))
    let refreshToken = RefreshToken(signedIn.tokens.refreshToken)!
    var shown = ""
    for value: Any in [password, signedIn, attempt, key, refreshToken, world.keys] {
      shown += "\(value) \(String(reflecting: value))"
      dump(value, to: &shown)
    }
    for secret in [
      password, signedIn.tokens.accessToken, signedIn.tokens.refreshToken, key.secret, Secret(hash),
      Secret("\(world.keys.current.secret)"),
    ] {
      #expect(!shown.contains(secret.revealed))
    }
  }

  @Test func `secrets are the same where their bytes are`() {
    #expect(Secret("a") == Secret("a"))
    #expect(Secret("a") != Secret("b"))
    #expect(Secret("a") != Secret("ab"))
    #expect(Secret("") == Secret(""))
    // Composed and not: the same to Swift's strings.
    #expect(Secret("\u{e9}") != Secret("e\u{301}"))
  }
}
