import Foundation
import Geo
import HTTP
import Synchronization
import Testing

@Suite struct AuthRouteTests {
  let app: ClockedStores

  init() async throws { app = try await ClockedStores() }

  @Test func `signing in tells who it is, where they work, and the tokens`() async throws {
    let answer = await app.logIn()
    #expect(answer.status == 200)
    #expect(answer.headers[.cacheControl] == "no-store")
    #expect(answer["status"] as? String == "signedIn")
    #expect(answer["expiresIn"] as? Int == 86_400)
    #expect(answer["refreshExpiresAt"] as? String == "2026-03-16T12:00:00.000Z")
    #expect(answer["user", "userId"] as? Int == (try app.user("ana")))
    #expect(answer["user", "email"] as? String == "ana@example.com")
    #expect(answer["stores", 1, "typeNum"] as? String == "ou00")
    #expect(answer["stores", 1, "roleId"] as? Int == 4)
    #expect(answer["stores", 1, "isManager"] as? Bool == false)
    #expect(answer["stores", 1, "employeeId"] as? Int == 456)
    #expect(answer["stores", 2, "employeeId"] as? Int == 789)
    #expect(answer["requiresStoreSelection"] as? Bool == true)
    #expect((answer["requiredActions"] as? [Any])?.isEmpty == true)
    #expect(await app.logIn("bo")["requiresStoreSelection"] as? Bool == false)
  }

  @Test func `a wrong password and an unknown account are told alike`() async {
    let wrong = await app.logIn(password: "wrong")
    let unknown = await app.logIn("nobody", password: "wrong")
    #expect(wrong.status == 401)
    #expect(wrong.code == "INVALID_CREDENTIALS")
    #expect(unknown.status == 401)
    #expect(unknown.text == wrong.text)
  }

  @Test func `guessing has to wait, and is told how long`() async {
    for _ in 1...5 { #expect(await app.logIn(password: "guess").status == 401) }
    let answer = await app.logIn()
    #expect(answer.status == 429)
    #expect(answer.code == "RATE_LIMITED")
    #expect(answer.headers[.retryAfter] == "30")
    app.stores.advance(seconds: 30)
    #expect(await app.logIn().status == 200)
  }

  @Test func `a token that is missing, tampered with or expired opens nothing`() async {
    let token = await app.token()
    #expect(await app.ask(.get, "me").code == "UNAUTHORIZED")
    let parts = token.split(separator: ".")
    let tampered = "\(parts[0]).\(parts[1]).\(String(parts[2].reversed()))"
    #expect(await app.ask(.get, "me", token: tampered).code == "UNAUTHORIZED")
    #expect(await app.ask(.get, "me", token: token)["user", "firstName"] as? String == "Ana")
    app.stores.advance(seconds: 86_400 + 60)
    let expired = await app.ask(.get, "me", token: token)
    #expect(expired.status == 401)
    #expect(expired.code == "TOKEN_EXPIRED")
  }

  @Test func `R1: refreshes at once get the same successor, and a late one ends the session`()
    async
  {
    let first = await app.logIn()["refreshToken"] as? String ?? ""
    let body = #"{"refreshToken":"\#(first)"}"#
    async let a = app.ask(.post, "auth/refresh", body)
    async let b = app.ask(.post, "auth/refresh", body)
    let (one, two) = await (a, b)
    #expect(one.status == 200)
    #expect(two.status == 200)
    let successor = one["refreshToken"] as? String
    #expect(successor != nil && successor != first)
    #expect(two["refreshToken"] as? String == successor)
    app.stores.advance(seconds: 61)
    let late = await app.ask(.post, "auth/refresh", body)
    #expect(late.status == 401)
    #expect(late["error", "details", "reason"] as? String == "reuseDetected")
    let token = one["accessToken"] as? String
    #expect(await app.ask(.get, "me", token: token).code == "UNAUTHORIZED")
  }

  @Test func `signing out ends the session at once`() async {
    let signedIn = await app.logIn()
    let token = signedIn["accessToken"] as? String
    let refreshToken = signedIn["refreshToken"] as? String ?? ""
    #expect(await app.ask(.post, "auth/logout", token: token).status == 204)
    let after = await app.ask(.get, "me", token: token)
    #expect(after.code == "UNAUTHORIZED")
    #expect(after["error", "details", "reason"] as? String == "revoked")
    let refresh = await app.ask(
      .post, "auth/refresh", #"{"refreshToken":"\#(refreshToken)"}"#)
    #expect(refresh.status == 401)
  }

  @Test func `one's other sessions are listed and can be ended, and nobody else's`() async {
    let first = await app.token()
    app.stores.advance(seconds: 1)
    let second = await app.token()
    let list = await app.ask(.get, "me/sessions", token: second)
    let sessions = list["sessions"] as? [[String: Any]] ?? []
    #expect(sessions.count == 2)
    let other = sessions.first { $0["isCurrent"] as? Bool == false }?["id"] as? String ?? ""
    let bo = await app.token("bo")
    #expect(await app.ask(.delete, "me/sessions/\(other)", token: bo).status == 404)
    #expect(await app.ask(.get, "me", token: first).status == 200)
    #expect(await app.ask(.delete, "me/sessions/\(other)", token: second).status == 204)
    #expect(await app.ask(.get, "me", token: first).status == 401)
    #expect(await app.ask(.get, "me", token: second).status == 200)
  }

  @Test(arguments: [
    ("", "email_missing"), (#"{"email":"ana@example.com"}"#, "password_missing"),
    (#"{"email":7,"password":"x"}"#, "email_not_a_text"),
  ])
  func `what is missing is named`(body: String, problem: String) async {
    let answer = await app.ask(.post, "auth/login", body)
    #expect(answer.status == 400)
    #expect(answer.problems == [problem])
  }

  @Test func `no secret is in an error or in the log`() async {
    let signedIn = await app.logIn()
    let token = signedIn["accessToken"] as? String ?? "?"
    let wrong = await app.logIn(password: "s3cret-guess")
    let refused = await app.ask(.get, "me", token: token + "x")
    let log = app.stores.log.withLock { $0.joined() }
    for text in [wrong.text, refused.text, log] {
      #expect(!text.contains("s3cret-guess"))
      #expect(!text.contains(token))
    }
  }
}
