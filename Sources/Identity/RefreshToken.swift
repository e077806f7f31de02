/// An opaque credential that is swapped for a new access token and its own successor.
///
/// The successor of a token is HMAC-SHA256 of a nonce, keyed by the token. The server keeps the hash
/// of each and, for as long as a lost answer may be asked for again, the nonce: so it can give the
/// same successor to who still has the predecessor, and to nobody else. Who reads the database finds
/// nonces and hashes, from which no token follows; who has an old token lacks its nonce, which is
/// forgotten.
struct RefreshToken: Equatable, Sendable {
  static let byteCount = 32

  private let bytes: [UInt8]

  init(using random: inout some RandomNumberGenerator) {
    bytes = random.bytes(RefreshToken.byteCount)
  }

  /// Nil for what is no token of this form: 43 characters of base64url.
  init?(_ text: Secret) {
    guard
      text.revealed.utf8.count == 43, let bytes = Base64URL.decode(text.revealed),
      bytes.count == RefreshToken.byteCount
    else { return nil }
    self.bytes = bytes
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  var text: Secret { Secret(Base64URL.encode(bytes)) }

  /// By which the server knows it.
  var hash: [UInt8] { sha256(bytes) }

  func successor(nonce: [UInt8]) -> RefreshToken {
    RefreshToken(bytes: hmacSHA256(Array("doorstep refresh 1".utf8) + nonce, key: bytes))
  }

  static func == (a: RefreshToken, b: RefreshToken) -> Bool { areEqual(a.bytes, b.bytes) }
}

extension RefreshToken: CustomStringConvertible, CustomReflectable {
  var description: String { "(refresh token)" }
  var customMirror: Mirror { Mirror(self, children: [:]) }
}
