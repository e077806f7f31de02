import CMosquitto
import Glibc
import Synchronization

/// The one thread that keeps a connection to a broker.
///
/// It polls for libmosquitto, whose own loop uses `select`, which cannot watch descriptors from 1024
/// on, of which a server with many clients has some. After each lost connection the client begins
/// anew, with nothing left to resend.
final class MQTTSession: Sendable {
  private struct Waiting {
    let ticket: Int
    let finish: @Sendable (AttemptResult) -> Void
  }

  /// `@unchecked`: libmosquitto's functions may be called from several threads, but for those that
  /// make, reset and free a client; for them the session's thread takes it from the state first.
  private struct Client: @unchecked Sendable {
    let pointer: OpaquePointer
  }

  private struct State {
    /// There only while the broker accepts messages.
    var client: Client?
    /// By the number that libmosquitto gave to the message.
    var waiting: [Int32: Waiting] = [:]
    var problem = "not connected to the broker yet"
    var lastTicket = 0
    var isClosed = false
  }

  private static let isLibraryReady = mosquitto_lib_init() == MOSQ_ERR_SUCCESS.code
  private static let keepAliveSeconds: Int32 = 10
  private static let longestWaitMilliseconds: Int32 = 30_000

  private let broker: MQTTAddress
  private let clientID: String
  private let onConnect: @Sendable () -> Void
  private let state = Mutex(State())
  /// Readable when the thread has something to do.
  private let bell: Bell

  init(
    broker: MQTTAddress, clientID: String, onConnect: @escaping @Sendable () -> Void
  ) throws(NotificationSystemError) {
    guard MQTTSession.isLibraryReady else {
      throw NotificationSystemError(operation: "mosquitto_lib_init", code: ENOMEM)
    }
    bell = try Bell()
    self.broker = broker
    self.clientID = clientID
    self.onConnect = onConnect
  }

  // Any thread.

  var isConnected: Bool { state.withLock { $0.client != nil } }

  /// A number by which a message can be cancelled.
  func ticket() -> Int {
    state.withLock { state in
      state.lastTicket += 1
      return state.lastTicket
    }
  }

  func publish(
    topic: String, body: [UInt8], ticket: Int, finish: @escaping @Sendable (AttemptResult) -> Void
  ) {
    let failure: AttemptResult? = state.withLock { state in
      guard let client = state.client else { return .unreachable(state.problem) }
      var number: Int32 = 0
      let code = mosquitto_publish(
        client.pointer, &number, topic, Int32(body.count), body, 1, false)
      switch code {
      case MOSQ_ERR_SUCCESS.code:
        // The acknowledgement cannot be missed: it is told under this lock.
        state.waiting[number] = Waiting(ticket: ticket, finish: finish)
        return nil
      case MOSQ_ERR_INVAL.code, MOSQ_ERR_PAYLOAD_SIZE.code, MOSQ_ERR_MALFORMED_UTF8.code,
        MOSQ_ERR_OVERSIZE_PACKET.code:
        return .refused(message(code))
      default: return .unreachable(message(code))
      }
    }
    if let failure { finish(failure) } else { bell.ring() }
  }

  func cancel(_ ticket: Int) {
    let waiting = state.withLock { state -> Waiting? in
      guard let entry = state.waiting.first(where: { $0.value.ticket == ticket }) else {
        return nil
      }
      return state.waiting.removeValue(forKey: entry.key)
    }
    waiting?.finish(.unreachable("given up: the service stops"))
  }

  func close() {
    state.withLock { $0.isClosed = true }
    bell.ring()
  }

  private var isClosed: Bool { state.withLock { $0.isClosed } }

  // libmosquitto's callbacks, on the session's thread.

  fileprivate func connected(_ pointer: OpaquePointer, code: Int32) {
    guard code == 0 else {
      let words = String(cString: mosquitto_connack_string(code))
      return state.withLock { $0.problem = "the broker refuses the connection: \(words)" }
    }
    let client = Client(pointer: pointer)
    state.withLock { $0.client = client }
    onConnect()
  }

  fileprivate func acknowledged(_ number: Int32) {
    state.withLock { $0.waiting.removeValue(forKey: number) }?.finish(.delivered)
  }

  // The session's thread.

  func run() {
    let context = Unmanaged.passUnretained(self).toOpaque()
    guard let client = mosquitto_new(clientID, true, context) else {
      state.withLock { $0.problem = "out of memory" }
      return
    }
    defer { mosquitto_destroy(client) }
    var wait: Int32 = 1000
    while !isClosed {
      state.withLock { $0.problem = "cannot reach the broker" }
      let (code, wasConnected) = connection(client)
      giveUp(code)
      if wasConnected { wait = 1000 }
      waitForBell(milliseconds: wait)
      wait = min(wait * 2, MQTTSession.longestWaitMilliseconds)
      mosquitto_reinitialise(client, clientID, true, context)
    }
  }

  /// Connects and serves the connection until it is lost or closed; returns why, and whether the
  /// broker had accepted it.
  private func connection(_ client: OpaquePointer) -> (code: Int32, wasConnected: Bool) {
    mosquitto_connect_callback_set(client, sessionConnected)
    mosquitto_publish_callback_set(client, messageAcknowledged)
    // Messages are queued by other threads and written by this one.
    mosquitto_threaded_set(client, true)
    if let user = broker.user { mosquitto_username_pw_set(client, user, broker.password) }
    if broker.usesTLS { mosquitto_int_option(client, MOSQ_OPT_TLS_USE_OS_CERTS, 1) }
    var code = mosquitto_connect(
      client, broker.host, Int32(broker.port), MQTTSession.keepAliveSeconds)
    let deadline = ContinuousClock.now + .seconds(MQTTSession.keepAliveSeconds)
    var wasConnected = false
    while code == MOSQ_ERR_SUCCESS.code, !isClosed {
      code = serve(client)
      wasConnected = wasConnected || isConnected
      if !wasConnected, ContinuousClock.now >= deadline { code = MOSQ_ERR_CONN_LOST.code }
    }
    if isClosed {
      mosquitto_disconnect(client)
      mosquitto_loop_write(client, 1)
    }
    return (code, wasConnected)
  }

  /// Waits up to a second for something to do, and does it.
  private func serve(_ client: OpaquePointer) -> Int32 {
    let socket = mosquitto_socket(client)
    guard socket >= 0 else { return MOSQ_ERR_CONN_LOST.code }
    let events = POLLIN | (mosquitto_want_write(client) ? POLLOUT : 0)
    var polled = [
      pollfd(fd: socket, events: Int16(events), revents: 0),
      pollfd(fd: bell.descriptor, events: Int16(POLLIN), revents: 0),
    ]
    poll(&polled, 2, 1000)
    bell.silence()
    var code = MOSQ_ERR_SUCCESS.code
    if Int32(polled[0].revents) & ~POLLOUT != 0 { code = mosquitto_loop_read(client, 100) }
    if code == MOSQ_ERR_SUCCESS.code, mosquitto_want_write(client) {
      code = mosquitto_loop_write(client, 100)
    }
    return code == MOSQ_ERR_SUCCESS.code ? mosquitto_loop_misc(client) : code
  }

  /// Takes the client out of use, and fails what the broker has not acknowledged.
  private func giveUp(_ code: Int32) {
    let (waiting, problem) = state.withLock { state in
      let lost = state.client != nil
      if lost || code == MOSQ_ERR_ERRNO.code || code == MOSQ_ERR_EAI.code {
        state.problem = "the broker cannot be reached: \(message(code))"
      }
      state.client = nil
      defer { state.waiting = [:] }
      return (state.waiting.values, state.problem)
    }
    for entry in waiting { entry.finish(.unreachable(problem)) }
  }

  private func waitForBell(milliseconds: Int32) {
    guard !isClosed else { return }
    var polled = pollfd(fd: bell.descriptor, events: Int16(POLLIN), revents: 0)
    poll(&polled, 1, milliseconds)
    bell.silence()
  }
}

extension mosq_err_t {
  fileprivate var code: Int32 { Int32(rawValue) }
}

private func message(_ code: Int32) -> String {
  code == MOSQ_ERR_ERRNO.code
    ? String(cString: strerror(errno)) : String(cString: mosquitto_strerror(code))
}

private func session(_ context: UnsafeMutableRawPointer?) -> MQTTSession? {
  context.map { Unmanaged<MQTTSession>.fromOpaque($0).takeUnretainedValue() }
}

private func sessionConnected(
  _ client: OpaquePointer?, _ context: UnsafeMutableRawPointer?, _ code: Int32
) {
  guard let client else { return }
  session(context)?.connected(client, code: code)
}

private func messageAcknowledged(
  _ client: OpaquePointer?, _ context: UnsafeMutableRawPointer?, _ number: Int32
) {
  session(context)?.acknowledged(number)
}
