import CJOSE
import Persistence

/// JSON Web Signatures in their compact form with HMAC-SHA256 (RFC 7515), by cjose.
///
/// The algorithm belongs to the key. What a token says of its own algorithm is compared with that,
/// never followed.
enum SignedText {
  static let algorithm = "HS256"

  /// The payload signed by the key; nil only where memory runs out.
  static func sign(
    _ payload: [UInt8], type: String, with key: SigningKeyRepository.StoredKey
  ) -> String? {
    guard let header = cjose_header_new(nil) else { return nil }
    defer { cjose_header_release(header) }
    for (name, value) in [("alg", algorithm), ("typ", type), ("kid", key.id)] {
      guard cjose_header_set(header, name, value, nil) else { return nil }
    }
    return withJWK(key) { jwk in
      guard let jws = cjose_jws_sign(jwk, header, payload, payload.count, nil) else { return nil }
      defer { cjose_jws_release(jws) }
      var text: UnsafePointer<CChar>?
      guard cjose_jws_export(jws, &text, nil), let text else { return nil }
      return String(cString: text)
    }
  }

  /// The payload of a text that the key signed; nil for any other.
  ///
  /// The caller has compared the header with `algorithm`.
  static func payload(
    of text: String, signedWith key: SigningKeyRepository.StoredKey
  ) -> [UInt8]? {
    withJWK(key) { jwk in
      guard let jws = cjose_jws_import(text, text.utf8.count, nil) else { return nil }
      defer { cjose_jws_release(jws) }
      guard cjose_jws_verify(jws, jwk, nil) else { return nil }
      var start: UnsafeMutablePointer<UInt8>?
      var count = 0
      guard cjose_jws_get_plaintext(jws, &start, &count, nil), let start else { return nil }
      return Array(UnsafeBufferPointer(start: start, count: count))
    }
  }

  /// cjose counts references to a key without a lock, so that each use has a key of its own.
  private static func withJWK<Value>(
    _ key: SigningKeyRepository.StoredKey, _ body: (OpaquePointer) -> Value?
  ) -> Value? {
    guard let jwk = cjose_jwk_create_oct_spec(key.secret, key.secret.count, nil) else { return nil }
    defer { cjose_jwk_release(jwk) }
    return body(jwk)
  }
}
