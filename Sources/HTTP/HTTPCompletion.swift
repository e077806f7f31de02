/// What became of one request, for metrics and access logs.
public struct HTTPCompletion: Sendable {
  public let method: HTTPMethod
  /// The route's pattern, or nil where no handler was reached. Few values, so fit for a label.
  public let route: RoutePattern?
  /// Path and query as they were sent.
  public let target: String
  /// Nil when the client went away, or was cut off, before an answer began.
  public let status: HTTPStatus?
  /// From the request line to the last byte handed to the system.
  public let duration: Duration
  /// Bytes of the answer's body, before the encoding of chunks and TLS.
  public let bodySizeInBytes: Int
  /// Whether the answer went out whole.
  public let isComplete: Bool
  public let remoteAddress: String
}
