/// A method and a path, and what answers them.
public struct Route: Sendable {
  /// What a route may ask of a body, beside what its handler does.
  public struct BodyRules: Sendable {
    /// The largest body; a longer one is refused without being read.
    public var limitInBytes: Int
    /// The media types that are taken, in lower case; all when empty. A request without a body
    /// needs none.
    public var mediaTypes: [String]

    /// One MiB of any type unless said otherwise.
    public init(limitInBytes: Int = 1 << 20, mediaTypes: [String] = []) {
      self.limitInBytes = limitInBytes
      self.mediaTypes = mediaTypes
    }
  }

  enum Handler: Sendable {
    case immediate(@Sendable (HTTPRequest) -> HTTPResponse)
    case suspending(@Sendable (HTTPRequest) async -> HTTPResponse)
    case streaming(@Sendable (HTTPRequest, HTTPRequestBody) async -> HTTPResponse)
  }

  public let method: HTTPMethod
  public let pattern: RoutePattern
  public let body: BodyRules
  let handler: Handler

  private init(_ method: HTTPMethod, _ pattern: RoutePattern, _ body: BodyRules, _ handler: Handler)
  {
    self.method = method
    self.pattern = pattern
    self.body = body
    self.handler = handler
  }

  /// A route answered at once on the server's own thread. `immediate` must not wait for anything:
  /// while it runs, no other connection of that thread is served.
  public init(
    _ method: HTTPMethod, _ pattern: RoutePattern, body: BodyRules = BodyRules(),
    immediate: @escaping @Sendable (HTTPRequest) -> HTTPResponse
  ) {
    self.init(method, pattern, body, .immediate(immediate))
  }

  /// A route answered by a task. Its connection sleeps meanwhile; others are served.
  public init(
    _ method: HTTPMethod, _ pattern: RoutePattern, body: BodyRules = BodyRules(),
    suspending: @escaping @Sendable (HTTPRequest) async -> HTTPResponse
  ) {
    self.init(method, pattern, body, .suspending(suspending))
  }

  /// A route answered by a task that reads the body as it comes.
  ///
  /// The task starts when the header fields are there. An answer before the body's end refuses the
  /// rest of it and ends the connection when much of it is left. Without a limit a body may be
  /// endless.
  public init(
    _ method: HTTPMethod, _ pattern: RoutePattern,
    body: BodyRules = BodyRules(limitInBytes: .max),
    streaming: @escaping @Sendable (HTTPRequest, HTTPRequestBody) async -> HTTPResponse
  ) {
    self.init(method, pattern, body, .streaming(streaming))
  }

  var readsBodyAsStream: Bool {
    if case .streaming = handler { true } else { false }
  }
}

/// A path with parameters, as `/v1/subjects/{id}/explain`.
///
/// A segment is a literal, compared with the decoded path byte for byte, or one `{parameter}`,
/// which takes any segment that is not empty. A literal goes before a parameter.
public struct RoutePattern: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible
{
  enum Segment: Hashable, Sendable {
    case literal(String)
    case parameter(String)
  }

  /// The pattern as it was written.
  public let description: String
  let segments: [Segment]

  /// Traps on a pattern that is malformed: routes are written in code.
  public init(stringLiteral text: String) { self.init(text) }

  /// Traps on a pattern that is malformed: routes are written in code.
  public init(_ text: String) {
    precondition(text.hasPrefix("/"), "The route \(text) does not begin with a slash")
    description = text
    segments =
      text == "/"
      ? []
      : text.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map { segment in
        precondition(!segment.isEmpty, "The route \(text) has an empty segment")
        guard segment.hasPrefix("{") else {
          precondition(
            !segment.contains { "{}%?#".contains($0) },
            "\(segment) in the route \(text) is neither a literal nor one {parameter}")
          return .literal(String(segment))
        }
        precondition(segment.hasSuffix("}"), "\(segment) in the route \(text) is not {parameter}")
        return .parameter(String(segment.dropFirst().dropLast()))
      }
    precondition(
      Set(parameterNames).count == parameterNames.count, "The route \(text) names a parameter twice"
    )
  }

  /// The names between braces, in order.
  public var parameterNames: [String] {
    segments.compactMap { if case .parameter(let name) = $0 { name } else { nil } }
  }
}
