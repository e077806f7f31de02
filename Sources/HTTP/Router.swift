/// Finds the route of a request and answers what no route does: unknown paths, methods that a path
/// does not have, OPTIONS, and requests that break HTTP.
public struct Router: Sendable {
  /// Every route, in the order they were given.
  public let routes: [Route]

  private let tree: RouteTree
  private let parameterNames: [[String]]
  private let cors: CORSPolicy
  private let problemResponse: @Sendable (HTTPProblem) -> HTTPResponse

  /// Traps when two routes have the same method and path: routes are written in code.
  ///
  /// `problemResponse` gives an answer its body where no handler is reached; header fields that
  /// HTTP demands, as `Allow`, are added to it.
  public init(
    _ routes: [Route], cors: CORSPolicy = CORSPolicy(origins: []),
    problemResponse: @escaping @Sendable (HTTPProblem) -> HTTPResponse = \.plainResponse
  ) {
    var tree = RouteTree()
    for (index, route) in routes.enumerated() {
      precondition(
        tree.insert(route.method, route.pattern, index: index),
        "Two routes answer \(route.method) \(route.pattern)")
    }
    self.routes = routes
    self.tree = tree
    self.parameterNames = routes.map(\.pattern.parameterNames)
    self.cors = cors
    self.problemResponse = problemResponse
  }

  /// What is to be done with a request whose header fields are known.
  enum Resolution {
    case route(Int)
    case answer(HTTPResponse)
    case problem(HTTPProblem)
  }

  /// Finds the route and fills the request's parameters.
  func resolve(_ request: inout HTTPRequest) -> Resolution {
    if request.method == .options, request.target == "*" {
      return .answer(optionsResponse(allowed: allMethods, request))
    }
    let path: DecodedPath
    switch DecodedPath.decode(request.target) {
    case .success(let decoded): path = decoded
    case .failure(let error): return .problem(.malformedRequest(reason: error.reason))
    }
    let method = request.method
    let match = path.withSegments { segments, text in
      tree.match(segments, in: text) { $0 == method || (method == .head && $0 == .get) }
    }
    guard let match else { return .problem(.notFound) }
    let index =
      match.routes.first { $0.method == method }?.index
      ?? (method == .head ? match.routes.first { $0.method == .get }?.index : nil)
    if let index {
      if !match.parameters.isEmpty {
        request.parameters = match.parameters.map(path.string)
        request.parameterNames = parameterNames[index]
      }
      return .route(index)
    }
    let allowed = Self.allowed(match.routes.map(\.method))
    if method == .options { return .answer(optionsResponse(allowed: allowed, request)) }
    return .problem(.methodNotAllowed(allowed: allowed))
  }

  /// Why the route does not take the request's body, if it does not.
  func bodyProblem(
    of route: Int, headers: HTTPHeaders, hasBody: Bool, announcedLength: Int?, mediaType: String?
  ) -> HTTPProblem? {
    guard hasBody else { return nil }
    let rules = routes[route].body
    if !rules.mediaTypes.isEmpty, mediaType.map(rules.mediaTypes.contains) != true {
      return .unsupportedMediaType(accepted: rules.mediaTypes)
    }
    if let announcedLength, announcedLength > rules.limitInBytes {
      return .bodyTooLarge(limitInBytes: rules.limitInBytes)
    }
    return nil
  }

  /// The answer to a problem, in the caller's format.
  func response(to problem: HTTPProblem) -> HTTPResponse {
    var response = problemResponse(problem)
    if case .methodNotAllowed(let allowed) = problem {
      response.headers[.allow] = allowed.map(\.rawValue).joined(separator: ", ")
    }
    return response
  }

  /// Adds what every answer to a page of another origin needs.
  func finish(_ response: inout HTTPResponse, for headers: HTTPHeaders) {
    cors.mark(&response, for: headers)
  }

  /// Answers a request that is wholly there, as the server would, without a socket.
  ///
  /// HEAD gives the answer of GET, whose body the server would leave out.
  public func respond(to request: HTTPRequest) async -> HTTPResponse {
    var request = request
    var response = await unmarkedResponse(to: &request)
    finish(&response, for: request.headers)
    return response
  }

  private func unmarkedResponse(to request: inout HTTPRequest) async -> HTTPResponse {
    let index: Int
    switch resolve(&request) {
    case .answer(let response): return response
    case .problem(let problem): return response(to: problem)
    case .route(let found): index = found
    }
    if let problem = bodyProblem(
      of: index, headers: request.headers, hasBody: !request.body.isEmpty,
      announcedLength: request.body.count, mediaType: request.mediaType)
    {
      return response(to: problem)
    }
    switch routes[index].handler {
    case .immediate(let handler): return handler(request)
    case .suspending(let handler): return await handler(request)
    case .streaming(let handler):
      let body = HTTPRequestBody(request.body)
      request.body = []
      return await handler(request, body)
    }
  }

  private func optionsResponse(allowed: [HTTPMethod], _ request: HTTPRequest) -> HTTPResponse {
    let methods = allowed.map(\.rawValue).joined(separator: ", ")
    var response = HTTPResponse(.noContent, headers: [.allow: methods])
    cors.markPreflight(&response, for: request.headers, methods: methods)
    return response
  }

  private var allMethods: [HTTPMethod] {
    var methods: [HTTPMethod] = []
    for route in routes where !methods.contains(route.method) { methods.append(route.method) }
    return Self.allowed(methods)
  }

  private static func allowed(_ methods: [HTTPMethod]) -> [HTTPMethod] {
    var allowed = methods
    if allowed.contains(.get), !allowed.contains(.head) { allowed.append(.head) }
    if !allowed.contains(.options) { allowed.append(.options) }
    return allowed
  }
}
