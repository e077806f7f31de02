import Foundation
import Geo
import Persistence
import TestSupport
import Testing

@testable import Identity

private let wrong = Secret("wrong horse")

@Suite struct PasswordSignInTests {
  private let world: World

  init() throws { world = try World() }

  @Test func `the right password gives user, stores and tokens`() throws {
    let signedIn = try world.open()
    #expect(signedIn.user.id == world.ana)
    #expect(signedIn.user.firstName == "Ana" && signedIn.user.email == "Ana@Example.com")
    #expect(signedIn.employments.map(\.store.typeNum) == ["ou00", "pa00"])
    #expect(signedIn.employments.map(\.employeeID) == [456, 789])
    #expect(signedIn.employments.map(\.role.roleID) == [4, 4])
    #expect(signedIn.requiresStoreSelection)
    #expect(signedIn.requiredActions.isEmpty)
    #expect(signedIn.tokens.expiresIn == 86_400)
    #expect(signedIn.tokens.refreshExpiresAt == noon + 14 * 86_400)
    #expect(try world.caller(signedIn.tokens.accessToken).user.id == world.ana)
    #expect(try !world.open("bo@example.com").requiresStoreSelection)
  }

  @Test(arguments: ["ana@example.com", " ANA@EXAMPLE.COM", "Ana@example.com "])
  func `the address may be written in any case`(email: String) throws {
    #expect(try world.prove(email).userID == world.ana)
  }

  @Test func `whatever is wrong, the refusal is the same`() throws {
    _ = try world.administration.createUser(
      firstName: "Di", lastName: "", email: "di@example.com", company: 1, now: noon)
    try world.administration.disableUser(world.bo, now: noon)
    for (email, typed) in [
      ("ana@example.com", wrong), ("ana@example.com", Secret("")), ("nobody@example.com", password),
      ("di@example.com", password), ("bo@example.com", password), ("bo@example.com", wrong),
      ("no address", password), ("", password), ("an\u{430}@example.com", password),
    ] {
      #expect(try refusal { try world.prove(email, typed) } == .invalidCredentials)
    }
    try world.administration.enableUser(world.bo)
    #expect(try world.prove("bo@example.com").userID == world.bo)
  }

  /// A stranger at one address keeps the owner, who is at another, from nothing.
  @Test func `twenty wrong passwords from one address lock that address out, not the owner`() throws
  {
    var refusals: [IdentityError?] = []
    for second in 0..<20 {
      refusals.append(
        try refusal {
          try world.prove("ana@example.com", wrong, from: "203.0.113.9", at: noon + Double(second))
        })
    }
    #expect(refusals.prefix(5).allSatisfy { $0 == .invalidCredentials })
    #expect(refusals[5] == .rateLimited(retryAfterSeconds: 29))
    #expect(refusals[19] == .rateLimited(retryAfterSeconds: 15))
    // Even the right password waits there.
    #expect(
      try refusal { try world.prove(from: "203.0.113.9", at: noon + 20) }
        == .rateLimited(retryAfterSeconds: 14))
    #expect(try world.open(from: "192.0.2.1", at: noon + 20).user.id == world.ana)
    // The wait is over, and a success there clears what was counted there.
    #expect(try world.prove(from: "203.0.113.9", at: noon + 34).userID == world.ana)
    #expect(
      try refusal { try world.prove("ana@example.com", wrong, from: "203.0.113.9", at: noon + 35) }
        == .invalidCredentials)
  }

  @Test func `who is refused is not made to wait longer by asking`() throws {
    for _ in 0..<5 { _ = try refusal { try world.prove("ana@example.com", wrong) } }
    for second in 1..<30 {
      #expect(
        try refusal { try world.prove("ana@example.com", wrong, at: noon + Double(second)) }
          == .rateLimited(retryAfterSeconds: 30 - second))
    }
    #expect(try refusal { try world.prove(at: noon + 30) } == nil)
  }

  @Test func `a limit does not tell whether there is such an account, nor a right password`() throws
  {
    func refusals(_ email: String, _ typed: Secret, _ address: String) throws -> [IdentityError?] {
      try (0..<12).map { second in
        try refusal { try world.prove(email, typed, from: address, at: noon + Double(second) * 20) }
      }
    }
    try world.administration.disableUser(world.ana, now: noon)
    let unknown = try refusals("nobody@example.com", wrong, "203.0.113.1")
    #expect(Set(unknown.map { "\($0!)" }).count > 2)
    #expect(try refusals("ana@example.com", wrong, "203.0.113.2") == unknown)
    #expect(try refusals("ana@example.com", password, "203.0.113.3") == unknown)
    #expect(try refusals("no address", password, "203.0.113.4") == unknown)
  }

  @Test func `attempts at once count as many as attempts in a row`() throws {
    let address = ClientAddress("203.0.113.9")
    for _ in 0..<5 {
      _ = try world.signIn.begin(email: "ana@example.com", address: address, now: noon)
    }
    #expect(
      try refusal { try world.signIn.begin(email: "ana@example.com", address: address, now: noon) }
        == .rateLimited(retryAfterSeconds: 30))
  }

  @Test func `one address may not try many accounts`() throws {
    for number in 0..<50 {
      #expect(
        try refusal { try world.prove("user\(number)@example.com", at: noon + Double(number)) }
          == .invalidCredentials)
    }
    #expect(
      try refusal { try world.prove(at: noon + 50) } == .rateLimited(retryAfterSeconds: 850))
    #expect(try world.prove(from: "192.0.2.2", at: noon + 50).userID == world.ana)
    #expect(
      try refusal { try world.prove(at: noon + 899.5) } == .rateLimited(retryAfterSeconds: 1))
    #expect(try world.prove(at: noon + 900).userID == world.ana)
  }

  @Test func `guesses from everywhere slow the owner by two seconds at most`() throws {
    for number in 0..<200 {
      _ = try refusal { try world.prove("ana@example.com", wrong, from: "198.51.100.\(number)") }
    }
    let attempt = try world.signIn.begin(
      email: "ana@example.com", address: ClientAddress("192.0.2.1"), now: noon)
    #expect(attempt.delayMilliseconds == 2000)
    let checked = attempt.verify(password, with: .cheap)
    #expect(try world.signIn.finish(checked, now: noon).userID == world.ana)
    let other = try world.signIn.begin(
      email: "bo@example.com", address: ClientAddress("192.0.2.1"), now: noon)
    #expect(other.delayMilliseconds == 0)
  }

  @Test func `what was typed is not kept`() throws {
    _ = try refusal { try world.prove("hunter2", wrong) }
    var bytes = ""
    for name in ["doorstep.db", "doorstep.db-wal"] {
      let data = try Data(contentsOf: URL(filePath: world.folder.path(name)))
      bytes += String(decoding: data, as: UTF8.self)
    }
    #expect(bytes.contains("192.0.2.1"))
    #expect(!bytes.contains("hunter2") && !bytes.contains("horse"))
  }

  @Test func `a password that changes while its hash is computed does not open a session`() throws {
    let attempt = try world.signIn.begin(
      email: "ana@example.com", address: ClientAddress("192.0.2.1"), now: noon)
    let checked = attempt.verify(password, with: .cheap)
    try world.administration.setPassword(
      PasswordHasher.cheap.hash(Secret("another horse")), isTemporary: false, of: world.ana,
      now: noon)
    #expect(try refusal { try world.signIn.finish(checked, now: noon) } == .invalidCredentials)
  }

  @Test func `a hash of another cost is made anew at the next sign-in`() throws {
    let dearer = try PasswordHasher(cost: .init(passes: 2, memoryInBytes: 16_384)!)
    let before = try world.accounts.passwordHash(of: world.ana)
    _ = try refusal { try world.prove("ana@example.com", wrong, hasher: dearer) }
    #expect(try world.accounts.passwordHash(of: world.ana) == before)
    _ = try world.prove(hasher: dearer)
    let after = try #require(try world.accounts.passwordHash(of: world.ana))
    #expect(after.hasPrefix("$argon2id$v=19$m=16,t=2,p=1$"))
    #expect(try world.prove().userID == world.ana)
  }

  @Test func `a temporary password has to be changed`() throws {
    try world.administration.setPassword(
      PasswordHasher.cheap.hash(password), isTemporary: true, of: world.ana, now: noon)
    #expect(try world.open().requiredActions == [.changePassword])
  }

  @Test func `a proof is fresh for five minutes`() throws {
    let proof = try world.prove()
    #expect(proof.isFresh(at: noon) && proof.isFresh(at: noon + 300))
    #expect(!proof.isFresh(at: noon + 300.001) && !proof.isFresh(at: noon + -0.001))
  }

  /// Medians of turns taken: the hash makes most of the time, and only a missing one would show.
  @Test func `known and unknown accounts are refused in the same time`() throws {
    let hasher = try PasswordHasher(cost: .init(passes: 1, memoryInBytes: 16 << 20)!)
    try world.administration.setPassword(
      hasher.hash(password), isTemporary: false, of: world.ana, now: noon)
    let emails = ["ana@example.com", "nobody@example.com", "no address"]
    var times = [[Duration]](repeating: [], count: emails.count)
    for turn in 0..<25 {
      for (index, email) in emails.enumerated() {
        times[index].append(
          try ContinuousClock().measure {
            _ = try refusal {
              try world.prove(email, wrong, from: "198.51.100.\(turn)", hasher: hasher)
            }
          })
      }
    }
    let medians = times.map { $0.sorted()[$0.count / 2] }
    for median in medians.dropFirst() {
      #expect((0.7...1.4).contains(median / medians[0]), "medians \(medians)")
    }
  }
}
