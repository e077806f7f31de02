/// An answer: status, header fields and a body.
///
/// `Date`, `Content-Length`, `Transfer-Encoding` and `Connection` are the server's; do not set them.
public struct HTTPResponse: Sendable {
  public var status: HTTPStatus
  public var headers: HTTPHeaders
  public var body: Body

  public enum Body: Sendable {
    case empty
    /// Sent with its length. It is copied once.
    case bytes([UInt8])
    /// Sent in chunks as they are written.
    case stream(HTTPStream)
  }

  public init(_ status: HTTPStatus, headers: HTTPHeaders = HTTPHeaders(), body: Body = .empty) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  public init(_ status: HTTPStatus, headers: HTTPHeaders = HTTPHeaders(), body: [UInt8]) {
    self.init(status, headers: headers, body: body.isEmpty ? .empty : .bytes(body))
  }

  /// A stream of server-sent events, ended when `produce` returns.
  ///
  /// While nothing else is written, a comment line goes out every `heartbeat`: proxies keep the
  /// connection, and a client that went away is noticed.
  public static func events(
    heartbeat: Duration = .seconds(15), bufferSizeInBytes: Int = 64 * 1024,
    produce: @escaping @Sendable (HTTPStreamWriter) async -> Void
  ) -> HTTPResponse {
    HTTPResponse(
      .ok,
      headers: [
        .contentType: "text/event-stream; charset=utf-8", .cacheControl: "no-store",
        "X-Accel-Buffering": "no",
      ],
      body: .stream(
        HTTPStream(
          bufferSizeInBytes: bufferSizeInBytes,
          heartbeat: HTTPStream.Heartbeat(bytes: Array(":\n\n".utf8), interval: heartbeat),
          produce: produce)))
  }

  /// The whole body in memory; a stream is run to its end.
  public func collectedBody() async -> [UInt8] {
    switch body {
    case .empty: return []
    case .bytes(let bytes): return bytes
    case .stream(let stream):
      let writer = HTTPStreamWriter(stream: stream)
      writer.start()
      var collected: [UInt8] = []
      while let bytes = await writer.takeWhenWritten() { collected += bytes }
      return collected
    }
  }
}
