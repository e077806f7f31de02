/// Why a request was answered without reaching a handler.
public enum HTTPProblem: Equatable, Sendable {
  /// The request breaks HTTP; `reason` is a sentence for its sender.
  case malformedRequest(reason: String)
  case notFound
  /// The path exists, for these methods only.
  case methodNotAllowed(allowed: [HTTPMethod])
  case bodyTooLarge(limitInBytes: Int)
  case targetTooLong(limitInBytes: Int)
  /// The route wants one of these media types.
  case unsupportedMediaType(accepted: [String])
  case headersTooLarge(limitInBytes: Int)
  /// The server ends, and the answer would have taken longer than that leaves.
  case stopping

  public var status: HTTPStatus {
    switch self {
    case .malformedRequest: .badRequest
    case .notFound: .notFound
    case .methodNotAllowed: .methodNotAllowed
    case .bodyTooLarge: .contentTooLarge
    case .targetTooLong: .targetTooLong
    case .unsupportedMediaType: .unsupportedMediaType
    case .headersTooLarge: .headersTooLarge
    case .stopping: .serviceUnavailable
    }
  }

  /// One sentence for a person.
  public var message: String {
    switch self {
    case .malformedRequest(let reason): reason
    case .notFound: "Nothing is at this path."
    case .methodNotAllowed(let allowed):
      "This path answers \(allowed.map(\.rawValue).joined(separator: ", ")) only."
    case .bodyTooLarge(let limit): "The body is larger than \(limit) bytes."
    case .targetTooLong(let limit): "The path and query are longer than \(limit) bytes."
    case .unsupportedMediaType(let accepted):
      "Content-Type must be \(accepted.joined(separator: " or "))."
    case .headersTooLarge(let limit): "The header fields are larger than \(limit) bytes."
    case .stopping: "The server is stopping. Try again."
    }
  }

  /// A plain text answer, for callers that have no format of their own.
  public var plainResponse: HTTPResponse {
    HTTPResponse(
      status, headers: [.contentType: "text/plain; charset=utf-8"],
      body: Array((message + "\n").utf8))
  }

  /// Whether what follows on the connection can no longer be trusted to be a request.
  var endsConnection: Bool {
    switch self {
    case .malformedRequest, .headersTooLarge, .targetTooLong: true
    default: false
    }
  }
}
