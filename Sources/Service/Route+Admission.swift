import API
import HTTP
import Persistence

/// Routes whose handlers are reached with a key of the right scope alone, and may throw errors of the
/// interface.
extension Route {
  typealias Admission = APIKeyring.Admission

  /// A route answered at once, which must not wait for anything.
  static func immediate(
    _ method: HTTPMethod, _ pattern: RoutePattern, for scope: APIScope, by keys: APIKeyring,
    body: BodyRules = BodyRules(),
    _ handler: @escaping @Sendable (HTTPRequest, Admission) throws(APIError) -> HTTPResponse
  ) -> Route {
    Route(
      method, pattern, body: body,
      immediate: { request in
        do throws(APIError) {
          return try handler(request, try keys.admit(request, for: scope))
        } catch {
          return .error(error)
        }
      })
  }

  /// A route answered by a task.
  static func suspending(
    _ method: HTTPMethod, _ pattern: RoutePattern, for scope: APIScope, by keys: APIKeyring,
    body: BodyRules = BodyRules(),
    _ handler: @escaping @Sendable (HTTPRequest, Admission) async throws(APIError) -> HTTPResponse
  ) -> Route {
    Route(
      method, pattern, body: body,
      suspending: { request in
        do throws(APIError) {
          return try await handler(request, try keys.admit(request, for: scope))
        } catch {
          return .error(error)
        }
      })
  }

  /// A route answered by a task that reads the body as it comes.
  static func streaming(
    _ method: HTTPMethod, _ pattern: RoutePattern, for scope: APIScope, by keys: APIKeyring,
    mediaTypes: [String],
    _ handler:
      @escaping @Sendable (HTTPRequest, HTTPRequestBody, Admission) async throws(APIError) ->
      HTTPResponse
  ) -> Route {
    let rules = BodyRules(limitInBytes: .max, mediaTypes: mediaTypes)
    return Route(
      method, pattern, body: rules,
      streaming: { request, body in
        do throws(APIError) {
          return try await handler(request, body, try keys.admit(request, for: scope))
        } catch {
          return .error(error)
        }
      })
  }
}
