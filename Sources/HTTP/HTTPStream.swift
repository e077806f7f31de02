/// A body that is written while it is sent.
public struct HTTPStream: Sendable {
  /// What goes out when nothing else does.
  public struct Heartbeat: Sendable {
    public let bytes: [UInt8]
    public let interval: Duration

    public init(bytes: [UInt8], interval: Duration) {
      self.bytes = bytes
      self.interval = interval
    }
  }

  let bufferSizeInBytes: Int
  let heartbeat: Heartbeat?
  let produce: @Sendable (HTTPStreamWriter) async -> Void

  /// A stream that `produce` writes and that ends when it returns.
  ///
  /// The task of `produce` is canceled when the client goes away and when the server stops. At most
  /// `bufferSizeInBytes` and one write wait for the client.
  public init(
    bufferSizeInBytes: Int = 64 * 1024, heartbeat: Heartbeat? = nil,
    produce: @escaping @Sendable (HTTPStreamWriter) async -> Void
  ) {
    self.bufferSizeInBytes = bufferSizeInBytes
    self.heartbeat = heartbeat
    self.produce = produce
  }
}

/// The client went away, or the server stops: nothing more can be written.
public struct HTTPStreamClosed: Error, Equatable {}
