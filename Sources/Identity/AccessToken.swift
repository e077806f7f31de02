import Geo
import JSON
import Persistence

/// What an access token says: a JSON Web Token (RFC 7519) of the profile of RFC 9068, for one user
/// and any of their stores.
struct AccessToken: Hashable, Sendable {
  let userID: Int
  let session: String
  /// Whole seconds since 1970, as the token has them.
  let issuedAt: Int
  let expiresAt: Int
  let id: String

  /// How far a clock may be off, on both sides.
  static let leewaySeconds = 60

  private static let type = "at+jwt"
  /// Ours have some 400 bytes; more is not worth decoding.
  private static let maximumBytes = 4096

  func signed(for party: TokenParty, with keys: SigningKeys) -> Secret {
    var json = JSONWriter()
    json.object { json in
      json.member("iss", party.issuer)
      json.member("aud", party.audience)
      json.member("userId", userID)
      json.member("sid", session)
      json.member("iat", issuedAt)
      json.member("exp", expiresAt)
      json.member("jti", id)
    }
    guard
      let text = SignedText.sign(json.bytes, type: AccessToken.type, with: keys.current)
    else { preconditionFailure("no memory to sign an access token of 400 bytes") }
    return Secret(text)
  }

  /// Why a token is not taken.
  enum Problem: Error, Hashable, Sendable {
    /// Not one that this server signed for this audience.
    case invalid
    /// One that was good until it expired.
    case expired
  }

  /// Reads a token that one of the keys signed for this party, and that is of now.
  init(
    verifying text: Secret, for party: TokenParty, with keys: SigningKeys, now: Timestamp
  ) throws(Problem) {
    guard
      let key = AccessToken.key(of: text.revealed, among: keys),
      let payload = SignedText.payload(of: text.revealed, signedWith: key),
      let claims = AccessToken.object(payload),
      claims["iss"]?.string == party.issuer, claims["aud"]?.string == party.audience,
      let userID = claims["userId"]?.int64, let session = claims["sid"]?.string,
      let issuedAt = claims["iat"]?.int64, let expiresAt = claims["exp"]?.int64,
      let id = claims["jti"]?.string
    else { throw .invalid }
    let seconds = now.millisecondsSince1970 / 1000
    let leeway = Int64(AccessToken.leewaySeconds)
    guard issuedAt <= seconds + leeway, issuedAt <= expiresAt else { throw .invalid }
    guard seconds - leeway < expiresAt else { throw .expired }
    self.init(
      userID: Int(userID), session: session, issuedAt: Int(issuedAt), expiresAt: Int(expiresAt),
      id: id)
  }

  init(userID: Int, session: String, issuedAt: Int, expiresAt: Int, id: String) {
    self.userID = userID
    self.session = session
    self.issuedAt = issuedAt
    self.expiresAt = expiresAt
    self.id = id
  }

  /// Which of the server's keys a token claims to be signed with; nil where its header is not just
  /// what this server writes.
  private static func key(
    of text: String, among keys: SigningKeys
  ) -> SigningKeyRepository.StoredKey? {
    guard text.utf8.count <= maximumBytes else { return nil }
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    // Each part has one encoding only, so that no two texts are the same token.
    let decoded = parts.compactMap { Base64URL.decode($0) }
    guard
      parts.count == 3, decoded.count == 3, let header = object(decoded[0]),
      header.members.count == 3, header["alg"]?.string == SignedText.algorithm,
      header["typ"]?.string == type, let id = header["kid"]?.string
    else { return nil }
    return keys.key(id: id)
  }

  private static func object(_ bytes: [UInt8]) -> JSONValue? {
    var parser = JSONParser()
    guard let value = try? parser.parse(bytes), value.kind == .object else { return nil }
    return value
  }
}
