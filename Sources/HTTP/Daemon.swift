import CMicroHTTPD
import Glibc
import Synchronization

/// A running instance of the library on a socket that it does not own.
///
/// The handle is used from any thread, which the library allows. `@unchecked` for the pointer alone.
final class Daemon: @unchecked Sendable {
  private let handle: OpaquePointer
  private let context: Unmanaged<Context>
  /// Held because the library keeps pointers into both.
  private let identity: TLSIdentity?
  private let log: StartLog

  /// What the library's calls find again.
  fileprivate final class Context: Sendable {
    let core: ServerCore
    let watchman: Watchman
    let isSecure: Bool
    let isRetiring = Atomic(false)

    init(core: ServerCore, watchman: Watchman, isSecure: Bool) {
      self.core = core
      self.watchman = watchman
      self.isSecure = isSecure
    }
  }

  init(
    core: ServerCore, watchman: Watchman, socket: ListeningSocket, identity: TLSIdentity?
  ) throws(HTTPServerError) {
    let context = Unmanaged.passRetained(
      Context(core: core, watchman: watchman, isSecure: identity != nil))
    let log = StartLog()
    let handle = Self.start(context.toOpaque(), log, core.configuration, socket, identity)
    guard let handle else {
      context.release()
      if let files = identity?.files {
        throw .certificateRefused(
          certificatePath: files.certificatePath, keyPath: files.keyPath, reason: log.text)
      }
      throw .startFailed(reason: log.text)
    }
    self.handle = handle
    self.context = context
    self.identity = identity
    self.log = log
    log.close()
  }

  /// Accepts nothing more; connections that are there go on, each until its next answer.
  func retire() {
    context.takeUnretainedValue().isRetiring.store(true, ordering: .releasing)
    MHD_quiesce_daemon(handle)
  }

  var connectionCount: Int { Int(cmicrohttpd_connection_count(handle)) }

  /// Closes every connection and waits for the threads. No connection may sleep; `retire` goes
  /// before. Nothing may be called afterwards.
  func stop() {
    MHD_stop_daemon(handle)
    context.release()
  }

  private static func start(
    _ context: UnsafeMutableRawPointer, _ log: StartLog, _ configuration: HTTPServerConfiguration,
    _ socket: ListeningSocket, _ identity: TLSIdentity?
  ) -> OpaquePointer? {
    var options = [
      MHD_OptionItem(
        option: .EXTERNAL_LOGGER, value: address(of: logMessage as MHD_LogCallback),
        ptr_value: Unmanaged.passUnretained(log).toOpaque()),
      item(.LISTEN_SOCKET, Int(socket.descriptor)),
      // Holds the header fields of a request and pieces of its body. Cleared for each request, so
      // a larger one costs time.
      item(.CONNECTION_MEMORY_LIMIT, 16 * 1024),
      item(.CONNECTION_LIMIT, configuration.connectionLimit),
      item(.CONNECTION_TIMEOUT, Int(max(1, configuration.idleTimeout.components.seconds))),
      MHD_OptionItem(
        option: .NOTIFY_CONNECTION,
        value: address(of: connectionChanged as MHD_NotifyConnectionCallback), ptr_value: context),
      MHD_OptionItem(
        option: .URI_LOG_CALLBACK, value: address(of: requestBegan as URILogCallback),
        ptr_value: context),
      MHD_OptionItem(
        option: .NOTIFY_COMPLETED,
        value: address(of: requestCompleted as MHD_RequestCompletedCallback), ptr_value: context),
      MHD_OptionItem(
        option: .UNESCAPE_CALLBACK, value: address(of: leaveEscaped as UnescapeCallback),
        ptr_value: nil),
      item(.STRICT_FOR_CLIENT, 1),
    ]
    // A pool of one is refused by the library: it is the daemon's own thread.
    if configuration.threadCount > 1 {
      options.append(item(.THREAD_POOL_SIZE, configuration.threadCount))
    }
    if let limit = configuration.connectionLimitPerAddress {
      options.append(item(.PER_IP_CONNECTION_LIMIT, limit))
    }
    var flags =
      MHD_USE_EPOLL_INTERNAL_THREAD.rawValue | MHD_ALLOW_SUSPEND_RESUME.rawValue
      | MHD_USE_ERROR_LOG.rawValue | MHD_USE_TURBO.rawValue
    guard let identity else { return start(context, flags, options) }
    flags |= MHD_USE_TLS.rawValue
    return identity.certificate.withUnsafeBufferPointer { certificate in
      identity.key.withUnsafeBufferPointer { key in
        options.append(text(.HTTPS_MEM_CERT, certificate))
        options.append(text(.HTTPS_MEM_KEY, key))
        return start(context, flags, options)
      }
    }
  }

  private static func start(
    _ context: UnsafeMutableRawPointer, _ flags: UInt32, _ options: [MHD_OptionItem]
  ) -> OpaquePointer? {
    var options = options + [item(.END, 0)]
    return options.withUnsafeMutableBufferPointer { options in
      guard let first = options.baseAddress else { return nil }
      let arguments: [any CVarArg] = [
        Int(MHD_OPTION.ARRAY.rawValue), first, Int(MHD_OPTION.END.rawValue),
      ]
      return withVaList(arguments) {
        MHD_start_daemon_va(flags, 0, nil, nil, requestAdvanced, context, $0)
      }
    }
  }

  private static func item(_ option: MHD_OPTION, _ value: Int) -> MHD_OptionItem {
    MHD_OptionItem(option: option, value: value, ptr_value: nil)
  }

  private static func text(
    _ option: MHD_OPTION, _ text: UnsafeBufferPointer<CChar>
  ) -> MHD_OptionItem {
    MHD_OptionItem(
      option: option, value: 0, ptr_value: UnsafeMutableRawPointer(mutating: text.baseAddress))
  }

  /// The library takes functions as numbers in its array of options.
  private static func address<Function>(of function: Function) -> Int {
    unsafeBitCast(function, to: Int.self)
  }
}

/// What the library says while it starts, which is the only reason it gives for not starting.
private final class StartLog: Sendable {
  private let lines = Mutex<[String]>([])
  private let isClosed = Atomic(false)

  var text: String {
    let lines = lines.withLock { $0 }
    return lines.isEmpty ? "no reason is known" : lines.joined(separator: "; ")
  }

  func append(_ line: String) {
    guard !isClosed.load(ordering: .relaxed) else { return }
    lines.withLock { $0.append(line.split(separator: "\n").joined(separator: " ")) }
  }

  /// The library goes on to log while it serves: of clients that misbehave.
  func close() { isClosed.store(true, ordering: .relaxed) }
}

// MARK: The library's calls

private typealias URILogCallback =
  @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?, OpaquePointer?) ->
  UnsafeMutableRawPointer?

private typealias UnescapeCallback =
  @convention(c) (UnsafeMutableRawPointer?, OpaquePointer?, UnsafeMutablePointer<CChar>?) -> Int

private func daemonContext(_ pointer: UnsafeMutableRawPointer?) -> Daemon.Context? {
  pointer.map { Unmanaged<Daemon.Context>.fromOpaque($0).takeUnretainedValue() }
}

private func connectionChanged(
  _ context: UnsafeMutableRawPointer?, _ handle: OpaquePointer?,
  _ socketContext: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
  _ change: MHD_ConnectionNotificationCode
) {
  guard let context = daemonContext(context), let handle, let socketContext else { return }
  if change == .CONNECTION_NOTIFY_STARTED {
    let deadline = monotonicNanoseconds() + context.core.configuration.headerTimeout.nanoseconds
    let connection = Connection(handle, deadline: deadline)
    context.core.add(connection)
    socketContext.pointee = Unmanaged.passRetained(connection).toOpaque()
  } else if let pointer = socketContext.pointee {
    socketContext.pointee = nil
    let connection = Unmanaged<Connection>.fromOpaque(pointer).takeRetainedValue()
    context.core.remove(connection)
    if let descriptor = connection.close() { context.watchman.linger(descriptor) }
  }
}

private func requestBegan(
  _ context: UnsafeMutableRawPointer?, _ target: UnsafePointer<CChar>?, _ handle: OpaquePointer?
) -> UnsafeMutableRawPointer? {
  guard let context = daemonContext(context), let target, let handle,
    let pointer = cmicrohttpd_socket_context(handle)
  else { return nil }
  let exchange = Exchange(
    core: context.core,
    connection: Unmanaged<Connection>.fromOpaque(pointer).takeUnretainedValue(),
    target: String(validatingCString: target), isSecure: context.isSecure,
    isRetiring: { context.isRetiring.load(ordering: .relaxed) })
  return Unmanaged.passRetained(exchange).toOpaque()
}

private func requestAdvanced(
  _ context: UnsafeMutableRawPointer?, _ handle: OpaquePointer?, _ url: UnsafePointer<CChar>?,
  _ method: UnsafePointer<CChar>?, _ version: UnsafePointer<CChar>?,
  _ upload: UnsafePointer<CChar>?, _ uploadSize: UnsafeMutablePointer<Int>?,
  _ request: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
  guard let handle, let method, let uploadSize, let pointer = request?.pointee else { return .NO }
  let exchange = Unmanaged<Exchange>.fromOpaque(pointer).takeUnretainedValue()
  var piece = UnsafeRawBufferPointer(start: upload, count: upload == nil ? 0 : uploadSize.pointee)
  let result = exchange.receive(handle, method: method, upload: &piece)
  uploadSize.pointee = piece.count
  return result
}

private func requestCompleted(
  _ context: UnsafeMutableRawPointer?, _ handle: OpaquePointer?,
  _ request: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _ code: MHD_RequestTerminationCode
) {
  guard let request, let pointer = request.pointee else { return }
  request.pointee = nil
  Unmanaged<Exchange>.fromOpaque(pointer).takeRetainedValue()
    .complete(isComplete: code == .REQUEST_TERMINATED_COMPLETED_OK)
}

/// Targets stay as they were sent: a slash that was encoded is no separator.
private func leaveEscaped(
  _ context: UnsafeMutableRawPointer?, _ handle: OpaquePointer?,
  _ text: UnsafeMutablePointer<CChar>?
) -> Int {
  text.map { strlen($0) } ?? 0
}

private func logMessage(
  _ log: UnsafeMutableRawPointer?, _ format: UnsafePointer<CChar>?, _ arguments: CVaListPointer?
) {
  guard let log, let format, let arguments else { return }
  var text = [CChar](repeating: 0, count: 512)
  vsnprintf(&text, text.count, format, arguments)
  let line = text.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
  Unmanaged<StartLog>.fromOpaque(log).takeUnretainedValue().append(line)
}
