import Persistence

/// Why an administrator's wish was not fulfilled; nothing of it was kept.
package enum AdministrationError: Error, Equatable, CustomStringConvertible {
  case nameMissing
  case companyExists(String)
  case companyUnknown(Int)
  case storeExists(String)
  case storeUnknown(String)
  /// Ids of stores stand in paths.
  case typeNumInvalid(String)
  case timeZoneUnknown(String)
  case roleExists(String)
  case roleUnknown(String)
  case userUnknown(Int)
  case emailInvalid
  case emailTaken
  case passwordTooShort(minimum: Int)
  case passwordTooLong(maximumBytes: Int)
  /// The store, the role and the user are not all of one company.
  case otherCompany
  /// The user already works at the store in that time.
  case alreadyEmployed
  case employeeIDTaken(Int)
  case endsBeforeItBegins
  case scopesMissing
  case hashing(PasswordHasher.Failure)
  case database(DatabaseError)

  package var description: String {
    switch self {
    case .nameMissing: "a name is needed"
    case .companyExists(let name): "there is a company '\(name)' already"
    case .companyUnknown(let id): "there is no company \(id); create it first"
    case .storeExists(let id): "there is a store '\(id)' already"
    case .storeUnknown(let id): "there is no store '\(id)'; create it first"
    case .typeNumInvalid(let id):
      "'\(id)' is no id of a store: up to 64 letters, digits, '-', '.', '_' and '~', and not dots "
        + "alone"
    case .timeZoneUnknown(let name):
      "there is no time zone '\(name)'; write it as 'America/Toronto'"
    case .roleExists(let name): "the company has a role '\(name)', or that number, already"
    case .roleUnknown(let name): "the company has no role '\(name)'; create it first"
    case .userUnknown(let id): "there is no user \(id)"
    case .emailInvalid: "the e-mail address is none; write it as 'name@example.com'"
    case .emailTaken: "the e-mail address belongs to another user"
    case .passwordTooShort(let minimum): "the password needs at least \(minimum) characters"
    case .passwordTooLong(let maximum): "the password may have at most \(maximum) bytes"
    case .otherCompany: "the store, the role and the user must be of one company"
    case .alreadyEmployed: "the user works at that store in that time already"
    case .employeeIDTaken(let id): "employee \(id) of that store is another user"
    case .endsBeforeItBegins: "the end must come after the beginning"
    case .scopesMissing: "an API key needs at least one scope"
    case .hashing(let failure): failure.description
    case .database(let error): error.description
    }
  }
}
