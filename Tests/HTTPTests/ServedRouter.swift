import Foundation
import HTTP

/// Runs `body` while a router is served on a port of its own.
///
/// `body` may block: it has threads of its own, so the handlers' tasks find theirs free.
func serving(
  _ router: Router = SampleRoutes.router,
  patience: Duration = .seconds(5),
  onCompletion: (@Sendable (HTTPCompletion) -> Void)? = nil,
  configure: (inout HTTPServerConfiguration) -> Void = { _ in },
  body: (HTTPServer) async throws -> Void
) async throws {
  var configuration = HTTPServerConfiguration(port: 0)
  configure(&configuration)
  let server = try HTTPServer(
    router: router, configuration: configuration, onCompletion: onCompletion)
  do {
    try await withTaskExecutorPreference(BlockingExecutor()) { try await body(server) }
  } catch {
    await server.stop(patience: patience)
    throw error
  }
  await server.stop(patience: patience)
}

/// Waits until a condition holds, ten seconds at most.
func eventually(_ condition: () -> Bool) async -> Bool {
  let clock = ContinuousClock()
  let deadline = clock.now + .seconds(10)
  while !condition() {
    guard clock.now < deadline else { return false }
    try? await clock.sleep(for: .milliseconds(5))
  }
  return true
}

/// Gives every piece of a task a thread of its own.
private final class BlockingExecutor: TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    Thread.detachNewThread { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
