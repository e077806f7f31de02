/// What became of a fix; the raw value is the reason code that answers, logs and metrics print.
public enum FixOutcome: String, Hashable, Sendable, CaseIterable {
  case accepted
  /// Coarse: it took its place in the order of time, and can lengthen an exit run.
  case accuracyTooLow = "accuracy_too_low"
  /// Held until the next fix agrees with it, or dropped where it is coarse.
  case implausibleJump = "implausible_jump"
  /// The same time and coordinate as a fix accepted before.
  case duplicate
  /// Another coordinate at a time that is decided already.
  case sameTime = "same_time"
  /// Older than the last accepted fix: amends the past, never live presence.
  case outOfOrder = "out_of_order"
  case simulated
  case nullIsland = "null_island"
  case fixFromFuture = "fix_from_future"
  case invalidFix = "invalid_fix"
  case noFix = "no_fix"
}
