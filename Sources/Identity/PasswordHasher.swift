import CSodium
import Foundation

/// Makes and verifies hashes of passwords: Argon2id (RFC 9106) as libsodium does it.
///
/// Each hash or verification takes the memory and time of the cost, on the thread that asks: it
/// belongs on no thread that others wait for, and few should run at once. A verification against an
/// account that does not exist, or has no password, does the work of one that does. The salt is
/// libsodium's own.
package struct PasswordHasher: Sendable {
  /// What one hash costs; a later change holds for hashes made after it.
  package struct Cost: Hashable, Sendable {
    /// How often the memory is passed over.
    package let passes: Int
    package let memoryInBytes: Int

    /// Nil below 1 pass or 8 KiB, or above 2^31 passes or 4 GiB, which Argon2id does not take here.
    package init?(passes: Int, memoryInBytes: Int) {
      guard
        (1...1 << 31).contains(passes), (8192...1 << 32).contains(memoryInBytes)
      else { return nil }
      self.passes = passes
      self.memoryInBytes = memoryInBytes
    }

    private init() {
      passes = 2
      memoryInBytes = 64 << 20
    }

    /// 2 passes over 64 MiB: about a quarter of a second on one core.
    package static let standard = Cost()
  }

  package enum Failure: Error, Hashable, Sendable, CustomStringConvertible {
    case outOfMemory(needed: Int)

    package var description: String {
      switch self {
      case .outOfMemory(let needed):
        "a password could not be hashed for want of \(needed >> 20) MiB of memory; free some, or "
          + "lower the cost"
      }
    }
  }

  /// A longer password is refused, so that nobody makes the server normalize a book.
  package static let maximumBytes = 1024

  package let cost: Cost
  /// What an account without a hash is verified against: the hash of a password nobody knows.
  private let dummy: Secret

  /// Makes a hasher, which takes the time of one hash.
  package init(cost: Cost = .standard) throws(Failure) {
    // -1 is a failure, which only a system without randomness gives; 1 that it was done before.
    precondition(sodium_init() >= 0, "libsodium could not be initialized")
    self.cost = cost
    var unknown = [UInt8](repeating: 0, count: 32)
    randombytes_buf(&unknown, unknown.count)
    dummy = try PasswordHasher.hash(Base64URL.encode(unknown), cost: cost)
  }

  /// The hash of a password, which names its own cost and salt.
  package func hash(_ password: Secret) throws(Failure) -> Secret {
    try PasswordHasher.hash(password.revealed, cost: cost)
  }

  /// Whether this is the password of `hash`; never where `hash` is nil, which takes as long.
  package func verify(_ password: Secret, against hash: Secret?) -> Bool {
    let bytes = composed(password.revealed)
    let isRight =
      crypto_pwhash_str_verify(
        (hash ?? dummy).revealed, bytes.map { CChar(bitPattern: $0) }, UInt64(bytes.count)) == 0
    return isRight && hash != nil && bytes.count <= PasswordHasher.maximumBytes
  }

  /// Whether `hash` was made at another cost than this hasher's.
  package func isOutdated(_ hash: Secret) -> Bool {
    crypto_pwhash_str_needs_rehash(hash.revealed, UInt64(cost.passes), cost.memoryInBytes) != 0
  }

  private static func hash(_ password: String, cost: Cost) throws(Failure) -> Secret {
    let bytes = composed(password).map { CChar(bitPattern: $0) }
    var text = [CChar](repeating: 0, count: Int(crypto_pwhash_STRBYTES))
    let code = crypto_pwhash_str_alg(
      &text, bytes, UInt64(bytes.count), UInt64(cost.passes), cost.memoryInBytes,
      crypto_pwhash_ALG_ARGON2ID13)
    guard code == 0 else { throw .outOfMemory(needed: cost.memoryInBytes) }
    return Secret(
      String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
  }
}

/// The password as it is hashed: in NFC, so that it does not matter how a keyboard composes ü; one
/// byte more than the longest where it is longer, which no hash is ever made of.
private func composed(_ password: String) -> [UInt8] {
  let limit = PasswordHasher.maximumBytes + 1
  guard password.utf8.count < limit else { return Array(password.utf8.prefix(limit)) }
  return Array(password.precomposedStringWithCanonicalMapping.utf8)
}
