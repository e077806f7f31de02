/// The name of a header field: a token of RFC 9110, equal to another whatever the case of its
/// letters.
public struct HTTPHeaderName: Sendable, Hashable, CustomStringConvertible {
  /// The name as it is sent.
  public let text: String

  /// Nil unless every character may stand in a field name.
  public init?(_ text: String) {
    guard !text.isEmpty, text.utf8.allSatisfy(Self.isTokenCharacter) else { return nil }
    self.text = text
  }

  public var description: String { text }

  public static func == (left: HTTPHeaderName, right: HTTPHeaderName) -> Bool {
    left.text.utf8.elementsEqual(right.text.utf8) { lowercased($0) == lowercased($1) }
  }

  public func hash(into hasher: inout Hasher) {
    for byte in text.utf8 { hasher.combine(lowercased(byte)) }
  }

  private static func isTokenCharacter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }
}

extension HTTPHeaderName: ExpressibleByStringLiteral {
  /// Traps on a literal that is no field name.
  public init(stringLiteral text: String) {
    guard let name = HTTPHeaderName(text) else {
      preconditionFailure("\"\(text)\" is not a header field's name")
    }
    self = name
  }
}

extension HTTPHeaderName {
  public static let accept: HTTPHeaderName = "Accept"
  public static let acceptLanguage: HTTPHeaderName = "Accept-Language"
  public static let accessControlAllowHeaders: HTTPHeaderName = "Access-Control-Allow-Headers"
  public static let accessControlAllowMethods: HTTPHeaderName = "Access-Control-Allow-Methods"
  public static let accessControlAllowOrigin: HTTPHeaderName = "Access-Control-Allow-Origin"
  public static let accessControlExposeHeaders: HTTPHeaderName = "Access-Control-Expose-Headers"
  public static let accessControlMaxAge: HTTPHeaderName = "Access-Control-Max-Age"
  public static let accessControlRequestMethod: HTTPHeaderName = "Access-Control-Request-Method"
  public static let allow: HTTPHeaderName = "Allow"
  public static let authorization: HTTPHeaderName = "Authorization"
  public static let cacheControl: HTTPHeaderName = "Cache-Control"
  public static let connection: HTTPHeaderName = "Connection"
  public static let contentDisposition: HTTPHeaderName = "Content-Disposition"
  public static let contentEncoding: HTTPHeaderName = "Content-Encoding"
  public static let contentLength: HTTPHeaderName = "Content-Length"
  public static let contentSecurityPolicy: HTTPHeaderName = "Content-Security-Policy"
  public static let contentType: HTTPHeaderName = "Content-Type"
  public static let eTag: HTTPHeaderName = "ETag"
  public static let expect: HTTPHeaderName = "Expect"
  public static let host: HTTPHeaderName = "Host"
  public static let idempotencyKey: HTTPHeaderName = "Idempotency-Key"
  public static let ifMatch: HTTPHeaderName = "If-Match"
  public static let ifNoneMatch: HTTPHeaderName = "If-None-Match"
  public static let lastEventID: HTTPHeaderName = "Last-Event-ID"
  public static let lastModified: HTTPHeaderName = "Last-Modified"
  public static let location: HTTPHeaderName = "Location"
  public static let origin: HTTPHeaderName = "Origin"
  public static let retryAfter: HTTPHeaderName = "Retry-After"
  public static let strictTransportSecurity: HTTPHeaderName = "Strict-Transport-Security"
  public static let transferEncoding: HTTPHeaderName = "Transfer-Encoding"
  public static let upgrade: HTTPHeaderName = "Upgrade"
  public static let userAgent: HTTPHeaderName = "User-Agent"
  public static let vary: HTTPHeaderName = "Vary"
  public static let wwwAuthenticate: HTTPHeaderName = "WWW-Authenticate"
}

/// The letter in lower case, every other byte as it is.
@inline(__always)
func lowercased(_ byte: UInt8) -> UInt8 {
  byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
}
