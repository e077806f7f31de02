import Synchronization

/// An HTTP/1.1 server: listens from `init` to `stop`.
///
/// It serves on threads of the library's own. Its last reference may go only after `stop`.
public final class HTTPServer: Sendable {
  /// The port that is listened on, also where the system chose it.
  public let port: Int

  private let core: ServerCore
  private let socket: ListeningSocket
  private let watchman: Watchman
  private let daemons: Mutex<Daemons>

  private struct Daemons {
    /// Accepts connections; nil once the server stops.
    var current: Daemon?
    /// Serve the connections they have and accept none.
    var retired: [Daemon] = []
  }

  /// Binds the address, reads the certificate and starts to serve.
  ///
  /// `onCompletion` is called on a serving thread after each request, and must not wait.
  public init(
    router: Router, configuration: HTTPServerConfiguration,
    onCompletion: (@Sendable (HTTPCompletion) -> Void)? = nil
  ) throws(HTTPServerError) {
    let identity: TLSIdentity? =
      if let files = configuration.tls { try TLSIdentity(files) } else { nil }
    let core = ServerCore(
      router: router, configuration: configuration, onCompletion: onCompletion)
    let socket = try ListeningSocket(address: configuration.address, port: configuration.port)
    let retiredDrain = WeakServer()
    let watchman = Watchman { now in
      core.cutOffSlowConnections(now: now)
      core.beat(now: now)
      core.noticeClosedConnections(now: now)
      retiredDrain.server?.stopDrainedDaemons()
    }
    let daemon: Daemon
    do throws(HTTPServerError) {
      daemon = try Daemon(core: core, watchman: watchman, socket: socket, identity: identity)
    } catch {
      socket.close()
      throw error
    }
    port = socket.port
    self.core = core
    self.socket = socket
    self.watchman = watchman
    daemons = Mutex(Daemons(current: daemon))
    retiredDrain.set(self)
    watchman.start()
  }

  deinit {
    precondition(
      daemons.withLock { $0.current == nil && $0.retired.isEmpty },
      "An HTTPServer was given up while it serves; await stop() first")
  }

  /// How many clients are connected.
  public var connectionCount: Int {
    daemons.withLock { daemons in
      (daemons.current?.connectionCount ?? 0)
        + daemons.retired.reduce(0) { $0 + $1.connectionCount }
    }
  }

  /// Serves new connections with the certificate that lies in the files now.
  ///
  /// Connections that are open keep the old one and end with their next answer; streams run on. On
  /// an error everything stays as it was.
  public func reloadTLS() throws(HTTPServerError) {
    guard let files = core.configuration.tls else { throw .tlsNotInUse }
    let identity = try TLSIdentity(files)
    let result: Result<Void, HTTPServerError> = daemons.withLock { daemons in
      guard let old = daemons.current else { return .failure(.stopped) }
      do throws(HTTPServerError) {
        daemons.current = try Daemon(
          core: core, watchman: watchman, socket: socket, identity: identity)
      } catch {
        return .failure(error)
      }
      old.retire()
      daemons.retired.append(old)
      return .success(())
    }
    try result.get()
  }

  private func stopDrainedDaemons() {
    let drained = daemons.withLock { daemons in
      guard !daemons.retired.isEmpty, daemons.current != nil else { return [Daemon]() }
      let drained = daemons.retired.filter { $0.connectionCount == 0 }
      daemons.retired.removeAll { daemon in drained.contains { $0 === daemon } }
      return drained
    }
    for daemon in drained { daemon.stop() }
  }

  /// Accepts nothing more, ends streams, lets requests that are being read or worked on finish until
  /// `patience` is over, answers the rest with `HTTPProblem.stopping`, and closes every connection.
  /// Calling it again does nothing.
  public func stop(patience: Duration = .seconds(10)) async {
    let stopped = daemons.withLock { daemons in
      guard let current = daemons.current.take() else { return [Daemon]() }
      core.isStopping.store(true, ordering: .releasing)
      current.retire()
      defer { daemons.retired = [] }
      return daemons.retired + [current]
    }
    guard !stopped.isEmpty else { return }
    socket.close()
    core.endStreams()
    await waitUntilIdle(patience)
    core.terminate()
    // What was woken only has to be sent.
    await waitUntilIdle(.seconds(1))
    for daemon in stopped { daemon.stop() }
    watchman.stop()
  }

  private func waitUntilIdle(_ patience: Duration) async {
    let clock = ContinuousClock()
    let deadline = clock.now + patience
    while core.hasBusyConnections, clock.now < deadline {
      do { try await clock.sleep(for: .milliseconds(5)) } catch { return }
    }
  }
}

/// Lets the watchman's thread see the server without keeping it.
private final class WeakServer: Sendable {
  private struct Reference: Sendable {
    weak var server: HTTPServer?
  }

  private let reference = Mutex(Reference())

  var server: HTTPServer? { reference.withLock { $0.server } }

  func set(_ server: HTTPServer) { reference.withLock { $0.server = server } }
}
