import HTTP
import Testing

/// One request and what its answer must be, without a socket and through one.
struct RouterCase: CustomTestStringConvertible, Sendable {
  var testDescription: String
  var method: HTTPMethod = .get
  var target: String
  var headers: HTTPHeaders = [:]
  var body = ""
  var status: Int
  var answer: String?
  var fields: [(HTTPHeaderName, String?)] = []

  static let all: [RouterCase] = [
    RouterCase(testDescription: "the root", target: "/", status: 200, answer: "root"),
    RouterCase(
      testDescription: "a parameter", target: "/v1/subjects/a%20b/explain", status: 200,
      answer: "explain a b"),
    RouterCase(
      testDescription: "an encoded slash stays in its segment",
      target: "/v1/subjects/a%2Fb/explain", status: 200, answer: "explain a/b"),
    RouterCase(
      testDescription: "an encoded literal", target: "/v1/%68ello", status: 200,
      answer: "hello 127.0.0.1"),
    RouterCase(
      testDescription: "a parameter that is empty", target: "/v1/subjects//explain", status: 404),
    RouterCase(
      testDescription: "a literal before a parameter", target: "/v1/me/clock/hours", status: 200,
      answer: "hours of mine"),
    RouterCase(
      testDescription: "back from a literal to a parameter", target: "/v1/me/clock/status",
      status: 200, answer: "status me"),
    RouterCase(
      testDescription: "a literal with a colon", method: .post, target: "/v1/fences:import",
      body: "abc", status: 200, answer: "3"),
    RouterCase(testDescription: "an unknown path", target: "/v1/nothing", status: 404),
    RouterCase(testDescription: "a slash too many", target: "/v1/hello/", status: 404),
    RouterCase(testDescription: "letters of another case", target: "/V1/hello", status: 404),
    RouterCase(
      testDescription: "a method the path has not", method: .delete, target: "/v1/echo", body: "x",
      status: 405, fields: [(.allow, "POST, PUT, PATCH, OPTIONS")]),
    RouterCase(
      testDescription: "a method nobody knows", method: HTTPMethod(rawValue: "BREW"),
      target: "/v1/hello", status: 405, fields: [(.allow, "GET, HEAD, OPTIONS")]),
    RouterCase(
      testDescription: "HEAD where there is no GET", method: .head, target: "/v1/echo", status: 405),
    RouterCase(
      testDescription: "a type that is taken, with parameters", method: .post, target: "/v1/json",
      headers: [.contentType: "Application/JSON; charset=utf-8"], body: "{}", status: 200,
      answer: "{}"),
    RouterCase(
      testDescription: "a type that is not taken", method: .post, target: "/v1/json",
      headers: [.contentType: "text/plain"], body: "{}", status: 415),
    RouterCase(
      testDescription: "a body without a type", method: .post, target: "/v1/json", body: "{}",
      status: 415),
    RouterCase(
      testDescription: "no body needs no type", method: .post, target: "/v1/json", status: 200),
    RouterCase(
      testDescription: "a body as long as it may be", method: .post, target: "/v1/json",
      headers: [.contentType: "application/json"], body: String(repeating: " ", count: 64),
      status: 200),
    RouterCase(
      testDescription: "a body longer by one", method: .post, target: "/v1/json",
      headers: [.contentType: "application/json"], body: String(repeating: " ", count: 65),
      status: 413),
    RouterCase(
      testDescription: "a query", target: "/v1/query?a=1&b=x+y%26&c", status: 200,
      answer: "a=1;b=x y&;c="),
    RouterCase(testDescription: "an empty query", target: "/v1/query?", status: 200),
    RouterCase(
      testDescription: "an absolute target", target: "http://shop.example/v1/query?a=b",
      status: 200, answer: "a=b"),
    RouterCase(testDescription: "a query cut in an escape", target: "/v1/query?a=%4", status: 400),
    RouterCase(testDescription: "a query not in UTF-8", target: "/v1/query?a=%ff", status: 400),
    RouterCase(testDescription: "a path cut in an escape", target: "/v1/%6", status: 400),
    RouterCase(testDescription: "an escape without digits", target: "/v1/%zz", status: 400),
    RouterCase(testDescription: "a path not in UTF-8", target: "/v1/%c3%28", status: 400),
    RouterCase(testDescription: "a zero in the path", target: "/v1/hello%00", status: 400),
    RouterCase(testDescription: "a climb", target: "/v1/../hello", status: 400),
    RouterCase(testDescription: "an encoded climb", target: "/v1/%2e%2E/hello", status: 400),
    RouterCase(testDescription: "a dot", target: "/v1/./hello", status: 400),
    RouterCase(testDescription: "three dots are a name", target: "/v1/...", status: 404),
    RouterCase(testDescription: "no slash at the start", target: "v1/hello", status: 400),
    RouterCase(
      testDescription: "options of a path", method: .options, target: "/v1/hello", status: 204,
      fields: [(.allow, "GET, HEAD, OPTIONS"), (.accessControlAllowOrigin, nil)]),
    RouterCase(
      testDescription: "options of an unknown path", method: .options, target: "/v1/nothing",
      status: 404),
    RouterCase(
      testDescription: "options of the server", method: .options, target: "*", status: 204),
    RouterCase(
      testDescription: "a preflight of a listed origin", method: .options, target: "/v1/echo",
      headers: [.origin: "https://clock.example", .accessControlRequestMethod: "POST"], status: 204,
      fields: [
        (.accessControlAllowOrigin, "https://clock.example"),
        (.accessControlAllowMethods, "POST, PUT, PATCH, OPTIONS"),
        (.accessControlAllowHeaders, "Authorization, Content-Type, Idempotency-Key"),
        (.accessControlMaxAge, "600"), (.vary, "Origin"),
      ]),
    RouterCase(
      testDescription: "a preflight of another origin", method: .options, target: "/v1/echo",
      headers: [.origin: "https://evil.example", .accessControlRequestMethod: "POST"], status: 204,
      fields: [
        (.accessControlAllowOrigin, nil), (.accessControlAllowMethods, nil), (.vary, "Origin"),
      ]),
    RouterCase(
      testDescription: "a listed origin gets its answer", target: "/v1/hello",
      headers: [.origin: "https://clock.example"], status: 200,
      fields: [(.accessControlAllowOrigin, "https://clock.example"), (.vary, "Origin")]),
    RouterCase(
      testDescription: "a listed origin reads errors too", target: "/v1/nothing",
      headers: [.origin: "https://clock.example"], status: 404,
      fields: [(.accessControlAllowOrigin, "https://clock.example")]),
    RouterCase(
      testDescription: "another origin gets no leave", target: "/v1/hello",
      headers: [.origin: "https://clock.example.evil"], status: 200,
      fields: [(.accessControlAllowOrigin, nil), (.vary, "Origin")]),
    RouterCase(
      testDescription: "a streamed body", method: .post, target: "/v1/count", body: "12345",
      status: 200, answer: "5"),
    RouterCase(
      testDescription: "a streamed body that is empty", method: .post, target: "/v1/count",
      status: 200, answer: "0"),
    RouterCase(
      testDescription: "a streamed body nobody reads", method: .post, target: "/v1/refused",
      body: "12345", status: 401, answer: "x"),
    RouterCase(
      testDescription: "no content", method: .delete, target: "/v1/fences/7", status: 204,
      answer: ""),
  ]
}

@Suite struct RouterTests {
  @Test(arguments: RouterCase.all)
  func `answers without a socket`(_ row: RouterCase) async {
    let response = await SampleRoutes.router.respond(
      to: HTTPRequest(
        method: row.method, target: row.target, headers: row.headers, body: Array(row.body.utf8)))
    #expect(response.status.code == row.status)
    if let answer = row.answer {
      #expect(String(decoding: await response.collectedBody(), as: UTF8.self) == answer)
    }
    for (name, value) in row.fields { #expect(response.headers[name] == value, "\(name)") }
  }

  @Test(arguments: RouterCase.all)
  func `answers through a socket, and the connection goes on`(_ row: RouterCase) async throws {
    try await serving { server in
      let client = try RawClient(port: server.port)
      var request = "\(row.method) \(row.target) HTTP/1.1\r\nHost: x\r\n"
      for (name, value) in row.headers { request += "\(name): \(value)\r\n" }
      if !row.body.isEmpty { request += "Content-Length: \(row.body.utf8.count)\r\n" }
      client.send(request + "\r\n" + row.body)
      let answer = Answer(client.receiveAnswer(isHead: row.method == .head))
      #expect(answer.status == row.status)
      if let body = row.answer { #expect(answer.body == body) }
      for (name, value) in row.fields {
        #expect(answer.fields[name.text.lowercased()] == value, "\(name)")
      }
      guard row.status != 400, row.status != 401 else { return }
      client.send("GET /v1/hello HTTP/1.1\r\nHost: x\r\n\r\n")
      #expect(Answer(client.receiveAnswer()).body == "hello 127.0.0.1")
    }
  }

  @Test func `the routes can be listed`() {
    let listed = SampleRoutes.router.routes.map { "\($0.method) \($0.pattern)" }
    #expect(listed.contains("GET /v1/subjects/{id}/explain"))
    #expect(listed.count == SampleRoutes.routes.count)
  }

  @Test func `problems take the caller's form and keep Allow`() async {
    let router = Router(SampleRoutes.routes) { problem in
      HTTPResponse(
        problem.status, headers: [.contentType: "application/json"],
        body: Array("{\"error\":\"\(problem.status)\"}".utf8))
    }
    let response = await router.respond(to: HTTPRequest(method: .delete, target: "/v1/hello"))
    #expect(response.headers[.contentType] == "application/json")
    #expect(response.headers[.allow] == "GET, HEAD, OPTIONS")
    #expect(String(decoding: await response.collectedBody(), as: UTF8.self) == #"{"error":"405"}"#)
  }
}
