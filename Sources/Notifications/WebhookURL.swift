/// An address that events can be posted to.
package struct WebhookURL: Hashable, Sendable, CustomStringConvertible {
  package let description: String

  /// Why a text is no such address.
  package enum Problem: Error, Equatable, CustomStringConvertible {
    case malformed
    case schemeNotHTTP
    /// A user and a password would be written to lists and logs.
    case hasCredentials

    package var description: String {
      switch self {
      case .malformed: "not an address: expected one as https://example.org/doorstep"
      case .schemeNotHTTP: "the address must begin with https:// or http://"
      case .hasCredentials:
        "the address must not hold a user or password; requests are known by their signature"
      }
    }
  }

  package init(_ text: String) throws(Problem) {
    guard let url = URLParts(text) else { throw .malformed }
    guard url.scheme == "http" || url.scheme == "https" else { throw .schemeNotHTTP }
    guard url.user == nil, url.password == nil else { throw .hasCredentials }
    description = text
  }
}
