import API
import HTTP
import JSON

/// Answers in JSON, and errors with the status that belongs to their code.
extension HTTPResponse {
  /// An object as the body.
  static func json(
    _ status: HTTPStatus = .ok, _ members: (inout JSONWriter) -> Void
  ) -> HTTPResponse {
    var json = JSONWriter()
    json.object { members(&$0) }
    return HTTPResponse(status, headers: [.contentType: "application/json"], body: json.bytes)
  }

  /// The answer that an error makes.
  static func error(_ error: APIError) -> HTTPResponse {
    var json = JSONWriter()
    error.write(to: &json)
    var response = HTTPResponse(
      status(of: error.code), headers: [.contentType: "application/json"], body: json.bytes)
    if response.status == .unauthorized { response.headers[.wwwAuthenticate] = "Bearer" }
    return response
  }

  /// The answer to a request that reached no handler, with the status of HTTP's own.
  static func problem(_ problem: HTTPProblem) -> HTTPResponse {
    var response = HTTPResponse.error(APIError(problem))
    response.status = problem.status
    return response
  }

  /// The one place where codes become statuses.
  private static func status(of code: APIError.Code) -> HTTPStatus {
    switch code {
    case .validationError: .badRequest
    case .invalidCredentials, .tokenExpired, .unauthorized, .challengeFailed: .unauthorized
    case .forbidden, .storeAccessRevoked, .outsideGeofence, .reauthRequired,
      .secondFactorRequired:
      .forbidden
    case .notFound: .notFound
    case .methodNotAllowed: .methodNotAllowed
    case .conflict, .duplicatePunch, .accountExists: .conflict
    case .resetCodeInvalid: .gone
    case .payloadTooLarge: .contentTooLarge
    case .unsupportedMediaType: .unsupportedMediaType
    case .idempotencyMismatch: .unprocessableContent
    case .upgradeRequired: .upgradeRequired
    case .rateLimited: .tooManyRequests
    case .internalError: .internalServerError
    case .unavailable: .serviceUnavailable
    }
  }
}
