import Geo

/// How somebody can show who they are; each way ends in a `Proof` or a refusal.
package enum SignInMethod: String, Sendable {
  case password
}

/// Who was just verified, how and when.
package struct Proof: Hashable, Sendable {
  package let userID: Int
  package let method: SignInMethod
  package let at: Timestamp
  let address: ClientAddress

  /// How old a proof may be to allow what cannot be taken back, as deleting the account.
  package static let freshSeconds = 300

  package func isFresh(at now: Timestamp) -> Bool {
    (0...Double(Proof.freshSeconds)).contains(now.seconds(since: at))
  }
}
