/// A credential of a device or a backend: `doorstep_` and 32 random bytes in base64url.
///
/// It is as hard to guess as it is long, so that a plain SHA-256 of it is enough to keep. Its
/// beginning lets those who search texts for secrets find it.
package struct APIKey: Sendable {
  private static let prefix = "doorstep_"

  let text: Secret
  /// By which the server knows it.
  package let hash: [UInt8]

  init(using random: inout some RandomNumberGenerator) {
    self.init(bytes: random.bytes(32))
  }

  /// Nil for what is no key of this form.
  package init?(_ text: Secret) {
    guard
      text.revealed.hasPrefix(APIKey.prefix),
      let bytes = Base64URL.decode(text.revealed.dropFirst(APIKey.prefix.count)), bytes.count == 32
    else { return nil }
    self.init(bytes: bytes)
  }

  private init(bytes: [UInt8]) {
    text = Secret(APIKey.prefix + Base64URL.encode(bytes))
    hash = sha256(bytes)
  }
}
