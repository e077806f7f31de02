import Synchronization

/// The writing end of a streamed body, with a bounded buffer before the client.
///
/// One task writes; the server's thread takes what is written when the socket has room.
public final class HTTPStreamWriter: Sendable {
  private let stream: HTTPStream
  private let state: Mutex<State>

  private struct State {
    var buffer: [UInt8] = []
    /// Bytes of `buffer` that were taken already.
    var taken = 0
    /// Nothing is written any more; what is in the buffer still goes out.
    var isEnded = false
    /// The client is gone; nothing goes out any more.
    var isClosed = false
    var producer: Task<Void, Never>?
    /// Wakes the taker, which waits because the buffer was empty.
    var wakeTaker: (@Sendable () -> Void)?
    var waitingWriters: [CheckedContinuation<Void, Never>] = []
    var lastWrite: UInt64 = monotonicNanoseconds()
    var bytesTaken = 0

    var isEmpty: Bool { taken == buffer.count }

    mutating func wakeWaitingTaker() {
      wakeTaker?()
      wakeTaker = nil
    }

    mutating func wakeWaitingWriters() {
      for writer in waitingWriters { writer.resume() }
      waitingWriters.removeAll()
    }
  }

  init(stream: HTTPStream) {
    self.stream = stream
    self.state = Mutex(State())
  }

  /// Whether nothing can be written any more.
  public var isClosed: Bool { state.withLock { $0.isClosed || $0.isEnded } }

  /// Writes bytes, waiting while the buffer is full.
  public func write(_ bytes: [UInt8]) async throws(HTTPStreamClosed) {
    while true {
      if try append(bytes) { return }
      if Task.isCancelled { throw HTTPStreamClosed() }
      await waitForRoom()
    }
  }

  /// Writes without waiting; false when the buffer is full, and then nothing was written.
  public func offer(_ bytes: [UInt8]) throws(HTTPStreamClosed) -> Bool {
    try append(bytes)
  }

  private func append(_ bytes: [UInt8]) throws(HTTPStreamClosed) -> Bool {
    let isAppended: Bool? = state.withLock { state in
      if state.isEnded || state.isClosed { return nil }
      if state.buffer.count - state.taken >= stream.bufferSizeInBytes { return false }
      state.buffer += bytes
      state.lastWrite = monotonicNanoseconds()
      if !bytes.isEmpty { state.wakeWaitingTaker() }
      return true
    }
    guard let isAppended else { throw HTTPStreamClosed() }
    return isAppended
  }

  private func waitForRoom() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        state.withLock { state in
          let hasRoom = state.buffer.count - state.taken < stream.bufferSizeInBytes
          if hasRoom || state.isEnded || state.isClosed || Task.isCancelled {
            continuation.resume()
          } else {
            state.waitingWriters.append(continuation)
          }
        }
      }
    } onCancel: {
      state.withLock { $0.wakeWaitingWriters() }
    }
  }

  // MARK: The server's side

  /// Starts the task that writes.
  func start() {
    let produce = stream.produce
    let producer = Task {
      await produce(self)
      self.end()
    }
    let isOver = state.withLock { state in
      state.producer = producer
      return state.isEnded || state.isClosed
    }
    if isOver { producer.cancel() }
  }

  /// Lets nothing more be written; what was written still goes out.
  func end() {
    let producer = state.withLock { state in
      state.isEnded = true
      state.wakeWaitingTaker()
      state.wakeWaitingWriters()
      return state.producer.take()
    }
    producer?.cancel()
  }

  /// The client is gone.
  func close() {
    let producer = state.withLock { state in
      state.isClosed = true
      state.buffer = []
      state.taken = 0
      state.wakeTaker = nil
      state.wakeWaitingWriters()
      return state.producer.take()
    }
    producer?.cancel()
  }

  var bytesTaken: Int { state.withLock { $0.bytesTaken } }

  /// Writes the heartbeat when its interval has gone by without a write.
  func beat(now: UInt64) {
    guard let heartbeat = stream.heartbeat else { return }
    state.withLock { state in
      guard !state.isEnded, !state.isClosed, state.isEmpty,
        now >= state.lastWrite + heartbeat.interval.nanoseconds
      else { return }
      state.buffer += heartbeat.bytes
      state.lastWrite = now
      state.wakeWaitingTaker()
    }
  }

  enum Taken {
    case bytes(Int)
    case end
    /// The taker is woken once there is more.
    case waiting
  }

  /// Copies out what was written. When there is nothing, `wait` makes the taker wait and gives what
  /// wakes it; nobody can write between the two.
  func take(
    into target: UnsafeMutableRawBufferPointer, wait: () -> (@Sendable () -> Void)
  ) -> Taken {
    state.withLock { state in
      guard !state.isClosed else { return .end }
      guard !state.isEmpty else {
        if state.isEnded { return .end }
        state.wakeTaker = wait()
        return .waiting
      }
      let count = min(target.count, state.buffer.count - state.taken)
      state.buffer.withUnsafeBytes { buffer in
        target.copyMemory(
          from: UnsafeRawBufferPointer(rebasing: buffer[state.taken...].prefix(count)))
      }
      state.taken += count
      state.bytesTaken += count
      if state.isEmpty {
        state.buffer.removeAll(
          keepingCapacity: state.buffer.capacity <= 2 * stream.bufferSizeInBytes)
        state.taken = 0
      }
      if state.buffer.count - state.taken < stream.bufferSizeInBytes { state.wakeWaitingWriters() }
      return .bytes(count)
    }
  }

  /// All that was written since the last call, or nil at the end.
  func takeWhenWritten() async -> [UInt8]? {
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      state.withLock { state in
        if state.isEmpty, !state.isEnded, !state.isClosed {
          state.wakeTaker = { continuation.resume() }
        } else {
          continuation.resume()
        }
      }
    }
    return state.withLock { state in
      guard !state.isEmpty else { return nil }
      defer {
        state.buffer = []
        state.taken = 0
        state.wakeWaitingWriters()
      }
      return Array(state.buffer[state.taken...])
    }
  }
}
