/// Which pages of other origins may call, and what they may send and see.
public struct CORSPolicy: Sendable {
  /// Origins as browsers send them, `https://clock.example`; a wildcard is not known.
  public var origins: Set<String>
  public var allowedHeaders: [HTTPHeaderName]
  public var exposedHeaders: [HTTPHeaderName]
  /// How long a browser may remember the answer to a preflight.
  public var maximumAge: Duration

  public init(
    origins: Set<String>,
    allowedHeaders: [HTTPHeaderName] = [.authorization, .contentType, .idempotencyKey],
    exposedHeaders: [HTTPHeaderName] = [.eTag, .retryAfter],
    maximumAge: Duration = .seconds(600)
  ) {
    self.origins = origins
    self.allowedHeaders = allowedHeaders
    self.exposedHeaders = exposedHeaders
    self.maximumAge = maximumAge
  }

  /// Adds what a listed origin's browser needs to hand the answer to its page.
  func mark(_ response: inout HTTPResponse, for requestHeaders: HTTPHeaders) {
    guard !origins.isEmpty else { return }
    response.headers.append(.vary, "Origin")
    guard let origin = requestHeaders[.origin], origins.contains(origin) else { return }
    response.headers[.accessControlAllowOrigin] = origin
    if !exposedHeaders.isEmpty {
      response.headers[.accessControlExposeHeaders] =
        exposedHeaders.map(\.text).joined(separator: ", ")
    }
  }

  /// Adds the answer to a preflight of a listed origin.
  func markPreflight(
    _ response: inout HTTPResponse, for requestHeaders: HTTPHeaders, methods: String
  ) {
    guard requestHeaders.contains(.accessControlRequestMethod),
      let origin = requestHeaders[.origin], origins.contains(origin)
    else { return }
    response.headers[.accessControlAllowMethods] = methods
    response.headers[.accessControlAllowHeaders] =
      allowedHeaders.map(\.text).joined(separator: ", ")
    response.headers[.accessControlMaxAge] = String(maximumAge.components.seconds)
  }
}
