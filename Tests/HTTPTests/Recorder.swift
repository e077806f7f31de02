import Synchronization

/// Values in the order in which any thread recorded them.
final class Recorder<Value: Sendable>: Sendable {
  private let values = Mutex<[Value]>([])

  var all: [Value] { values.withLock { $0 } }
  func record(_ value: Value) { values.withLock { $0.append(value) } }
}

/// Holds a task until it is opened.
final class Gate: Sendable {
  private struct State {
    var isOpen = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())

  func wait() async {
    await withCheckedContinuation { continuation in
      state.withLock { state in
        if state.isOpen { continuation.resume() } else { state.waiting.append(continuation) }
      }
    }
  }

  func open() {
    state.withLock { state in
      state.isOpen = true
      for continuation in state.waiting { continuation.resume() }
      state.waiting = []
    }
  }

  var isWaitedFor: Bool { state.withLock { !$0.waiting.isEmpty } }
}
