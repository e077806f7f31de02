import Foundation
import Geo
import Persistence

/// What administrators do: each act is done wholly or not at all.
package struct Administration {
  let database: Database
  var accounts: AccountRepository { AccountRepository(database: database) }

  package init(database: Database) { self.database = database }

  package func createCompany(
    name: String, now: Timestamp
  ) throws(AdministrationError) -> Company {
    try act { () throws(AdministrationError) in
      try requireName(name)
      guard try !ask(try accounts.companies()).contains(where: { $0.name == name }) else {
        throw .companyExists(name)
      }
      return try ask(try accounts.addCompany(name: name, at: now))
    }
  }

  /// Creates a store; its fence, of the same id, is drawn apart from it.
  package func createStore(
    typeNum: String, name: String, timeZone: String, company: Int, now: Timestamp
  ) throws(AdministrationError) -> Store {
    try act { () throws(AdministrationError) in
      try requireName(name)
      guard isStoreID(typeNum) else { throw .typeNumInvalid(typeNum) }
      guard TimeZone(identifier: timeZone) != nil else { throw .timeZoneUnknown(timeZone) }
      try requireCompany(company)
      guard try ask(try accounts.store(typeNum)) == nil else { throw .storeExists(typeNum) }
      let store = Store(typeNum: typeNum, company: company, name: name, timeZone: timeZone)
      try ask(try accounts.add(store, at: now))
      return store
    }
  }

  /// Creates a role; `roleID` is the company's own number of it.
  package func createRole(
    name: String, roleID: Int, isManager: Bool, permissions: [Permission: PermissionScope],
    company: Int
  ) throws(AdministrationError) -> Role {
    try act { () throws(AdministrationError) in
      try requireName(name)
      try requireCompany(company)
      guard
        try !ask(try accounts.roles(of: company)).contains(where: {
          $0.name == name || $0.roleID == roleID
        })
      else { throw .roleExists(name) }
      return try ask(
        try accounts.addRole(
          company: company, name: name, roleID: roleID, isManager: isManager,
          permissions: permissions))
    }
  }

  /// Makes a key for a device or a backend, which is told this once and never again.
  ///
  /// With a subject it may speak of that one alone.
  package func createAPIKey(
    name: String, scopes: Set<APIScope>, subject: SubjectID?, company: Int, now: Timestamp,
    using random: inout some RandomNumberGenerator
  ) throws(AdministrationError) -> (key: StoredAPIKey, secret: Secret) {
    let key = APIKey(using: &random)
    let stored = try act { () throws(AdministrationError) in
      try requireName(name)
      guard !scopes.isEmpty else { throw .scopesMissing }
      try requireCompany(company)
      return try ask(
        try APIKeyRepository(database: database).add(
          hash: key.hash, company: company, name: name, scopes: scopes, subject: subject, at: now))
    }
    return (stored, key.text)
  }

  /// Revokes an API key at once; false where there is none of that number that was not.
  package func revokeAPIKey(_ id: Int, now: Timestamp) throws(AdministrationError) -> Bool {
    try ask(try APIKeyRepository(database: database).revoke(id, at: now))
  }

  // MARK: - Shared by the acts

  func act<Value>(
    _ body: () throws(AdministrationError) -> Value
  ) throws(AdministrationError) -> Value {
    try database.transaction(wrapping: AdministrationError.database, body)
  }

  func ask<Value>(
    _ read: @autoclosure () throws(DatabaseError) -> Value
  ) throws(AdministrationError) -> Value {
    do { return try read() } catch { throw .database(error) }
  }

  func requireName(_ name: String) throws(AdministrationError) {
    guard name.contains(where: { !$0.isWhitespace }) else { throw .nameMissing }
  }

  func requireCompany(_ id: Int) throws(AdministrationError) {
    guard try ask(try accounts.companies()).contains(where: { $0.id == id }) else {
      throw .companyUnknown(id)
    }
  }
}

/// Whether an id can stand in a path as it is: RFC 3986's unreserved characters, and no step.
private func isStoreID(_ text: String) -> Bool {
  (1...64).contains(text.utf8.count)
    && text.utf8.contains { $0 != UInt8(ascii: ".") }
    && text.unicodeScalars.allSatisfy { scalar in
      scalar.isASCII
        && (scalar.properties.isAlphabetic || "0123456789-._~".unicodeScalars.contains(scalar))
    }
}
