import JSON

/// Why a request was not answered as asked: a code to program against, a message for the log, and
/// details. Its body is `{"error": {"code", "message", "details"}}`.
public struct APIError: Error, Sendable {
  /// What programs tell apart; the raw value is what they see.
  public enum Code: String, Sendable, CaseIterable {
    case validationError = "VALIDATION_ERROR"
    case invalidCredentials = "INVALID_CREDENTIALS"
    case tokenExpired = "TOKEN_EXPIRED"
    case unauthorized = "UNAUTHORIZED"
    case challengeFailed = "CHALLENGE_FAILED"
    case forbidden = "FORBIDDEN"
    case storeAccessRevoked = "STORE_ACCESS_REVOKED"
    case outsideGeofence = "OUTSIDE_GEOFENCE"
    case reauthRequired = "REAUTH_REQUIRED"
    case secondFactorRequired = "SECOND_FACTOR_REQUIRED"
    case notFound = "NOT_FOUND"
    case methodNotAllowed = "METHOD_NOT_ALLOWED"
    case conflict = "CONFLICT"
    case duplicatePunch = "DUPLICATE_PUNCH"
    case accountExists = "ACCOUNT_EXISTS"
    case resetCodeInvalid = "RESET_CODE_INVALID"
    case payloadTooLarge = "PAYLOAD_TOO_LARGE"
    case unsupportedMediaType = "UNSUPPORTED_MEDIA_TYPE"
    case idempotencyMismatch = "IDEMPOTENCY_MISMATCH"
    case upgradeRequired = "UPGRADE_REQUIRED"
    case rateLimited = "RATE_LIMITED"
    case internalError = "INTERNAL_ERROR"
    case unavailable = "UNAVAILABLE"
  }

  public let code: Code
  public let message: String
  /// Writes the members of `details`; nil where there are none.
  public let details: (@Sendable (inout JSONWriter) -> Void)?

  public init(
    _ code: Code, _ message: String,
    details: (@Sendable (inout JSONWriter) -> Void)? = nil
  ) {
    self.code = code
    self.message = message
    self.details = details
  }

  /// Writes the whole body.
  public func write(to json: inout JSONWriter) {
    json.object { json in
      json.name("error")
      json.object { json in
        json.member("code", code.rawValue)
        json.member("message", message)
        if let details {
          json.name("details")
          json.object { details(&$0) }
        }
      }
    }
  }
}
