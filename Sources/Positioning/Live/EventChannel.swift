import Glibc
import Synchronization

/// Hands events from the one thread of a source to the one task that reads them.
///
/// It holds a bounded number of events: where the reader is slower, the thread waits for room, and
/// so the source's own buffers fill; nothing is dropped here.
final class EventChannel: Sendable {
  /// How a wait ended.
  enum Readiness: Equatable {
    /// The descriptor has these `poll` events.
    case ready(Int16)
    case timedOut
    case cancelled
  }

  private struct State {
    var events: [LiveEvent] = []
    var reader: CheckedContinuation<[LiveEvent]?, Never>?
    var threadWaits = false
    var isClosed = false
    var isCancelled = false
  }

  private let state = Mutex(State())
  private let wake: WakeSignal
  private let capacity: Int

  init(capacity: Int) throws(LiveProblem) {
    self.capacity = capacity
    wake = try WakeSignal()
  }

  // The reader's side.

  /// All events since the last call, at least one; nil once the thread has closed everything.
  func next() async -> [LiveEvent]? {
    await withCheckedContinuation { continuation in
      let answer: [LiveEvent]?? = state.withLock { state in
        if state.events.isEmpty {
          if state.isClosed { return .some(nil) }
          state.reader = continuation
          return .none
        }
        let events = state.events
        state.events = []
        if state.threadWaits {
          state.threadWaits = false
          wake.raise()
        }
        return events
      }
      if let answer { continuation.resume(returning: answer) }
    }
  }

  /// Makes every wait of the thread end, now and later.
  func cancel() {
    state.withLock { $0.isCancelled = true }
    wake.raise()
  }

  // The thread's side.

  var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// Hands an event over, and waits for room where the reader is behind; after `cancel` the event
  /// goes nowhere.
  func send(_ event: LiveEvent) {
    enum Step {
      case done
      case resume(CheckedContinuation<[LiveEvent]?, Never>)
      case wait
    }
    while true {
      let step: Step = state.withLock { state in
        if state.isCancelled { return .done }
        if let reader = state.reader {
          state.reader = nil
          return .resume(reader)
        }
        if state.events.count < capacity {
          state.events.append(event)
          return .done
        }
        state.threadWaits = true
        return .wait
      }
      switch step {
      case .done: return
      case .resume(let reader): return reader.resume(returning: [event])
      case .wait:
        var polled = pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0)
        poll(&polled, 1, -1)
        if !isCancelled { wake.drain() }
      }
    }
  }

  /// Ends the reader's loop; the last call of the thread.
  func close() {
    let reader = state.withLock { state in
      state.isClosed = true
      defer { state.reader = nil }
      return state.reader
    }
    reader?.resume(returning: nil)
  }

  /// Sleeps until `descriptor` has one of `events` (or an error), `timeout` has passed, or the
  /// reader gave up.
  func wait(for descriptor: Int32 = -1, events: Int32 = POLLIN, timeout: Duration) -> Readiness {
    let deadline = ContinuousClock.now + timeout
    while true {
      if isCancelled { return .cancelled }
      let left = max(.zero, deadline - .now)
      // Rounded up, so that no wait ends before its time.
      let (seconds, attoseconds) = left.components
      let milliseconds =
        seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
      var polled = [
        pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: descriptor, events: Int16(events), revents: 0),
      ]
      poll(&polled, 2, Int32(clamping: milliseconds))
      if polled[0].revents != 0, !isCancelled { wake.drain() }
      if polled[1].revents != 0 { return .ready(polled[1].revents) }
      if ContinuousClock.now >= deadline { return isCancelled ? .cancelled : .timedOut }
    }
  }
}
