import CMicroHTTPD
import Glibc
import Synchronization

/// One request and its answer.
///
/// The library calls again and again for a request: once when the header fields are there, for each
/// piece of the body, once at its end, and after each sleep. `phase` says what the next call means.
/// An answer can be queued at the first call, before the body, which ends the connection even where
/// there is no body, or after the body's end; between the two, what comes must be read and dropped.
///
/// `@unchecked`: the library calls for one connection from one thread at a time, and only those
/// calls touch the plain variables. What tasks touch is in `shared`, behind its lock; a connection
/// that sleeps is neither served nor closed by the library, so waking it under that lock is safe.
final class Exchange: @unchecked Sendable {
  private enum Phase {
    /// The header fields have not been looked at.
    case fresh
    /// The body is collected for a handler that wants it whole.
    case collecting
    /// The body is dropped, up to so many bytes, to give an answer that is there already.
    case dropping(HTTPResponse, allowance: Int)
    /// A handler may read the body and has not asked for it.
    case untouched
    /// The body is handed to a handler as it comes.
    case streaming
    /// The request is there as a whole, and a task works on it.
    case working
    case answered
  }

  /// What is left of a refused body is read, up to this size, so that the connection can be used on.
  private static let dropLimit = 64 * 1024

  let core: ServerCore
  let connection: Connection
  let isSecure: Bool
  /// Whether the answer ends the connection because its daemon is being replaced.
  let isRetiring: @Sendable () -> Bool
  private let target: String?
  private let start: UInt64
  private var phase = Phase.fresh
  private var method = HTTPMethod(rawValue: "")
  private var request: HTTPRequest?
  private var route: Int?
  private var body: [UInt8] = []
  private var stream: HTTPRequestBody?
  private var status: HTTPStatus?
  private var bodySize = 0
  private var mustClose = false
  private var isRegistered = false

  private let shared = Mutex(Shared())

  private struct Shared {
    /// `@unchecked`: the handle is used by the thread that serves it, or to wake it.
    struct Handle: @unchecked Sendable {
      let pointer: OpaquePointer
    }

    /// The connection while it sleeps.
    var asleep: Handle?
    /// It was to be woken before it slept.
    var isWoken = false
    var answer: HTTPResponse?
    var task: Task<Void, Never>?
    var isOver = false
    var writer: HTTPStreamWriter?
  }

  init(
    core: ServerCore, connection: Connection, target: String?, isSecure: Bool,
    isRetiring: @escaping @Sendable () -> Bool
  ) {
    self.core = core
    self.connection = connection
    self.target = target
    self.isSecure = isSecure
    self.isRetiring = isRetiring
    start = monotonicNanoseconds()
    connection.isBusy.store(true, ordering: .releasing)
    connection.setDeadline(start + core.configuration.headerTimeout.nanoseconds)
  }

  // MARK: The library's calls

  /// One call of the library. `upload` is the piece of the body that has come; what is left in it
  /// is offered again.
  func receive(
    _ handle: OpaquePointer, method: UnsafePointer<CChar>, upload: inout UnsafeRawBufferPointer
  ) -> MHD_Result {
    switch phase {
    case .fresh: return begin(handle, method)
    case .collecting: return collect(handle, &upload)
    case .dropping(let response, let allowance):
      return drop(handle, &upload, response, allowance)
    case .untouched: return continueUntouched(handle)
    case .streaming: return forward(handle, &upload)
    case .working: return answerWhenReady(handle)
    case .answered: return .NO
    }
  }

  private func begin(_ handle: OpaquePointer, _ method: UnsafePointer<CChar>) -> MHD_Result {
    self.method = HTTPMethod(rawValue: String(cString: method))
    connection.setDeadline(.max)
    var request = HTTPRequest(
      method: self.method, target: target ?? "", headers: Self.headers(of: handle),
      remoteAddress: connection.remoteAddress, isSecure: isSecure)
    self.request = request
    if let problem = headerProblem(request) {
      mustClose = true
      return answer(handle, core.router.response(to: problem), leavingBody: true)
    }
    let announced = request.headers[.contentLength].flatMap { Int($0) }
    let hasBody = (announced ?? 0) > 0 || request.headers.contains(.transferEncoding)
    switch core.router.resolve(&request) {
    case .answer(let response): return refuse(handle, response, hasBody, announced)
    case .problem(let problem):
      if problem.endsConnection { mustClose = true }
      return refuse(handle, core.router.response(to: problem), hasBody, announced)
    case .route(let index): route = index
    }
    self.request = request
    guard let route else { return .NO }
    let problem = core.router.bodyProblem(
      of: route, headers: request.headers, hasBody: hasBody, announcedLength: announced,
      mediaType: request.mediaType)
    if let problem {
      return refuse(handle, core.router.response(to: problem), hasBody, announced)
    }
    if hasBody, case .streaming(let handler) = core.router.routes[route].handler {
      return beginStreaming(handle, request, handler)
    }
    phase = .collecting
    if hasBody {
      body.reserveCapacity(min(announced ?? 0, core.router.routes[route].body.limitInBytes))
      setBodyDeadline()
    }
    return .YES
  }

  private func headerProblem(_ request: HTTPRequest) -> HTTPProblem? {
    let headers = request.headers
    if request.target.isEmpty {
      return .malformedRequest(reason: "The request target is not UTF-8.")
    }
    if request.target.utf8.count > HTTPServerConfiguration.targetLimitInBytes {
      return .targetTooLong(limitInBytes: HTTPServerConfiguration.targetLimitInBytes)
    }
    if headers.sizeInBytes > HTTPServerConfiguration.headersLimitInBytes {
      return .headersTooLarge(limitInBytes: HTTPServerConfiguration.headersLimitInBytes)
    }
    if headers.count(of: .contentLength) > 1 {
      return .malformedRequest(reason: "There is more than one Content-Length.")
    }
    let isChunked = headers.contains(.transferEncoding)
    if isChunked, headers.contains(.contentLength) {
      return .malformedRequest(reason: "There are both Content-Length and Transfer-Encoding.")
    }
    if isChunked,
      headers.count(of: .transferEncoding) > 1
        || headers[.transferEncoding]?.lowercased() != "chunked"
    {
      return .malformedRequest(reason: "Transfer-Encoding can be chunked only.")
    }
    if let length = headers[.contentLength],
      length.isEmpty || !length.utf8.allSatisfy({ $0 &- UInt8(ascii: "0") < 10 })
    {
      return .malformedRequest(reason: "Content-Length is not a number.")
    }
    if headers.count(of: .host) > 1 {
      return .malformedRequest(reason: "There is more than one Host.")
    }
    return nil
  }

  /// Answers without the body. A short one that is on its way is read and dropped, so that the
  /// connection can be used on; a long one ends it.
  private func refuse(
    _ handle: OpaquePointer, _ response: HTTPResponse, _ hasBody: Bool, _ announced: Int?
  ) -> MHD_Result {
    let mayDrop =
      !hasBody
      || (!mustClose && request?.headers.contains(.expect) != true
        && (announced.map { $0 <= Self.dropLimit } ?? true))
    guard mayDrop else { return answer(handle, response, leavingBody: true) }
    phase = .dropping(response, allowance: Self.dropLimit)
    if hasBody { setBodyDeadline() }
    return .YES
  }

  private func setBodyDeadline() {
    connection.setDeadline(monotonicNanoseconds() + core.configuration.bodyTimeout.nanoseconds)
  }

  private func collect(
    _ handle: OpaquePointer, _ upload: inout UnsafeRawBufferPointer
  ) -> MHD_Result {
    guard let route else { return .NO }
    if upload.isEmpty {
      connection.setDeadline(.max)
      request?.body = body
      body = []
      return dispatch(handle)
    }
    let limit = core.router.routes[route].body.limitInBytes
    guard body.count + upload.count <= limit else {
      body = []
      let response = core.router.response(to: .bodyTooLarge(limitInBytes: limit))
      return drop(handle, &upload, response, Self.dropLimit)
    }
    body.append(contentsOf: upload)
    upload = UnsafeRawBufferPointer(start: nil, count: 0)
    return .YES
  }

  private func drop(
    _ handle: OpaquePointer, _ upload: inout UnsafeRawBufferPointer, _ response: HTTPResponse,
    _ allowance: Int
  ) -> MHD_Result {
    if upload.isEmpty { return answer(handle, response) }
    guard upload.count <= allowance else {
      // The library takes no answer in the middle of a body.
      if !isSecure {
        status = response.status
        connection.linger()
        connection.sendDirectly(finished(response).serializedForClosing)
      }
      return .NO
    }
    phase = .dropping(response, allowance: allowance - upload.count)
    upload = UnsafeRawBufferPointer(start: nil, count: 0)
    return .YES
  }

  private func dispatch(_ handle: OpaquePointer) -> MHD_Result {
    guard let route, let request else { return .NO }
    switch core.router.routes[route].handler {
    case .immediate(let handler): return answer(handle, handler(request))
    case .suspending(let handler):
      phase = .working
      return work(handle) { await handler(request) }
    case .streaming(let handler):
      let stream = HTTPRequestBody([])
      phase = .working
      return work(handle) { await handler(request, stream) }
    }
  }

  private func beginStreaming(
    _ handle: OpaquePointer, _ request: HTTPRequest,
    _ handler: @escaping @Sendable (HTTPRequest, HTTPRequestBody) async -> HTTPResponse
  ) -> MHD_Result {
    // The body holds the exchange, and the exchange the body, until one of them is through.
    let stream = HTTPRequestBody(release: { self.wake() })
    self.stream = stream
    phase = .untouched
    return work(handle) { await handler(request, stream) }
  }

  /// Starts the task that answers and lets the connection sleep.
  private func work(
    _ handle: OpaquePointer, _ handler: @escaping @Sendable () async -> HTTPResponse
  ) -> MHD_Result {
    guard register() else {
      return answer(handle, core.router.response(to: .stopping))
    }
    let task = Task { self.finish(await handler()) }
    shared.withLock { $0.task = task }
    switch phase {
    case .untouched: return continueUntouched(handle, isFirst: true)
    default: return answerWhenReady(handle)
    }
  }

  private func continueUntouched(_ handle: OpaquePointer, isFirst: Bool = false) -> MHD_Result {
    if let response = takeAnswer() {
      let announced = request?.headers[.contentLength].flatMap { Int($0) }
      return refuse(handle, response, true, announced)
    }
    if isFirst {
      // Woken already means that the handler asks for the body.
      if sleep(handle) { return .YES }
      return continueUntouched(handle)
    }
    phase = .streaming
    return .YES
  }

  private func forward(
    _ handle: OpaquePointer, _ upload: inout UnsafeRawBufferPointer
  ) -> MHD_Result {
    guard let stream, let route else { return .NO }
    if upload.isEmpty {
      stream.finish()
      phase = .working
      return answerWhenReady(handle)
    }
    bodySize += upload.count
    let limit = core.router.routes[route].body.limitInBytes
    if bodySize > limit { stream.fail(.tooLarge(limitInBytes: limit)) }
    if bodySize > limit || hasAnswer {
      // The handler's own answer to the failure is better than none, but it is not waited for.
      let response =
        takeAnswer() ?? core.router.response(to: .bodyTooLarge(limitInBytes: limit))
      return drop(handle, &upload, response, Self.dropLimit)
    }
    while !stream.offer(upload) {
      if sleep(handle) {
        bodySize -= upload.count
        return .YES
      }
      if hasAnswer { return .YES }
    }
    upload = UnsafeRawBufferPointer(start: nil, count: 0)
    return .YES
  }

  private func answerWhenReady(_ handle: OpaquePointer) -> MHD_Result {
    while true {
      if let response = takeAnswer() { return answer(handle, response) }
      if sleep(handle) { return .YES }
    }
  }
}

// MARK: Sleeping and waking

extension Exchange {
  private func register() -> Bool {
    if isRegistered { return true }
    isRegistered = core.register(self)
    return isRegistered
  }

  /// Lets the connection sleep; false when it was to be woken meanwhile.
  private func sleep(_ handle: OpaquePointer) -> Bool {
    shared.withLock { shared in
      if shared.isWoken {
        shared.isWoken = false
        return false
      }
      MHD_suspend_connection(handle)
      shared.asleep = Shared.Handle(pointer: handle)
      return true
    }
  }

  private func wake() {
    shared.withLock { shared in
      guard !shared.isOver else { return }
      if let asleep = shared.asleep.take() {
        MHD_resume_connection(asleep.pointer)
      } else {
        shared.isWoken = true
      }
    }
  }

  private var hasAnswer: Bool { shared.withLock { $0.answer != nil } }

  private func takeAnswer() -> HTTPResponse? { shared.withLock { $0.answer.take() } }

  /// The task's answer.
  private func finish(_ response: HTTPResponse) {
    shared.withLock { shared in
      if shared.answer == nil { shared.answer = response }
      shared.task = nil
    }
    wake()
  }

  func beat(now: UInt64) { shared.withLock { $0.writer }?.beat(now: now) }

  func endStream() { shared.withLock { $0.writer }?.end() }

  /// Answers that the server stops, if nothing is answered yet.
  func terminate() {
    let (writer, task) = shared.withLock { ($0.writer, $0.task.take()) }
    if let writer {
      writer.end()
      return
    }
    // Before the task is canceled, whose answer then comes too late.
    finish(core.router.response(to: .stopping))
    stream?.fail(.stopping)
    task?.cancel()
  }
}

// MARK: Answering

extension Exchange {
  private func finished(_ response: HTTPResponse) -> HTTPResponse {
    var response = response
    if let request { core.router.finish(&response, for: request.headers) }
    return response
  }

  private func answer(
    _ handle: OpaquePointer, _ response: HTTPResponse, leavingBody: Bool = false
  ) -> MHD_Result {
    let response = finished(response)
    phase = .answered
    connection.setDeadline(.max)
    status = response.status
    bodySize = 0
    if leavingBody {
      mustClose = true
      connection.linger()
    }
    if core.isStopping.load(ordering: .relaxed) || isRetiring() { mustClose = true }
    guard let queued = makeResponse(handle, response) else { return .NO }
    defer { MHD_destroy_response(queued) }
    response.headers.forEachCString { name, value in
      MHD_add_response_header(queued, name, value)
    }
    if mustClose { MHD_add_response_header(queued, "Connection", "close") }
    return MHD_queue_response(handle, UInt32(response.status.code), queued)
  }

  private func makeResponse(_ handle: OpaquePointer, _ response: HTTPResponse) -> OpaquePointer? {
    switch response.body {
    case .bytes(let bytes) where !response.status.forbidsBody:
      if method != .head { bodySize = bytes.count }
      return bytes.withUnsafeBytes { bytes in
        // The library copies and does not write.
        MHD_create_response_from_buffer(
          bytes.count, UnsafeMutableRawPointer(mutating: bytes.baseAddress), .RESPMEM_MUST_COPY)
      }
    case .stream(let stream) where !response.status.forbidsBody && method != .head:
      return makeStream(handle, stream)
    default:
      return MHD_create_response_from_buffer(0, nil, .RESPMEM_PERSISTENT)
    }
  }

  private func makeStream(_ handle: OpaquePointer, _ stream: HTTPStream) -> OpaquePointer? {
    guard register() else {
      return MHD_create_response_from_buffer(0, nil, .RESPMEM_PERSISTENT)
    }
    let writer = HTTPStreamWriter(stream: stream)
    shared.withLock { $0.writer = writer }
    let reader = StreamReader(writer: writer, handle: handle)
    let retained = Unmanaged.passRetained(reader)
    let response = MHD_create_response_from_callback(
      UInt64.max, 16 * 1024, readStream, retained.toOpaque(), releaseStream)
    guard let response else {
      retained.release()
      return nil
    }
    writer.start()
    if core.isStopping.load(ordering: .acquiring) { writer.end() }
    return response
  }

  /// The library is through with the request, whatever became of it.
  func complete(isComplete: Bool) {
    let (task, writer) = shared.withLock { shared in
      shared.isOver = true
      return (shared.task.take(), shared.writer.take())
    }
    if isRegistered { core.unregister(self) }
    // Before the task is canceled, so that its reader learns the true reason.
    stream?.fail(.disconnected)
    task?.cancel()
    writer?.close()
    let now = monotonicNanoseconds()
    connection.setDeadline(now + core.configuration.idleTimeout.nanoseconds)
    core.onCompletion?(
      HTTPCompletion(
        method: method, route: route.map { core.router.routes[$0].pattern }, target: target ?? "",
        status: status, duration: .nanoseconds(Int64(now - start)),
        bodySizeInBytes: writer?.bytesTaken ?? bodySize, isComplete: isComplete && status != nil,
        remoteAddress: connection.remoteAddress))
    connection.isBusy.store(false, ordering: .releasing)
  }

  private static func headers(of handle: OpaquePointer) -> HTTPHeaders {
    var headers = HTTPHeaders()
    withUnsafeMutablePointer(to: &headers) { headers in
      _ = MHD_get_connection_values_n(handle, .HEADER_KIND, collectHeader, headers)
    }
    return headers
  }
}

/// A stream's end at the library. `@unchecked`: the library's thread for the connection alone uses
/// it.
private final class StreamReader: @unchecked Sendable {
  let writer: HTTPStreamWriter
  let handle: OpaquePointer

  init(writer: HTTPStreamWriter, handle: OpaquePointer) {
    self.writer = writer
    self.handle = handle
  }

  func read(into target: UnsafeMutableRawBufferPointer) -> Int {
    let taken = writer.take(into: target) {
      MHD_suspend_connection(handle)
      return { MHD_resume_connection(self.handle) }
    }
    return switch taken {
    case .bytes(let count): count
    case .waiting: 0
    case .end: -1
    }
  }
}

private func readStream(
  _ reader: UnsafeMutableRawPointer?, _ position: UInt64,
  _ target: UnsafeMutablePointer<CChar>?, _ size: Int
) -> Int {
  guard let reader else { return -1 }
  return Unmanaged<StreamReader>.fromOpaque(reader).takeUnretainedValue()
    .read(into: UnsafeMutableRawBufferPointer(start: target, count: size))
}

private func releaseStream(_ reader: UnsafeMutableRawPointer?) {
  guard let reader else { return }
  Unmanaged<StreamReader>.fromOpaque(reader).takeRetainedValue().writer.close()
}

private func collectHeader(
  _ headers: UnsafeMutableRawPointer?, _ kind: MHD_ValueKind, _ name: UnsafePointer<CChar>?,
  _ nameLength: Int, _ value: UnsafePointer<CChar>?, _ valueLength: Int
) -> MHD_Result {
  headers?.assumingMemoryBound(to: HTTPHeaders.self).pointee.append(
    name: UnsafeRawBufferPointer(start: name, count: nameLength).assumingMemoryBound(
      to: UInt8.self),
    value: UnsafeRawBufferPointer(start: value, count: valueLength).assumingMemoryBound(
      to: UInt8.self))
  return .YES
}

extension HTTPResponse {
  /// The answer as it goes out before the connection is closed; a stream has no body here.
  fileprivate var serializedForClosing: [UInt8] {
    var content: [UInt8] = []
    if case .bytes(let bytes) = body { content = bytes }
    var text = "HTTP/1.1 \(status.code) \r\n"
    for (name, value) in headers { text += "\(name): \(value)\r\n" }
    text += "Content-Length: \(content.count)\r\nConnection: close\r\n\r\n"
    return Array(text.utf8) + content
  }
}
