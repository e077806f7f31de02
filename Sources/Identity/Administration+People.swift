import Geo
import Persistence

/// Users, their passwords, and where they work.
extension Administration {
  /// The least that NIST SP 800-63B asks of a password that a person chooses.
  package static let minimumPasswordCharacters = 8

  /// Creates a user, who cannot sign in before a password is set.
  package func createUser(
    firstName: String, lastName: String, email: String, company: Int, now: Timestamp
  ) throws(AdministrationError) -> User {
    try act { () throws(AdministrationError) in
      try requireName(firstName)
      try requireCompany(company)
      guard let address = EmailAddress(email) else { throw .emailInvalid }
      guard try ask(try accounts.user(emailKey: address.key)) == nil else { throw .emailTaken }
      return try ask(
        try accounts.addUser(
          company: company, firstName: firstName, lastName: lastName, email: address.entered,
          emailKey: address.key, at: now))
    }
  }

  /// The hash of a password that is good enough; slow, and needs no database.
  package static func hash(
    newPassword: Secret, with hasher: PasswordHasher
  ) throws(AdministrationError) -> Secret {
    let password = newPassword.revealed
    guard password.count >= minimumPasswordCharacters else {
      throw .passwordTooShort(minimum: minimumPasswordCharacters)
    }
    guard password.utf8.count <= PasswordHasher.maximumBytes else {
      throw .passwordTooLong(maximumBytes: PasswordHasher.maximumBytes)
    }
    do { return try hasher.hash(newPassword) } catch { throw .hashing(error) }
  }

  /// Sets a password by its hash, and ends the user's sessions.
  ///
  /// A temporary one is to be changed by the user at once.
  package func setPassword(
    _ hash: Secret, isTemporary: Bool, of user: Int, now: Timestamp
  ) throws(AdministrationError) {
    try act { () throws(AdministrationError) in
      try requireUser(user)
      try ask(
        try accounts.setPasswordHash(hash.revealed, isTemporary: isTemporary, of: user))
      _ = try ask(
        try SessionRepository(database: database).endAll(
          of: user, reason: .passwordChanged, at: now))
    }
  }

  /// Bars a user from signing in and ends their sessions.
  package func disableUser(_ user: Int, now: Timestamp) throws(AdministrationError) {
    try act { () throws(AdministrationError) in
      try requireUser(user)
      try ask(try accounts.setDisabled(since: now, user: user))
      _ = try ask(
        try SessionRepository(database: database).endAll(of: user, reason: .revoked, at: now))
    }
  }

  /// Lets a user sign in again who was disabled.
  package func enableUser(_ user: Int) throws(AdministrationError) {
    try act { () throws(AdministrationError) in
      try requireUser(user)
      try ask(try accounts.setDisabled(since: nil, user: user))
    }
  }

  /// Erases a user but for the number, which punches name, and ends their work and their sessions.
  package func deleteUser(_ user: Int, now: Timestamp) throws(AdministrationError) {
    try act { () throws(AdministrationError) in
      try requireUser(user)
      for store in Set(try ask(try accounts.employments(of: user)).map(\.store.typeNum)) {
        _ = try ask(try accounts.endEmployments(of: user, at: store, now: now))
      }
      _ = try ask(
        try SessionRepository(database: database).endAll(
          of: user, reason: .accountDeleted, at: now))
      try ask(try accounts.erase(user: user, at: now))
    }
  }

  /// Lets a user work at a store in a role, from an instant on.
  package func assign(
    user: Int, to typeNum: String, role name: String, employeeID: Int, from: Timestamp,
    until: Timestamp? = nil
  ) throws(AdministrationError) -> Employment {
    try act { () throws(AdministrationError) in
      let person = try requireUser(user)
      guard let store = try ask(try accounts.store(typeNum)) else { throw .storeUnknown(typeNum) }
      guard store.company == person.company else { throw .otherCompany }
      let roles = try ask(try accounts.roles(of: store.company))
      guard let role = roles.first(where: { $0.name == name }) else { throw .roleUnknown(name) }
      if let until, until <= from { throw .endsBeforeItBegins }
      for other in try ask(try accounts.employments(at: store.typeNum)) {
        if other.employeeID == employeeID, other.user != user { throw .employeeIDTaken(employeeID) }
        let overlaps =
          other.from < until ?? .latest && from < other.until ?? .latest
          && other.until != other.from
        if other.user == user, overlaps { throw .alreadyEmployed }
      }
      return try ask(
        try accounts.addEmployment(
          user: user, store: store, role: role, employeeID: employeeID, from: from, until: until))
    }
  }

  /// Ends a user's work at a store at once; false where there was none to end.
  package func revoke(
    user: Int, from typeNum: String, now: Timestamp
  ) throws(AdministrationError) -> Bool {
    try act { () throws(AdministrationError) in
      try requireUser(user)
      return try ask(try accounts.endEmployments(of: user, at: typeNum, now: now)) > 0
    }
  }

  @discardableResult
  private func requireUser(_ id: Int) throws(AdministrationError) -> User {
    guard let user = try ask(try accounts.user(id)), user.deletedAt == nil else {
      throw .userUnknown(id)
    }
    return user
  }
}
