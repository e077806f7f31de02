/// How long a session and its tokens live, by the kind of client.
package struct SessionPolicy: Hashable, Sendable {
  /// The life of an access token.
  package let accessSeconds: Int
  /// The life of a session without a refresh, and so of a refresh token.
  package let idleSeconds: Int
  /// The life of a session however often it is refreshed; nil for one without end.
  package let absoluteSeconds: Int?

  package init(accessSeconds: Int, idleSeconds: Int, absoluteSeconds: Int?) {
    precondition(
      accessSeconds > 0 && idleSeconds > 0 && absoluteSeconds ?? 1 > 0,
      "lives are positive, found \(accessSeconds), \(idleSeconds), \(absoluteSeconds ?? 1) s")
    self.accessSeconds = accessSeconds
    self.idleSeconds = idleSeconds
    self.absoluteSeconds = absoluteSeconds
  }

  /// Of employees with their phones: 24 h, and 14 days that begin anew with each refresh.
  package static let employee = SessionPolicy(
    accessSeconds: 86_400, idleSeconds: 14 * 86_400, absoluteSeconds: nil)
}

/// What the server says of itself in its access tokens: who signs, and for whom.
package struct TokenParty: Hashable, Sendable {
  package let issuer: String
  package let audience: String

  package init(issuer: String, audience: String) {
    self.issuer = issuer
    self.audience = audience
  }
}
