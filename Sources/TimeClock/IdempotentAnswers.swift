import Geo
import Geofencing
import Persistence

/// Answers each request with an idempotency key once, and its repeats as the first time.
package struct IdempotentAnswers {
  private let database: Database
  private let repository: IdempotencyRepository

  package init(database: Database) {
    self.database = database
    repository = IdempotencyRepository(database: database)
  }

  /// How long an answer is repeated: 7 days.
  package static let keptMilliseconds: Int64 = 7 * 86_400_000

  /// A request as far as its repeats are known by it.
  package struct Request {
    package let scope: IdempotencyRepository.Scope
    package let fingerprint: [UInt8]

    /// - Parameter body: The bytes as they came.
    package init(_ scope: IdempotencyRepository.Scope, body: some Sequence<UInt8>) {
      self.scope = scope
      var hash = FNV1a128()
      hash.absorb(body)
      fingerprint = [hash.high, hash.low].flatMap { word in
        stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> UInt64($0)) }
      }
    }
  }

  package struct Answer: Hashable, Sendable {
    /// The HTTP status.
    package let status: Int
    package let body: [UInt8]
    /// Whether it was given before.
    package let isRepeat: Bool

    package init(status: Int, body: [UInt8]) {
      self.init(status: status, body: body, isRepeat: false)
    }

    init(status: Int, body: [UInt8], isRepeat: Bool) {
      self.status = status
      self.body = body
      self.isRepeat = isRepeat
    }
  }

  /// The key was used for a request with another body.
  package struct Mismatch: Error, Hashable, Sendable, CustomStringConvertible {
    package let key: String
    /// The code that clients program against.
    package var code: String { "IDEMPOTENCY_MISMATCH" }
    package var description: String {
      "the idempotency key was used with another body; use a new key for a new request"
    }
  }

  /// The stored answer of a repeat, or the one that `act` gives.
  ///
  /// What `act` writes and its answer are one transaction: of two at once with one key one acts, and
  /// the other gets the same answer; where `act` throws, all it wrote is undone and the key is free.
  /// Only statuses 200 to 299 are stored. Throws `Mismatch`, a `DatabaseError`, or what `act` throws.
  package func answer(
    _ request: Request, now: Timestamp, _ act: () throws -> Answer
  ) throws -> Answer {
    try database.transaction(wrapping: { $0 as any Error }) {
      let cutoff = now.advanced(byMilliseconds: -IdempotentAnswers.keptMilliseconds)
      if let stored = try repository.answer(for: request.scope, storedSince: cutoff) {
        guard stored.fingerprint == request.fingerprint else {
          throw Mismatch(key: request.scope.key)
        }
        return Answer(status: stored.status, body: stored.body, isRepeat: true)
      }
      let answer = try act()
      if (200...299).contains(answer.status) {
        try repository.store(
          .init(
            fingerprint: request.fingerprint, status: answer.status, body: answer.body,
            storedAt: now), for: request.scope)
      }
      return answer
    }
  }

  /// Forgets the answers that are not repeated any more; returns how many those were.
  @discardableResult
  package func forgetExpired(now: Timestamp) throws(DatabaseError) -> Int {
    try repository.forget(
      storedBefore: now.advanced(byMilliseconds: -IdempotentAnswers.keptMilliseconds))
  }
}
