import HTTP

/// A router with a route of each kind.
enum SampleRoutes {
  static let json: HTTPHeaders = [.contentType: "application/json"]

  static let routes: [Route] = [
    Route(.get, "/", immediate: { _ in text("root") }),
    Route(.get, "/v1/hello", immediate: { request in text("hello \(request.remoteAddress)") }),
    Route(.post, "/v1/echo", immediate: { request in HTTPResponse(.ok, body: request.body) }),
    Route(.put, "/v1/echo", suspending: { request in HTTPResponse(.ok, body: request.body) }),
    Route(.patch, "/v1/echo", immediate: { request in HTTPResponse(.ok, body: request.body) }),
    Route(
      .post, "/v1/json", body: .init(limitInBytes: 64, mediaTypes: ["application/json"]),
      immediate: { _ in HTTPResponse(.ok, headers: json, body: Array("{}".utf8)) }),
    Route(
      .get, "/v1/subjects/{id}/explain",
      immediate: { request in text("explain \(request.parameter("id"))") }),
    Route(
      .get, "/v1/{store}/clock/status",
      suspending: { request in text("status \(request.parameter("store"))") }),
    Route(.get, "/v1/me/clock/hours", immediate: { _ in text("hours of mine") }),
    Route(.post, "/v1/fences:import", suspending: { request in text("\(request.body.count)") }),
    Route(
      .get, "/v1/query",
      immediate: { request in
        text(request.queryItems.map { "\($0.name)=\($0.value)" }.joined(separator: ";"))
      }),
    Route(.delete, "/v1/fences/{id}", immediate: { _ in HTTPResponse(.noContent) }),
    Route(
      .post, "/v1/count",
      streaming: { _, body in
        var count = 0
        do throws(HTTPRequestBodyError) {
          for try await chunk in body { count += chunk.count }
        } catch {
          return HTTPResponse(.badRequest, body: Array("\(error)".utf8))
        }
        return text("\(count)")
      }),
    Route(
      .post, "/v1/refused", streaming: { _, _ in HTTPResponse(.unauthorized, body: [0x78]) }),
  ]

  static let cors = CORSPolicy(origins: ["https://clock.example"])

  static let router = Router(routes, cors: cors)

  static func text(_ text: String) -> HTTPResponse {
    HTTPResponse(.ok, headers: [.contentType: "text/plain"], body: Array(text.utf8))
  }
}

private func text(_ text: String) -> HTTPResponse { SampleRoutes.text(text) }
