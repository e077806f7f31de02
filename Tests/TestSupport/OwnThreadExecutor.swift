import Dispatch

/// Runs the tasks of one test on a thread of their own.
///
/// Tests that measure time must not wait for those that compute: all tests of a program share as
/// many threads as there are processors.
public final class OwnThreadExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "a test's own thread")

  public init() {}

  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
