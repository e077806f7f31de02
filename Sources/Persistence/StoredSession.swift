import Geo

/// A session as it is remembered: somebody signed in on one client, until it ends.
package struct StoredSession: Hashable, Sendable {
  /// Why a session ended before its time.
  package enum EndReason: String, Sendable {
    case signedOut
    /// By the user from another session, or by an administrator.
    case revoked
    /// A refresh token was used again after its successor was.
    case reuseDetected
    case passwordChanged
    case accountDeleted
  }

  package struct End: Hashable, Sendable {
    package let at: Timestamp
    package let reason: EndReason
  }

  package let id: String
  package let user: Int
  /// By which method the user was verified, and when.
  package let method: String
  package let provedAt: Timestamp
  /// What the client calls itself; nil where it does not say.
  package let client: String?
  /// From where it was opened.
  package let address: String
  /// How long an access token of it lives.
  package let accessSeconds: Int
  /// How long it lives without a refresh.
  package let idleSeconds: Int
  package let createdAt: Timestamp
  /// To within some minutes.
  package let lastUsedAt: Timestamp
  /// When it expires unless it is refreshed; never after `absoluteUntil`.
  package let idleUntil: Timestamp
  /// When it expires in any case; nil where it does not.
  package let absoluteUntil: Timestamp?
  package let end: End?

  package init(
    id: String, user: Int, method: String, provedAt: Timestamp, client: String?, address: String,
    accessSeconds: Int, idleSeconds: Int, createdAt: Timestamp, lastUsedAt: Timestamp,
    idleUntil: Timestamp, absoluteUntil: Timestamp?, end: End?
  ) {
    self.id = id
    self.user = user
    self.method = method
    self.provedAt = provedAt
    self.client = client
    self.address = address
    self.accessSeconds = accessSeconds
    self.idleSeconds = idleSeconds
    self.createdAt = createdAt
    self.lastUsedAt = lastUsedAt
    self.idleUntil = idleUntil
    self.absoluteUntil = absoluteUntil
    self.end = end
  }
}

/// A refresh token as it is remembered: not the token, but what became of it.
package struct StoredRefreshToken: Hashable, Sendable {
  package let session: String
  /// Nil for the newest of its session.
  package let supersededAt: Timestamp?
  /// With the token itself it gives the successor; nil once that may not be asked for any more.
  package let successorNonce: [UInt8]?
}
