import FoundationEssentials
import Geo

/// A source of fixes that go on as they are made: a gpsd, a serial port, a TCP feed, standard input.
///
/// It runs on a thread of its own. What it finds is handed over in order through a buffer that is
/// bounded and drops nothing: where the reader is slower, the source waits.
public struct LiveSource: Sendable {
  public let address: Address
  /// Whether a source that was lost, or is not there yet, is tried again; the waits grow from half
  /// a second to ten. Standard input and files end by themselves.
  public var reconnects = true
  /// What one of HDOP is in meters, for the receiver at hand.
  public var userRangeError = Distance.meters(5)
  private let now: @Sendable () -> Timestamp
  private let jitter: @Sendable () -> Double
  var patience = LiveLoop.Patience()

  /// Makes a source that reads from `address` once it is run; `now` gives the time of reception.
  public init(
    _ address: Address, now: @escaping @Sendable () -> Timestamp = LiveSource.systemTime,
    jitter: @escaping @Sendable () -> Double = { .random(in: 0..<1) }
  ) {
    self.address = address
    self.now = now
    self.jitter = jitter
  }

  /// Reads until the input ends, the task is cancelled, or `receive` throws.
  ///
  /// When it returns, everything is closed; a cancellation takes effect within half a second. The
  /// last event is `ended`, save after a cancellation.
  nonisolated(nonsending) public func run(
    _ receive: (LiveEvent) async throws -> Void
  ) async throws {
    let channel = try EventChannel(capacity: 1024)
    let source = self
    try startThread {
      let loop = LiveLoop(
        channel: channel, patience: source.patience, reconnects: source.reconnects,
        userRangeError: source.userRangeError,
        now: source.now, jitter: source.jitter)
      source.read(loop)
      channel.send(.ended)
      channel.close()
    }
    try await withTaskCancellationHandler {
      var failure: (any Error)?
      while let events = await channel.next() {
        for event in events where failure == nil && !Task.isCancelled {
          do {
            try await receive(event)
          } catch {
            failure = error
            channel.cancel()
          }
        }
      }
      if let failure { throw failure }
    } onCancel: {
      channel.cancel()
    }
  }

  private func read(_ loop: LiveLoop) {
    switch address {
    case .gpsd(let host, let port, let device):
      GPSDClient(host: host, port: port, device: device).run(loop)
    case .serial, .tcp, .standardInput:
      ByteSource(address: address).run(loop)
    }
  }

  /// The system's clock, as the time of reception.
  public static let systemTime: @Sendable () -> Timestamp = {
    Timestamp(secondsSince1970: Date().timeIntervalSince1970) ?? .latest
  }
}
