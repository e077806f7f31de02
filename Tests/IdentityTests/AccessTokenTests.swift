import Geo
import Persistence
import TestSupport
import Testing

@testable import Identity

private let issued = 1_764_500_000
private let keyBytes = [UInt8](0..<32)
private let keys = SigningKeys(
  current: .init(id: "k1", secret: keyBytes, createdAt: noon),
  previous: .init(id: "k0", secret: [UInt8](32..<64), createdAt: noon))
private let token = AccessToken(
  userID: 7, session: "AAECAwQFBgcICQoLDA0ODw", issuedAt: issued, expiresAt: issued + 86_400,
  id: "j-1")
private let header = #"{"alg":"HS256","typ":"at+jwt","kid":"k1"}"#
private let claims = """
  {"iss":"https://clock.example.com","aud":"doorstep","userId":7,"sid":"AAECAwQFBgcICQoLDA0ODw",\
  "iat":1764500000,"exp":1764586400,"jti":"j-1"}
  """
/// Signed by Python's hmac module.
private let signature = "h-YwbGF0jAfyYHg8XtbREOMsGff7QPXkBdwINh6XOhY"

private func encoded(_ text: String) -> String { Base64URL.encode(Array(text.utf8)) }

private func signed(
  _ header: String, _ claims: String, key: [UInt8] = keyBytes
) -> String {
  let text = encoded(header) + "." + encoded(claims)
  return text + "." + Base64URL.encode(hmacSHA256(Array(text.utf8), key: key))
}

private func verify(_ text: String, at seconds: Int = issued) throws -> AccessToken {
  try AccessToken(
    verifying: Secret(text), for: party, with: keys,
    now: Timestamp(millisecondsSince1970: Int64(seconds) * 1000))
}

private func problem(_ text: String, at seconds: Int = issued) -> AccessToken.Problem? {
  do {
    _ = try verify(text, at: seconds)
    return nil
  } catch { return error as? AccessToken.Problem }
}

@Suite struct AccessTokenTests {
  @Test func `a token is what another implementation of HS256 makes of it`() throws {
    let expected = encoded(header) + "." + encoded(claims) + "." + signature
    #expect(token.signed(for: party, with: keys).revealed == expected)
    #expect(try verify(expected) == token)
  }

  /// RFC 7515, appendix A.1.
  @Test func `the signature of the standard's own example is verified`() throws {
    let key = SigningKeyRepository.StoredKey(
      id: "rfc",
      secret: try #require(
        Base64URL.decode(
          "AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow")
      ), createdAt: noon)
    let text =
      "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9"
      + ".eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ij"
      + "p0cnVlfQ.dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    let payload = try #require(SignedText.payload(of: text, signedWith: key))
    #expect(String(decoding: payload, as: UTF8.self).hasPrefix(#"{"iss":"joe","#))
    #expect(SignedText.payload(of: text.dropLast() + "g", signedWith: key) == nil)
  }

  @Test func `it says for whom, of which session, since when and until when`() {
    #expect(
      claims.contains(#""userId":7"#) && claims.contains(#""sid":"#)
        && claims.contains(#""iat":1764500000"#))
  }

  @Test(arguments: [
    ("alg none", #"{"alg":"none","typ":"at+jwt","kid":"k1"}"#),
    ("alg none in another case", #"{"alg":"nOnE","typ":"at+jwt","kid":"k1"}"#),
    ("HMAC under the name of RSA", #"{"alg":"RS256","typ":"at+jwt","kid":"k1"}"#),
    ("no algorithm", #"{"typ":"at+jwt","kid":"k1"}"#),
    ("two algorithms", #"{"alg":"none","alg":"HS256","typ":"at+jwt","kid":"k1"}"#),
    ("an unknown key", #"{"alg":"HS256","typ":"at+jwt","kid":"k9"}"#),
    ("no key", #"{"alg":"HS256","typ":"at+jwt"}"#),
    ("a key's place", #"{"alg":"HS256","typ":"at+jwt","kid":"k1","jku":"https://evil.example"}"#),
    ("a key brought along", #"{"alg":"HS256","typ":"at+jwt","kid":"k1","jwk":{"kty":"oct"}}"#),
    ("what must be understood", #"{"alg":"HS256","typ":"at+jwt","kid":"k1","crit":["exp"]}"#),
    ("another kind of token", #"{"alg":"HS256","typ":"JWT","kid":"k1"}"#),
    ("no object", #"["HS256"]"#),
  ])
  func `a header other than ours is refused, though the right key signed it`(
    name: String, header: String
  ) {
    #expect(problem(signed(header, claims)) == .invalid)
    // And without a signature, which alg none asks for.
    #expect(problem(encoded(header) + "." + encoded(claims) + ".") == .invalid)
  }

  /// Signed by Python's hmac module with the right key.
  @Test(arguments: [
    ("HS384", "mvMvJF7tAPFsKpxnLnFnqJNfQzKPIDiqfUQ66lTegbMKB_x-qKsGJQLXPrK20h-H"),
    (
      "HS512",
      "cIhQ_EasGQ6MdAiM59RfjvzdQ8ImIaD8_V5IyUHGF2v4VAGgimjAk3t68qo9jpMrkI_9KdIQsl_BqFHAvlOYWA"
    ),
  ])
  func `another algorithm of the same key is refused`(algorithm: String, signature: String) {
    let header = #"{"alg":"\#(algorithm)","typ":"at+jwt","kid":"k1"}"#
    let text = encoded(header) + "." + encoded(claims) + "." + signature
    #expect(problem(text) == .invalid)
  }

  @Test(arguments: [
    ("another key", [UInt8](32..<64)), ("an empty key", []), ("its id", Array("k1".utf8)),
  ])
  func `another key is refused`(name: String, key: [UInt8]) {
    #expect(problem(signed(header, claims, key: key)) == .invalid)
  }

  @Test(arguments: [
    (#""iss":"https://clock.example.com""#, #""iss":"https://evil.example""#),
    (#""iss":"https://clock.example.com","#, ""),
    (#""aud":"doorstep""#, #""aud":"other""#),
    (#""aud":"doorstep""#, #""aud":["doorstep"]"#),
    (#""aud":"doorstep","#, ""),
    (#""userId":7"#, #""userId":"7""#),
    (#""userId":7"#, #""userId":7.5"#),
    (#""userId":7,"#, ""),
    (#""userId":7"#, #""userId":7,"userId":8"#),
    (#""sid":"AAECAwQFBgcICQoLDA0ODw","#, ""),
    (#""iat":1764500000,"#, ""),
    (#""iat":1764500000"#, #""iat":1e400"#),
    (#""exp":1764586400,"#, ""),
    (#""exp":1764586400"#, #""exp":"1764586400""#),
    (#""exp":1764586400"#, #""exp":1764499999"#),
    (#","jti":"j-1""#, ""),
  ])
  func `claims other than ours are refused, though the right key signed them`(
    old: String, new: String
  ) {
    let changed = claims.replacing(old, with: new)
    #expect(changed != claims)
    #expect(problem(signed(header, changed)) == .invalid)
  }

  @Test func `no character can be changed, left out or added`() throws {
    let text = Array(token.signed(for: party, with: keys).revealed.utf8)
    for index in text.indices {
      var changed = text
      for other in "ABgw-.".utf8 where other != text[index] {
        changed[index] = other
        #expect(problem(String(decoding: changed, as: UTF8.self)) == .invalid)
      }
      changed.remove(at: index)
      #expect(problem(String(decoding: changed, as: UTF8.self)) == .invalid)
    }
    let whole = String(decoding: text, as: UTF8.self)
    for changed in [
      whole + "=", whole + ".", whole + ".AA", " " + whole, whole + "\n", "", ".", "..", "....",
      String(repeating: "A", count: 1 << 20),
    ] {
      #expect(problem(changed) == .invalid)
    }
  }

  @Test(
    arguments: [
      (0, nil), (86_400 - 1, nil), (86_400 + 59, nil), (86_400 + 60, .expired),
      (86_400 * 400, .expired), (-60, nil), (-61, .invalid), (-86_400, .invalid),
    ] as [(Int, AccessToken.Problem?)])
  func `a token is good from its issue to its expiry, and a minute around`(
    seconds: Int, expected: AccessToken.Problem?
  ) {
    #expect(problem(signed(header, claims), at: issued + seconds) == expected)
  }

  @Test func `an expired token of another key is not told from nonsense`() {
    let late = issued + 86_400 * 2
    #expect(problem(signed(header, claims, key: [1, 2, 3]), at: late) == .invalid)
  }

  @Test func `after a change of keys the tokens of the key before are good, of older ones not`()
    throws
  {
    let folder = try TemporaryFolder()
    let database = try Database(path: folder.path("doorstep.db"))
    var random = SeededGenerator(seed: 9)
    func check(_ text: Secret, _ keys: SigningKeys) -> Bool {
      let now = Timestamp(millisecondsSince1970: Int64(issued) * 1000)
      return (try? AccessToken(verifying: text, for: party, with: keys, now: now)) == token
    }
    let first = try SigningKeys.load(from: database, now: noon, using: &random)
    let old = token.signed(for: party, with: first)
    #expect(check(old, try SigningKeys.load(from: database, now: noon, using: &random)))
    let second = try SigningKeys.rotate(in: database, now: noon, using: &random)
    let new = token.signed(for: party, with: second)
    #expect(new != old)
    #expect(check(old, second) && check(new, second) && !check(new, first))
    #expect(check(old, try SigningKeys.load(from: database, now: noon, using: &random)))
    let third = try SigningKeys.rotate(in: database, now: noon, using: &random)
    #expect(!check(old, third) && check(new, third))
    #expect(try SigningKeyRepository(database: database).keys().count == 2)
  }
}
