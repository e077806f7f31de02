import Testing

@testable import Identity

@Suite struct PasswordHasherTests {
  private let hasher = PasswordHasher.cheap

  /// Made by the reference implementation of Argon2 (libargon2), of known salts.
  @Test(arguments: [
    (
      "correct horse",
      "$argon2id$v=19$m=1024,t=2,p=1$AAECAwQFBgcICQoLDA0ODw"
        + "$dyN7iiF9/XdplhfjiTgX+fohW/+IGEnzwAcVTaC0eI0"
    ),
    (
      "p\u{e4}ssw\u{f6}rd",
      "$argon2id$v=19$m=64,t=1,p=1$AAECAwQFBgcICQoLDA0ODw"
        + "$B93sUmx4MxpO41FlXpkKmnwma2eeFxP7/1TOWqz7Mcc"
    ),
  ])
  func `the reference implementation's hashes are verified`(password: String, hash: String) {
    #expect(hasher.verify(Secret(password), against: Secret(hash)))
    #expect(!hasher.verify(Secret(password + "x"), against: Secret(hash)))
  }

  @Test func `a hash names its algorithm and cost, and no two are the same`() throws {
    let (a, b) = (try hasher.hash(password), try hasher.hash(password))
    #expect(a.revealed.hasPrefix("$argon2id$v=19$m=8,t=1,p=1$"))
    #expect(a != b)
    #expect(hasher.verify(password, against: a))
    #expect(hasher.verify(password, against: b))
    #expect(!hasher.verify(Secret("correct Horse"), against: a))
    #expect(!hasher.verify(Secret(""), against: a))
  }

  @Test func `it does not matter how a keyboard composes a letter`() throws {
    let hash = try hasher.hash(Secret("p\u{e4}ssword"))
    #expect(hasher.verify(Secret("pa\u{308}ssword"), against: hash))
  }

  @Test func `a password counts to its last byte, a zero and a long one too`() throws {
    let zero = try hasher.hash(Secret("pass\u{0}word"))
    #expect(!hasher.verify(Secret("pass\u{0}work"), against: zero))
    #expect(hasher.verify(Secret("pass\u{0}word"), against: zero))
    let longest = String(repeating: "a", count: PasswordHasher.maximumBytes)
    let hash = try hasher.hash(Secret(longest))
    #expect(hasher.verify(Secret(longest), against: hash))
    #expect(!hasher.verify(Secret(longest + "a"), against: hash))
    #expect(!hasher.verify(Secret(longest.dropLast() + "b"), against: hash))
  }

  @Test func `nothing is the password of no hash`() {
    #expect(!hasher.verify(password, against: nil))
    #expect(!hasher.verify(Secret(""), against: nil))
    #expect(!hasher.verify(password, against: Secret("nonsense")))
    #expect(!hasher.verify(Secret(""), against: Secret("")))
  }

  @Test func `a hash of another cost is outdated`() throws {
    let dearer = try PasswordHasher(cost: .init(passes: 2, memoryInBytes: 8192)!)
    let hash = try hasher.hash(password)
    #expect(!hasher.isOutdated(hash))
    #expect(dearer.isOutdated(hash))
    #expect(dearer.verify(password, against: hash))
  }

  @Test func `costs that Argon2id does not take are refused`() {
    #expect(PasswordHasher.Cost(passes: 0, memoryInBytes: 8192) == nil)
    #expect(PasswordHasher.Cost(passes: 1, memoryInBytes: 8191) == nil)
    #expect(PasswordHasher.Cost.standard.memoryInBytes == 64 << 20)
  }

  @Test func `one hash of the standard cost takes less than half a second`() throws {
    let hasher = try PasswordHasher()
    let hash = try hasher.hash(password)
    // The least of some, for a busy machine may take its time.
    let times = (0..<5).map { _ in
      ContinuousClock().measure { _ = hasher.verify(password, against: hash) }
    }
    #expect(times.min()! < .milliseconds(500))
    #expect(times.min()! > .milliseconds(20))
  }
}
