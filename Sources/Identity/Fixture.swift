import Geo
import JSON
import Persistence

/// Companies with their roles, stores and people as one JSON document, for demonstrations and tests.
///
///     {"companies": [{
///       "name": "Example",
///       "roles": [{"name": "buyer", "roleId": 4, "isManager": false, "permissions": {"clock": "self"}}],
///       "stores": [{"typeNum": "ou00", "storeName": "Ottawa Store", "timeZone": "America/Toronto"}],
///       "users": [{
///         "firstName": "Ana", "lastName": "Ruiz", "email": "ana@example.com", "password": "...",
///         "assignments": [{"store": "ou00", "role": "buyer", "employeeId": 456}]}]}]}
///
/// `permissions`, `password`, `assignments` and their `from` and `until` may be absent: an assignment
/// holds from the loading on.
package struct Fixture: Sendable {
  let companies: [Company]

  struct Company: Sendable {
    let name: String
    let roles: [Role]
    let stores: [Store]
    let users: [User]
  }

  struct Role: Sendable {
    let name: String
    let roleID: Int
    let isManager: Bool
    let permissions: [Permission: PermissionScope]
  }

  struct Store: Sendable {
    let typeNum: String
    let name: String
    let timeZone: String
  }

  struct User: Sendable {
    let firstName: String
    let lastName: String
    let email: String
    let password: Secret?
    let assignments: [Assignment]
  }

  struct Assignment: Sendable {
    let store: String
    let role: String
    let employeeID: Int
    let from: Timestamp?
    let until: Timestamp?
  }

  /// What is wrong with a document.
  package enum Problem: Error, Equatable, CustomStringConvertible {
    case syntax(JSONSyntaxError)
    /// The member that is missing or of the wrong kind, as `companies[0].stores[1].typeNum`, and
    /// what it should be.
    case member(path: String, expected: String)

    package var description: String {
      switch self {
      case .syntax(let error): error.description
      case .member(let path, let expected): "\(path) must be \(expected)"
      }
    }
  }

  /// Reads a document; nothing is looked up or written.
  package init(json bytes: [UInt8]) throws(Problem) {
    var parser = JSONParser()
    let root: JSONValue
    do { root = try parser.parse(bytes) } catch { throw .syntax(error) }
    companies = try FixtureReader(value: root, path: "").list("companies", required: true) {
      company throws(Problem) in try Company(company)
    }
  }

  /// Writes all that the document holds, or nothing; each password takes the time of a hash.
  package func load(
    into database: Database, hasher: PasswordHasher, now: Timestamp
  ) throws(AdministrationError) {
    var hashes: [[Secret?]] = []
    for company in companies {
      var ofCompany: [Secret?] = []
      for user in company.users {
        guard let password = user.password else {
          ofCompany.append(nil)
          continue
        }
        ofCompany.append(try Administration.hash(newPassword: password, with: hasher))
      }
      hashes.append(ofCompany)
    }
    let administration = Administration(database: database)
    try administration.act { () throws(AdministrationError) in
      for (company, hashes) in zip(companies, hashes) {
        try company.load(by: administration, passwordHashes: hashes, now: now)
      }
    }
  }
}

extension Fixture.Company {
  fileprivate func load(
    by administration: Administration, passwordHashes: [Secret?], now: Timestamp
  ) throws(AdministrationError) {
    let id = try administration.createCompany(name: name, now: now).id
    for role in roles {
      _ = try administration.createRole(
        name: role.name, roleID: role.roleID, isManager: role.isManager,
        permissions: role.permissions, company: id)
    }
    for store in stores {
      _ = try administration.createStore(
        typeNum: store.typeNum, name: store.name, timeZone: store.timeZone, company: id, now: now)
    }
    for (user, hash) in zip(users, passwordHashes) {
      let userID = try administration.createUser(
        firstName: user.firstName, lastName: user.lastName, email: user.email, company: id,
        now: now
      ).id
      if let hash {
        try administration.setPassword(hash, isTemporary: false, of: userID, now: now)
      }
      for assignment in user.assignments {
        _ = try administration.assign(
          user: userID, to: assignment.store, role: assignment.role,
          employeeID: assignment.employeeID, from: assignment.from ?? now,
          until: assignment.until)
      }
    }
  }
}
