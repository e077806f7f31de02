import Synchronization

/// A request's body, read as it arrives: an asynchronous sequence of chunks for one reader.
///
/// Nothing is read from the client before the first chunk is asked for, and at most 256 KiB wait
/// for the reader: while it is busy the client is held up. The chunks' borders mean nothing.
public final class HTTPRequestBody: AsyncSequence, Sendable {
  public typealias Element = [UInt8]
  public typealias Failure = HTTPRequestBodyError

  static let bufferSizeInBytes = 256 * 1024

  private let state: Mutex<State>

  private struct State {
    var buffer: [UInt8] = []
    var isFinished = false
    var failure: HTTPRequestBodyError?
    /// The server holds the client up until the reader wants more.
    var isHeld: Bool
    var reader: CheckedContinuation<Void, Never>?
    /// Lets the client go on.
    var release: (@Sendable () -> Void)?
  }

  /// A body that arrives; `release` is called when the reader wants more than there is.
  init(release: @escaping @Sendable () -> Void) {
    state = Mutex(State(isHeld: true, release: release))
  }

  /// A body that is there as a whole.
  public init(_ bytes: [UInt8]) {
    state = Mutex(State(buffer: bytes, isFinished: true, isHeld: false))
  }

  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let body: HTTPRequestBody

    public mutating func next() async throws(HTTPRequestBodyError) -> [UInt8]? {
      try await body.next()
    }

    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(HTTPRequestBodyError) -> [UInt8]? {
      try await body.next()
    }
  }

  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(body: self) }

  private enum Step {
    case chunk([UInt8])
    case end
    case failure(HTTPRequestBodyError)
    case wait
  }

  /// The next chunk, nil at the end.
  private func next() async throws(HTTPRequestBodyError) -> [UInt8]? {
    while true {
      switch step() {
      case .chunk(let bytes): return bytes
      case .end: return nil
      case .failure(let error): throw error
      case .wait: await waitForMore()
      }
    }
  }

  private func step() -> Step {
    let (step, release): (Step, (@Sendable () -> Void)?) = state.withLock { state in
      if let failure = state.failure { return (.failure(failure), nil) }
      if state.buffer.isEmpty, state.isFinished { return (.end, nil) }
      let release = state.isHeld ? state.release : nil
      state.isHeld = false
      guard !state.buffer.isEmpty else { return (.wait, release) }
      let chunk = state.buffer
      state.buffer = []
      return (.chunk(chunk), release)
    }
    release?()
    return step
  }

  private func waitForMore() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        state.withLock { state in
          if Task.isCancelled { state.failure = state.failure ?? .canceled }
          if !state.buffer.isEmpty || state.isFinished || state.failure != nil {
            continuation.resume()
          } else {
            precondition(state.reader == nil, "A request's body has one reader")
            state.reader = continuation
          }
        }
      }
    } onCancel: {
      fail(.canceled)
    }
  }

  // MARK: The server's side

  /// Whether the bytes were taken; when not, the client is to be held up until `release` is called.
  func offer(_ bytes: UnsafeRawBufferPointer) -> Bool {
    state.withLock { state in
      guard state.buffer.count < Self.bufferSizeInBytes else {
        state.isHeld = true
        return false
      }
      state.buffer.append(contentsOf: bytes)
      state.reader.take()?.resume()
      return true
    }
  }

  func finish() {
    state.withLock { state in
      state.isFinished = true
      state.release = nil
      state.reader.take()?.resume()
    }
  }

  func fail(_ error: HTTPRequestBodyError) {
    state.withLock { state in
      guard !state.isFinished else { return }
      state.failure = state.failure ?? error
      state.release = nil
      state.reader.take()?.resume()
    }
  }
}

/// Why a body ended before its end.
public enum HTTPRequestBodyError: Error, Equatable {
  /// The client went away, broke the format of chunks or sent nothing for too long.
  case disconnected
  /// More than the route's limit came.
  case tooLarge(limitInBytes: Int)
  /// The task that reads was canceled.
  case canceled
  /// The server stops.
  case stopping
}
