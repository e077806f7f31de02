import Geo
import Persistence

/// How much guessing of passwords is borne.
///
/// Who guesses at an account from one address soon waits long, and its owner, who is elsewhere, not
/// at all. Guesses from everywhere slow the answers for that account, and never refuse them: else a
/// stranger could lock the owner out. One address may not try many accounts. All counts are of what
/// was typed, whether there is such an account or not, so that no limit tells.
enum SignInLimits {
  /// Attempts of one account from one address that may be made without waiting.
  static let freeOfPair = 5
  /// How long they count.
  static let pairSeconds = 3600
  /// The wait after these, doubled with each further attempt up to the longest.
  private static let firstWaitSeconds = 30
  private static let longestWaitSeconds = 900

  /// Attempts from one address within `windowSeconds`: many people of a store share one.
  static let fromAddress = 50
  static let windowSeconds = 900

  /// Attempts of one account from anywhere within `windowSeconds` that are answered at once.
  static let freeOfAccount = 10
  private static let firstDelayMilliseconds = 250
  private static let longestDelayMilliseconds = 2000

  enum Verdict: Hashable, Sendable {
    /// The attempt may be made; its answer is to be held back so long, right or wrong.
    case allowed(delayMilliseconds: Int)
    case refused(retryAfterSeconds: Int)
  }

  static func verdict(
    on count: SignInAttemptRepository.Count, at now: Timestamp
  ) -> Verdict {
    var wait = 0.0
    if count.ofPair >= freeOfPair, let last = count.lastOfPair {
      let required = doubled(
        firstWaitSeconds, times: count.ofPair - freeOfPair, upTo: longestWaitSeconds)
      // A clock that was set back makes nobody wait longer.
      wait = Double(required) - max(0, now.seconds(since: last))
    }
    if let limiting = count.limitingOfAddress {
      wait = max(wait, Double(windowSeconds) - max(0, now.seconds(since: limiting)))
    }
    guard wait <= 0 else { return .refused(retryAfterSeconds: Int(wait.rounded(.up))) }
    guard count.ofAccount >= freeOfAccount else { return .allowed(delayMilliseconds: 0) }
    return .allowed(
      delayMilliseconds: doubled(
        firstDelayMilliseconds, times: count.ofAccount - freeOfAccount,
        upTo: longestDelayMilliseconds))
  }

  private static func doubled(_ first: Int, times: Int, upTo longest: Int) -> Int {
    // Beyond this many doublings any of the above is over its longest.
    min(first << min(times, 16), longest)
  }
}
