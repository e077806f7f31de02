import Foundation
import Geo
import Persistence
import TestSupport
import Testing

@testable import Identity

/// Sessions as a list in memory, with the rules told once more in the plainest way.
private struct Model {
  struct Session {
    /// Each token and when it was swapped for the next.
    var tokens: [(token: Secret, swappedAt: Timestamp?)]
    var idleUntil: Timestamp
    var end: IdentityError.Reason?

    func refusal(at now: Timestamp) -> IdentityError.Reason? {
      end ?? (now >= idleUntil ? .expired : nil)
    }
  }

  enum Answer: Equatable {
    case new
    case known(Secret)
    case refused(IdentityError.Reason)
  }

  var sessions: [Session] = []

  mutating func refresh(session: Int, token: Int, at now: Timestamp) -> Answer {
    if let reason = sessions[session].refusal(at: now) { return .refused(reason) }
    guard let swappedAt = sessions[session].tokens[token].swappedAt else {
      sessions[session].tokens[token].swappedAt = now
      sessions[session].idleUntil = now + 14 * 86_400
      return .new
    }
    if now.seconds(since: swappedAt) <= 60 {
      return .known(sessions[session].tokens[token + 1].token)
    }
    sessions[session].end = .reuseDetected
    return .refused(.reuseDetected)
  }
}

@Suite struct SessionModelTests {
  /// As many steps as fit into some seconds without optimization.
  private static let steps =
    ProcessInfo.processInfo.environment["DOORSTEP_LONG_TESTS"] == "1" ? 4000 : 250

  @Test(arguments: 1...6 as ClosedRange<UInt64>)
  func `any sequence of sign-ins, refreshes, reuses and sign-outs goes as the model has it`(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    let world = try World(seed: seed &* 77)
    var model = Model()
    var access: [(token: Secret, session: Int, expiresAt: Int64)] = []
    var now = noon
    func remember(_ tokens: Tokens, session: Int) {
      let seconds = now.millisecondsSince1970 / 1000
      access.append((tokens.accessToken, session, seconds + Int64(tokens.expiresIn)))
    }
    for step in 0..<Self.steps {
      let pauses: [Double] = [
        0, 0, 0.001, 1, 30, 59.999, 60, 60.001, 3600, 86_400, 13 * 86_400, 14 * 86_400,
      ]
      // Long pauses end everything, so that they are rare.
      now =
        now
        + pauses[
          Int.random(
            in: 0..<(Int.random(in: 0..<30, using: &random) == 0 ? 12 : 10), using: &random)]
      switch Int.random(in: 0..<20, using: &random) {
      case 0...2 where model.sessions.count < 40, _ where model.sessions.isEmpty:
        let signedIn = try world.open(at: now)
        model.sessions.append(
          .init(
            tokens: [(signedIn.tokens.refreshToken, nil)],
            idleUntil: signedIn.tokens.refreshExpiresAt, end: nil))
        remember(signedIn.tokens, session: model.sessions.count - 1)
      case 0...13:
        let session = Int.random(
          in: max(0, model.sessions.count - 4)..<model.sessions.count, using: &random)
        let count = model.sessions[session].tokens.count
        // The newest mostly, one of the last few often, any sometimes.
        let back = [0, 0, 0, 1, 1, 2, count - 1].randomElement(using: &random)!
        let token = max(0, count - 1 - back)
        let secret = model.sessions[session].tokens[token].token
        let expected = model.refresh(session: session, token: token, at: now)
        do {
          let tokens = try world.refresh(secret, at: now)
          remember(tokens, session: session)
          #expect(tokens.refreshExpiresAt == model.sessions[session].idleUntil)
          if expected == .new {
            let isNew = model.sessions.allSatisfy { session in
              session.tokens.allSatisfy { $0.token != tokens.refreshToken }
            }
            #expect(isNew, "step \(step)")
            model.sessions[session].tokens.append((tokens.refreshToken, nil))
          } else {
            #expect(expected == .known(tokens.refreshToken), "step \(step)")
          }
        } catch let error as IdentityError {
          guard case .unauthorized(let reason?) = error else { throw error }
          #expect(expected == .refused(reason), "step \(step)")
        }
      case 14:
        let session = Int.random(in: 0..<model.sessions.count, using: &random)
        let token = model.sessions[session].tokens.randomElement(using: &random)!.token
        try world.sessions.signOut(refreshToken: token, now: now)
        model.sessions[session].end = model.sessions[session].end ?? .revoked
      default:
        let (token, session, expiresAt) = access.randomElement(using: &random)!
        let expected: IdentityError? =
          if now.millisecondsSince1970 / 1000 >= expiresAt + 60 {
            .tokenExpired
          } else {
            model.sessions[session].refusal(at: now).map { .unauthorized($0) }
          }
        #expect(try refusal { try world.caller(token, at: now) } == expected, "step \(step)")
      }
    }
    let open = model.sessions.count { $0.refusal(at: now) == nil }
    #expect(try world.sessions.open(of: world.ana, now: now).count == open)
  }
}
