/// A status code of an answer, 200 to 599.
public struct HTTPStatus: Hashable, Sendable, CustomStringConvertible {
  public let code: Int

  /// Traps outside 200 to 599: informational answers are the server's own.
  public init(_ code: Int) {
    precondition((200...599).contains(code), "\(code) is not a status from 200 to 599")
    self.code = code
  }

  public var description: String { String(code) }

  /// Whether an answer of this status never carries a body.
  var forbidsBody: Bool { code == 204 || code == 304 }

  public static let ok = HTTPStatus(200)
  public static let created = HTTPStatus(201)
  public static let accepted = HTTPStatus(202)
  public static let noContent = HTTPStatus(204)
  public static let multiStatus = HTTPStatus(207)
  public static let found = HTTPStatus(302)
  public static let notModified = HTTPStatus(304)
  public static let permanentRedirect = HTTPStatus(308)
  public static let badRequest = HTTPStatus(400)
  public static let unauthorized = HTTPStatus(401)
  public static let forbidden = HTTPStatus(403)
  public static let notFound = HTTPStatus(404)
  public static let methodNotAllowed = HTTPStatus(405)
  public static let notAcceptable = HTTPStatus(406)
  public static let conflict = HTTPStatus(409)
  public static let gone = HTTPStatus(410)
  public static let preconditionFailed = HTTPStatus(412)
  public static let contentTooLarge = HTTPStatus(413)
  public static let targetTooLong = HTTPStatus(414)
  public static let unsupportedMediaType = HTTPStatus(415)
  public static let unprocessableContent = HTTPStatus(422)
  public static let upgradeRequired = HTTPStatus(426)
  public static let preconditionRequired = HTTPStatus(428)
  public static let tooManyRequests = HTTPStatus(429)
  public static let headersTooLarge = HTTPStatus(431)
  public static let internalServerError = HTTPStatus(500)
  public static let notImplemented = HTTPStatus(501)
  public static let serviceUnavailable = HTTPStatus(503)
}
