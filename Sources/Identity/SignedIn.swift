import Geo
import Persistence

/// The two tokens of a session, and how long they live.
package struct Tokens: Equatable, Sendable {
  package let accessToken: Secret
  package let refreshToken: Secret
  /// Seconds from now until the access token expires.
  package let expiresIn: Int
  package let refreshExpiresAt: Timestamp
}

/// What somebody has to do before anything else.
package enum RequiredAction: String, Sendable {
  /// The password was chosen by somebody else.
  case changePassword
}

/// Somebody who has just signed in.
package struct SignedIn: Equatable, Sendable {
  package let user: User
  /// Where the user works now, by `typeNum`.
  package let employments: [Employment]
  package let requiredActions: [RequiredAction]
  package let session: String
  package let tokens: Tokens

  package var requiresStoreSelection: Bool { employments.count > 1 }
}
