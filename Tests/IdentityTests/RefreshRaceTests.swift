import Geo
import Persistence
import TestSupport
import Testing

@testable import Identity

/// One owner of a database, as the service has.
private actor Owner {
  private let sessions: Sessions
  private var random: SeededGenerator

  init(path: String, seed: UInt64) throws {
    let database = try Database(path: path)
    random = SeededGenerator(seed: seed)
    let keys = try SigningKeys.load(from: database, now: noon, using: &random)
    sessions = Sessions(database: database, keys: keys, party: party)
  }

  func refresh(_ token: Secret, at now: Timestamp) throws -> Secret {
    try sessions.refresh(token, now: now, using: &random).refreshToken
  }

  func signOut(_ token: Secret) throws { try sessions.signOut(refreshToken: token, now: noon) }
}

@Suite struct RefreshRaceTests {
  private let world: World

  init() throws { world = try World() }

  private func successors(of token: Secret, by owners: [Owner]) async throws -> [Secret] {
    try await withThrowingTaskGroup { group in
      for task in 0..<20 {
        let owner = owners[task % owners.count]
        group.addTask { try await owner.refresh(token, at: noon + Double(task) / 100) }
      }
      var successors: [Secret] = []
      for try await successor in group { successors.append(successor) }
      return successors
    }
  }

  @Test(arguments: [1, 5])
  func `twenty refreshes at once get one successor, whoever owns the database`(
    owners count: Int
  ) async throws {
    let path = world.folder.path("doorstep.db")
    let owners = try (0..<count).map { try Owner(path: path, seed: UInt64(100 + $0)) }
    var token = try world.open().tokens.refreshToken
    for _ in 0..<5 {
      let found = try await successors(of: token, by: owners)
      #expect(found.count == 20 && found.allSatisfy { $0 == found[0] })
      #expect(found[0] != token)
      token = found[0]
    }
    _ = try world.refresh(token, at: noon + 10)
  }

  @Test func `a sign-out among refreshes is the last word`() async throws {
    let path = world.folder.path("doorstep.db")
    let owners = try (0..<3).map { try Owner(path: path, seed: UInt64(200 + $0)) }
    let token = try world.open().tokens.refreshToken
    let found = await withTaskGroup { group in
      for task in 0..<12 {
        let owner = owners[task % owners.count]
        group.addTask { () -> Secret? in
          if task == 6 { try? await owner.signOut(token) }
          return try? await owner.refresh(token, at: noon)
        }
      }
      var found: [Secret] = []
      for await secret in group { if let secret { found.append(secret) } }
      return found
    }
    for secret in found + [token] {
      #expect(
        try refusal { try world.refresh(secret, at: noon + 1) } == .unauthorized(.revoked))
    }
  }
}
