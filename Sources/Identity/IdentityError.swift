import Persistence

/// Why somebody is not let in, in the codes of the service's interface.
package enum IdentityError: Error, Equatable, CustomStringConvertible {
  /// Wrong password, no such account, no password, disabled: nobody is told which.
  case invalidCredentials
  /// Too many attempts; the seconds until the next may be made, at least 1.
  case rateLimited(retryAfterSeconds: Int)
  /// The access token has expired; a refresh gives another.
  case tokenExpired
  /// No valid credential; with a reason where it once was one.
  case unauthorized(Reason?)
  /// The credential is valid, and does not open this.
  case forbidden
  /// The user worked at this store and does no longer.
  case storeAccessRevoked
  case hashing(PasswordHasher.Failure)
  case database(DatabaseError)

  /// Why a credential that once was valid is no longer.
  package enum Reason: String, Sendable {
    case revoked
    case expired
    case accountDeleted
    case reuseDetected
  }

  package var description: String {
    switch self {
    case .invalidCredentials: "the e-mail address or the password is wrong"
    case .rateLimited(let seconds): "too many attempts to sign in; try again in \(seconds) s"
    case .tokenExpired: "the access token has expired; refresh it"
    case .unauthorized(nil): "a valid credential is needed; sign in"
    case .unauthorized(.revoked): "the session was ended; sign in again"
    case .unauthorized(.expired): "the session has expired; sign in again"
    case .unauthorized(.accountDeleted): "the account was deleted"
    case .unauthorized(.reuseDetected):
      "a refresh token was used twice, so the session was ended; sign in again"
    case .forbidden: "this credential does not allow it; ask an administrator"
    case .storeAccessRevoked: "the access to this store has ended; sign in again"
    case .hashing(let failure): failure.description
    case .database(let error): error.description
    }
  }
}

extension Database {
  /// Runs a transaction that may come to a refusal; what it wrote is kept even then, and undone only
  /// where the database fails.
  func decide<Value>(
    _ body: () throws(DatabaseError) -> Result<Value, IdentityError>
  ) throws(IdentityError) -> Value {
    let result: Result<Value, IdentityError>
    do { result = try transaction(body) } catch { throw .database(error) }
    return try result.get()
  }
}

/// What a read gives, its failure as one of identity.
func stored<Value>(
  _ read: @autoclosure () throws(DatabaseError) -> Value
) throws(IdentityError) -> Value {
  do { return try read() } catch { throw .database(error) }
}
