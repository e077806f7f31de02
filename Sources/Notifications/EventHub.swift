import Geofencing
import Synchronization

/// Hands every event to all who follow the stream, in order, without a gap or a repeat.
///
/// What was recorded is read in the order of its numbers, once for all who are up to date, however
/// many record at once; who comes later first reads the past for himself and then joins. In memory
/// there is only what followers have not yet taken.
package final class EventHub: Sendable {
  /// Events after one of this number, in order, at most so many; none where there are no more.
  package typealias History =
    @Sendable (_ after: Int, _ limit: Int) async throws -> [StoredEvent]

  private struct State {
    /// The number of the last event that was handed out.
    var head: Int
    var followers: [ObjectIdentifier: EventFollower] = [:]
    var isClosed = false
  }

  private let state: Mutex<State>
  private let history: History
  private let bufferLimit: Int
  private let report: @Sendable (any Error) -> Void
  private let (signals, signal) = AsyncStream.makeStream(
    of: Void.self, bufferingPolicy: .bufferingNewest(1))

  /// - Parameters:
  ///   - head: The number of the newest event at the start, 0 where there is none.
  ///   - bufferLimit: How many events may wait for a follower before it has to read them anew.
  ///   - report: Is told where the history could not be read; the hub tries again a second later.
  package init(
    head: Int, bufferLimit: Int, history: @escaping History,
    report: @escaping @Sendable (any Error) -> Void
  ) {
    state = Mutex(State(head: head))
    self.bufferLimit = bufferLimit
    self.history = history
    self.report = report
  }

  /// Says that events were recorded; costs next to nothing, and may be called by anyone, in any
  /// order, after the recording.
  package func wake() { signal.yield() }

  /// Follows the events after the one of this number, those that the filter admits; nil follows
  /// those that are recorded from now on.
  package func follow(_ filter: EventFilter, after sequence: Int? = nil) -> EventFollower {
    EventFollower(
      hub: self, filter: filter, after: sequence ?? state.withLock { $0.head },
      bufferLimit: bufferLimit)
  }

  /// How many follow and are up to date.
  package var followerCount: Int { state.withLock { $0.followers.count } }

  /// Hands out events until the task is cancelled; then every follower's stream ends.
  package func run() async {
    wake()
    for await _ in signals {
      do {
        while try await handOut() {}
      } catch {
        if Task.isCancelled { break }
        report(error)
        try? await Task.sleep(for: .seconds(1))
        wake()
      }
    }
    let followers = state.withLock { state in
      state.isClosed = true
      defer { state.followers = [:] }
      return state.followers.values
    }
    for follower in followers { follower.end(.closed) }
  }

  /// Hands out the next events; false where there are none.
  private func handOut() async throws -> Bool {
    let events = try await history(state.withLock { $0.head }, 500)
    guard let last = events.last else { return false }
    state.withLock { state in
      state.head = last.sequence
      for (id, follower) in state.followers where !follower.take(events) {
        state.followers[id] = nil
      }
    }
    return true
  }

  // The followers' side.

  /// Reads the past of a follower; empty where it is up to date, and was added to the others.
  func catchUp(_ follower: EventFollower, after sequence: Int) async throws -> [StoredEvent] {
    while true {
      let isDone = state.withLock { state in
        if state.isClosed {
          follower.end(.closed)
          return true
        }
        guard sequence >= state.head else { return false }
        follower.hasJoined()
        state.followers[ObjectIdentifier(follower)] = follower
        return true
      }
      if isDone { return [] }
      let events = try await history(sequence, 200)
      if !events.isEmpty { return events }
    }
  }

  func leave(_ follower: EventFollower) {
    state.withLock { $0.followers[ObjectIdentifier(follower)] = nil }
  }
}
