import API
import Dispatch
import Foundation
import Identity
import Synchronization

/// Compares passwords, few at once: each takes a quarter of a second and 64 MiB.
final class PasswordQueue: Sendable {
  private let queue: OperationQueue
  private let hasher: PasswordHasher
  private let waiting = Mutex(0)
  private static let mostWaiting = 64

  init(hasher: PasswordHasher) {
    self.hasher = hasher
    queue = OperationQueue()
    queue.name = "doorstep.passwords"
    queue.maxConcurrentOperationCount = 2
  }

  /// Compares a password off every thread that others wait for; `unavailable` where too many wait.
  func verify(
    _ password: Secret, of attempt: PasswordSignIn.Attempt
  ) async throws(APIError) -> PasswordSignIn.CheckedAttempt {
    let isFull = waiting.withLock { count in
      if count >= Self.mostWaiting { return true }
      count += 1
      return false
    }
    if isFull { throw APIError(.unavailable, "Too many are signing in. Send it again.") }
    defer { waiting.withLock { $0 -= 1 } }
    let hasher = hasher
    return await withCheckedContinuation { continuation in
      queue.addOperation {
        continuation.resume(returning: attempt.verify(password, with: hasher))
      }
    }
  }
}
