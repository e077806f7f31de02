import Geofencing
import Synchronization

/// One who follows the stream of events; one task asks it for them, and leaves at the end.
package final class EventFollower: Sendable {
  /// Why a stream ended; whoever wants to go on follows anew, after the last event that it got.
  package enum End: Error, Hashable, Sendable, CustomStringConvertible {
    /// The follower left, or the service stops.
    case closed
    /// The past could not be read.
    case unavailable

    package var description: String {
      switch self {
      case .closed: "the stream is closed; resume after the last event"
      case .unavailable: "the past events cannot be read now; resume after the last one"
      }
    }
  }

  private struct State {
    /// The last event that was seen, be it admitted or not.
    var position: Int
    /// Up to which event all that are admitted were taken by the follower's task.
    var taken: Int
    /// Whether the hub hands events over, and the past is read.
    var hasJoined = false
    var buffer: [StoredEvent] = []
    var end: End?
    var waiting: CheckedContinuation<Void, Never>?
  }

  private let hub: EventHub
  private let filter: EventFilter
  private let bufferLimit: Int
  private let state: Mutex<State>

  init(hub: EventHub, filter: EventFilter, after sequence: Int, bufferLimit: Int) {
    self.hub = hub
    self.filter = filter
    self.bufferLimit = bufferLimit
    state = Mutex(State(position: sequence, taken: sequence))
  }

  /// The next events in order, at least one; waits for them. Cancelling the task ends the stream,
  /// as `closed`.
  package func next() async throws(End) -> [StoredEvent] {
    while true {
      if Task.isCancelled { leave() }
      let (events, end, position) = takeBuffer()
      if !events.isEmpty { return events }
      if let end { throw end }
      if let position {
        let past = try await past(after: position)
        if !past.isEmpty { return past }
      } else {
        await withTaskCancellationHandler {
          await withCheckedContinuation { continuation in wait(continuation) }
        } onCancel: {
          leave()
        }
      }
    }
  }

  /// Ends the stream from the follower's side.
  package func leave() {
    hub.leave(self)
    end(.closed)
  }

  /// Takes what is waiting; beside it why the stream ended, or from where the past is to be read.
  private func takeBuffer() -> ([StoredEvent], End?, position: Int?) {
    state.withLock { state in
      defer { state.buffer = [] }
      state.taken = state.position
      return (state.buffer, state.end, state.hasJoined ? nil : state.position)
    }
  }

  /// The admitted ones of the next events of the past; with none left, the hub has taken over.
  private func past(after position: Int) async throws(End) -> [StoredEvent] {
    let events: [StoredEvent]
    do { events = try await hub.catchUp(self, after: position) } catch {
      end(.unavailable)
      throw .unavailable
    }
    if let last = events.last { state.withLock { $0.position = last.sequence } }
    return events.filter { filter.admits($0.event) }
  }

  private func wait(_ continuation: CheckedContinuation<Void, Never>) {
    let isDue = state.withLock { state in
      if state.end != nil || !state.buffer.isEmpty || !state.hasJoined { return true }
      state.waiting = continuation
      return false
    }
    if isDue { continuation.resume() }
  }

  // The hub's side.

  func hasJoined() { state.withLock { $0.hasJoined = true } }

  /// Takes in events of the hub, passing over those that the past held already; false where the
  /// follower has ended, or has to read the past again for too many wait.
  func take(_ events: [StoredEvent]) -> Bool {
    var waiting: CheckedContinuation<Void, Never>?
    let goesOn = state.withLock { state in
      guard state.end == nil else { return false }
      for event in events where event.sequence > state.position {
        state.position = event.sequence
        if filter.admits(event.event) { state.buffer.append(event) }
      }
      if state.buffer.count > bufferLimit {
        state.buffer = []
        state.position = state.taken
        state.hasJoined = false
      }
      if !state.hasJoined || !state.buffer.isEmpty {
        waiting = state.waiting
        state.waiting = nil
      }
      return state.hasJoined
    }
    waiting?.resume()
    return goesOn
  }

  func end(_ reason: End) {
    let waiting = state.withLock { state in
      if state.end == nil { state.end = reason }
      defer { state.waiting = nil }
      return state.waiting
    }
    waiting?.resume()
  }
}
