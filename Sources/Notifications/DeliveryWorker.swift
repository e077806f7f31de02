import Geo
import Synchronization

/// Delivers what is queued for one target, until it is acknowledged or given up.
///
/// Each target has its own worker, so that a slow receiver delays nobody else. One delivery failing
/// for itself waits alone; where the receiver cannot be reached, the whole queue waits, and then one
/// delivery tries whether it is back.
package final class DeliveryWorker: Sendable {
  private struct State {
    /// Attempts that have ended, and are not yet remembered.
    var finished: [(Delivery, AttemptResult)] = []
    var isStopping = false
    var forgetsPause = false
  }

  private let queue: DeliveryQueue
  private let backOff: BackOff
  private let attemptsAtOnce: Int
  private let now: @Sendable () -> Timestamp
  private let jitter: @Sendable () -> Double
  private let report: @Sendable (any Error) -> Void
  private let attempt: @Sendable (Delivery) async -> AttemptResult
  private let state = Mutex(State())
  private let (signals, signal) = AsyncStream.makeStream(
    of: Void.self, bufferingPolicy: .bufferingNewest(1))

  /// - Parameters:
  ///   - attemptsAtOnce: 1 keeps the order of events wherever no attempt fails.
  ///   - now: The time by which deliveries are due.
  ///   - jitter: Random numbers in [0, 1).
  ///   - report: Is told of each failure of the queue; the worker tries again 5 s later.
  ///   - attempt: Makes one attempt; it ends early where its task is cancelled.
  package init(
    queue: DeliveryQueue, backOff: BackOff, attemptsAtOnce: Int,
    now: @escaping @Sendable () -> Timestamp, jitter: @escaping @Sendable () -> Double,
    report: @escaping @Sendable (any Error) -> Void,
    attempt: @escaping @Sendable (Delivery) async -> AttemptResult
  ) {
    precondition(attemptsAtOnce > 0, "\(attemptsAtOnce) attempts at once deliver nothing")
    self.queue = queue
    self.backOff = backOff
    self.attemptsAtOnce = attemptsAtOnce
    self.now = now
    self.jitter = jitter
    self.report = report
    self.attempt = attempt
  }

  /// Says that there may be new deliveries, or that the time was changed; costs next to nothing.
  package func wake() { signal.yield() }

  /// Says that the receiver is back, so that a queue that waits for it begins at once.
  package func resume() {
    state.withLock { $0.forgetsPause = true }
    wake()
  }

  /// Begins no further attempt; `run` returns when those under way have ended.
  package func stop() {
    state.withLock { $0.isStopping = true }
    wake()
  }

  /// Delivers until `stop` was called or the task is cancelled, which gives up the attempts that
  /// are under way: their deliveries stay as they are, and are due again in the next run.
  ///
  /// It is called once.
  package func run() async {
    await withDiscardingTaskGroup { group in
      var course = Course(backOff: backOff)
      var timer: Task<Void, Never>?
      wake()
      for await _ in signals {
        timer?.cancel()
        let (finished, isStopping, forgetsPause) = takeState()
        course.note(finished, at: now(), jitter: jitter)
        if forgetsPause { course.pausedUntil = nil }
        let wait = await advance(&course, isStopping: isStopping) { delivery in
          group.addTask {
            let result = await self.attempt(delivery)
            // What was given up has not failed.
            if Task.isCancelled, result != .delivered { return }
            self.state.withLock { $0.finished.append((delivery, result)) }
            self.wake()
          }
        }
        if isStopping && course.underWay.isEmpty { break }
        timer = wait.map { milliseconds in
          Task {
            try? await Task.sleep(for: .milliseconds(milliseconds))
            if !Task.isCancelled { self.wake() }
          }
        }
      }
      timer?.cancel()
    }
  }

  /// Remembers what has ended, and begins what is due; returns how long there is nothing to do
  /// unless something happens.
  private func advance(
    _ course: inout Course, isStopping: Bool, begin: (Delivery) -> Void
  ) async -> Int64? {
    do {
      if !course.unsettled.isEmpty {
        try await queue.settle(course.unsettled)
        course.forgetSettled()
      }
      while !isStopping {
        let now = now()
        let room = course.room(of: attemptsAtOnce, at: now)
        guard room > 0 else { return course.pauseLeft(at: now) }
        // What is under way is due still, and may be among the answer.
        let due = try await queue.due(now, room + course.underWay.count)
        let (begun, dead) = course.take(due.deliveries, atMost: room, at: now)
        begun.forEach(begin)
        guard dead else { return due.next.map { max(1, $0.milliseconds(since: now)) } }
        try await queue.settle(course.unsettled)
        course.forgetSettled()
      }
      return nil
    } catch {
      report(error)
      return 5000
    }
  }

  private func takeState() -> ([(Delivery, AttemptResult)], isStopping: Bool, forgetsPause: Bool) {
    state.withLock { state in
      defer {
        state.finished = []
        state.forgetsPause = false
      }
      return (state.finished, state.isStopping, state.forgetsPause)
    }
  }
}
