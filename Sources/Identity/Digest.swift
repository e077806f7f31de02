import CSodium

/// SHA-256 of bytes (FIPS 180-4).
func sha256(_ bytes: some Sequence<UInt8>) -> [UInt8] {
  let bytes = Array(bytes)
  var hash = [UInt8](repeating: 0, count: Int(crypto_hash_sha256_BYTES))
  crypto_hash_sha256(&hash, bytes, UInt64(bytes.count))
  return hash
}

/// HMAC-SHA256 of bytes under a key of any length (RFC 2104).
func hmacSHA256(_ bytes: [UInt8], key: [UInt8]) -> [UInt8] {
  var state = crypto_auth_hmacsha256_state()
  var code = [UInt8](repeating: 0, count: Int(crypto_auth_hmacsha256_BYTES))
  crypto_auth_hmacsha256_init(&state, key, key.count)
  crypto_auth_hmacsha256_update(&state, bytes, UInt64(bytes.count))
  crypto_auth_hmacsha256_final(&state, &code)
  return code
}

extension RandomNumberGenerator {
  /// So many random bytes, as unpredictable as the generator is.
  mutating func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &self) }
  }
}
