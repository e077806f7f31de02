/// A request as a handler sees it: values only, whole, and valid at the level of HTTP.
public struct HTTPRequest: Sendable {
  /// HEAD stays HEAD, though a route for GET answers it.
  public let method: HTTPMethod
  /// Path and query as the client sent them, percent-encoded.
  public let target: String
  public var headers: HTTPHeaders
  /// The whole body; empty for a route that reads its body as a stream.
  public var body: [UInt8]
  /// The peer's address in numbers, without a port.
  public let remoteAddress: String
  /// Whether it came over TLS.
  public let isSecure: Bool
  /// What the pattern's parameters stood for, in their order, decoded.
  var parameters: [String] = []
  var parameterNames: [String] = []

  public init(
    method: HTTPMethod, target: String, headers: HTTPHeaders = HTTPHeaders(), body: [UInt8] = [],
    remoteAddress: String = "127.0.0.1", isSecure: Bool = false
  ) {
    self.method = method
    self.target = target
    self.headers = headers
    self.body = body
    self.remoteAddress = remoteAddress
    self.isSecure = isSecure
  }

  /// What stands in the path for a `{name}` of the route's pattern, decoded and never empty.
  ///
  /// Traps when the route's pattern has no such parameter.
  public func parameter(_ name: String) -> String {
    guard let index = parameterNames.firstIndex(of: name) else {
      preconditionFailure("The route of \(target) has no parameter {\(name)}: \(parameterNames)")
    }
    return parameters[index]
  }

  /// The path as the client sent it, without the query.
  public var path: Substring {
    target[..<(target.utf8.firstIndex(of: UInt8(ascii: "?")) ?? target.endIndex)]
  }

  /// The path's segments, decoded. A slash that was encoded is part of its segment.
  public var pathSegments: [String] {
    path.utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      .map { PercentEncoding.decodedString($0) ?? "" }
  }

  /// The query as the client sent it, without the question mark.
  public var query: Substring? {
    guard let mark = target.utf8.firstIndex(of: UInt8(ascii: "?")) else { return nil }
    return target[target.utf8.index(after: mark)...]
  }

  /// Names and values of the query in order, decoded; a plus sign is a space.
  public var queryItems: [(name: String, value: String)] {
    guard let query else { return [] }
    return query.utf8.split(separator: UInt8(ascii: "&")).map { item in
      let parts = item.split(
        separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      return (
        name: PercentEncoding.decodedString(parts[0], plusIsSpace: true) ?? "",
        value: parts.count < 2
          ? "" : PercentEncoding.decodedString(parts[1], plusIsSpace: true) ?? ""
      )
    }
  }

  /// The first value of a query item.
  public func queryValue(_ name: String) -> String? {
    queryItems.first { $0.name == name }?.value
  }

  /// The media type of the body in lower case, without its parameters.
  public var mediaType: String? {
    guard let type = headers[.contentType] else { return nil }
    let essence = type.utf8.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: " ") }
    return essence.isEmpty ? nil : String(decoding: essence.map(lowercased), as: UTF8.self)
  }
}
