import API
import HTTP
import Identity
import JSON
import Persistence
import TimeClock

/// Routes of the app's contract.
extension Route {
  /// A route below `/api/mobile/scheduling`, whose answers are one person's and in no cache.
  static func app(
    _ method: HTTPMethod, _ path: String,
    _ handler: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse
  ) -> Route {
    Route(
      method, RoutePattern("/api/mobile/scheduling/" + path),
      body: BodyRules(mediaTypes: ["application/json"]),
      suspending: { request in
        var response: HTTPResponse
        do { response = try await handler(request) } catch { response = .failure(error) }
        response.headers[.cacheControl] = "no-store"
        return response
      })
  }
}

extension HTTPRequest {
  /// The access token that the request speaks with.
  func accessToken() throws(APIError) -> Secret {
    let parts = (headers[.authorization] ?? "").split(separator: " ", maxSplits: 1)
    guard parts.count == 2, parts[0].lowercased() == "bearer" else {
      throw APIError(.unauthorized, "An access token is needed: Authorization: Bearer ...")
    }
    return Secret(String(parts[1]))
  }

  /// What the client calls itself, as far as it is worth keeping.
  var clientName: String? { headers[.userAgent].map { String($0.prefix(200)) } }
}

extension HTTPResponse {
  /// The answer to whatever went wrong in a route of the app.
  fileprivate static func failure(_ error: any Error) -> HTTPResponse {
    switch error {
    case let error as APIError: return .error(error)
    case let error as DatabaseError: return .error(APIError(error))
    case let error as IdentityError:
      var response = HTTPResponse.error(APIError(error))
      if case .rateLimited(let seconds) = error {
        response.headers[.retryAfter] = String(seconds)
      }
      return response
    case let error as IdempotentAnswers.Mismatch:
      return .error(APIError(.idempotencyMismatch, "\(error)"))
    default: return .error(.unexpected)
    }
  }
}

extension APIError {
  /// Why somebody is not let in.
  fileprivate init(_ error: IdentityError) {
    switch error {
    case .invalidCredentials: self.init(.invalidCredentials, "\(error)")
    case .rateLimited(let seconds):
      self.init(.rateLimited, "\(error)") { $0.member("retryAfterSeconds", seconds) }
    case .tokenExpired: self.init(.tokenExpired, "\(error)")
    case .unauthorized(nil): self.init(.unauthorized, "\(error)")
    case .unauthorized(let reason?):
      self.init(.unauthorized, "\(error)") { $0.member("reason", reason.rawValue) }
    case .forbidden: self.init(.forbidden, "\(error)")
    case .storeAccessRevoked: self.init(.storeAccessRevoked, "\(error)")
    case .hashing(let failure): self.init(.unavailable, "\(failure)")
    case .database(let error): self.init(error)
    }
  }
}
