import Geo
import Persistence

/// What becomes of a refresh token that is presented.
enum RefreshVerdict: Equatable {
  /// It is the newest: its successor is made.
  case rotate
  /// It was the newest a moment ago: several requests refreshed at once, or an answer was lost.
  case repeatSuccessor(nonce: [UInt8])
  /// Its successor has been in use for long: one of the two is a thief's.
  case reuse
  case refuse(IdentityError.Reason)

  /// For how long after a rotation the same successor is given again, to the second.
  static let repeatSeconds = 60

  init(on token: StoredRefreshToken, of session: StoredSession, at now: Timestamp) {
    if let reason = session.refusal(at: now) {
      self = .refuse(reason)
      return
    }
    guard let superseded = token.supersededAt else {
      self = .rotate
      return
    }
    guard
      now.milliseconds(since: superseded) <= RefreshVerdict.repeatSeconds * 1000,
      let nonce = token.successorNonce
    else {
      self = .reuse
      return
    }
    self = .repeatSuccessor(nonce: nonce)
  }
}

extension StoredSession {
  /// Why this session is good for nothing at `now`; nil where it is good.
  func refusal(at now: Timestamp) -> IdentityError.Reason? {
    switch end?.reason {
    case .signedOut, .revoked, .passwordChanged: .revoked
    case .reuseDetected: .reuseDetected
    case .accountDeleted: .accountDeleted
    case nil: now < idleUntil ? nil : .expired
    }
  }
}

extension User {
  /// Why this user may have no session; nil where they may.
  var refusal: IdentityError.Reason? {
    if deletedAt != nil { return .accountDeleted }
    return disabledAt == nil ? nil : .revoked
  }
}
