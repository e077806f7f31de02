import Geo
import JSON
import Persistence

/// A value of a fixture and where it stands, for errors that say so.
struct FixtureReader {
  let value: JSONValue
  let path: String

  private func member<Value>(
    _ name: String, _ expected: String, _ read: (JSONValue) -> Value?
  ) throws(Fixture.Problem) -> Value {
    guard let result = try optional(name, expected, read) else {
      throw .member(path: path(of: name), expected: expected)
    }
    return result
  }

  /// Nil where the member is absent or null.
  private func optional<Value>(
    _ name: String, _ expected: String, _ read: (JSONValue) -> Value?
  ) throws(Fixture.Problem) -> Value? {
    guard let member = value.member(named: name), !member.isNull else { return nil }
    guard let result = read(member) else {
      throw .member(path: path(of: name), expected: expected)
    }
    return result
  }

  func text(_ name: String) throws(Fixture.Problem) -> String {
    try member(name, "a string") { $0.string }
  }

  func textIfAny(_ name: String) throws(Fixture.Problem) -> String? {
    try optional(name, "a string") { $0.string }
  }

  func integer(_ name: String) throws(Fixture.Problem) -> Int {
    try member(name, "a whole number") { $0.int64.map { Int($0) } }
  }

  func bool(_ name: String) throws(Fixture.Problem) -> Bool {
    try member(name, "true or false") { $0.bool }
  }

  func timestampIfAny(_ name: String) throws(Fixture.Problem) -> Timestamp? {
    try optional(name, "an instant as 2026-03-01T09:00:00Z") { value in
      value.string.flatMap { try? Timestamp(iso8601: $0) }
    }
  }

  /// The permissions of a role by their names.
  func permissions(_ name: String) throws(Fixture.Problem) -> [Permission: PermissionScope] {
    guard let object = value.member(named: name), !object.isNull else { return [:] }
    let scopes = PermissionScope.allCases.map(\.rawValue).joined(separator: ", ")
    let names = Permission.allCases.map(\.rawValue).joined(separator: ", ")
    guard object.kind == .object else {
      throw .member(path: path(of: name), expected: "an object")
    }
    var permissions: [Permission: PermissionScope] = [:]
    for member in object.members {
      guard let permission = Permission(rawValue: member.name) else {
        throw .member(path: "\(path(of: name)).\(member.name)", expected: "one of \(names)")
      }
      guard let scope = member.value.string.flatMap(PermissionScope.init(rawValue:)) else {
        throw .member(path: "\(path(of: name)).\(member.name)", expected: "one of \(scopes)")
      }
      permissions[permission] = scope
    }
    return permissions
  }

  /// What `read` makes of each element of an array; an absent one is empty where it is not required.
  func list<Element>(
    _ name: String, required: Bool = false,
    _ read: (FixtureReader) throws(Fixture.Problem) -> Element
  ) throws(Fixture.Problem) -> [Element] {
    guard let array = value.member(named: name), array.kind == .array else {
      guard !required, value.member(named: name) == nil else {
        throw .member(path: path(of: name), expected: "an array")
      }
      return []
    }
    var elements: [Element] = []
    for (index, element) in array.elements.enumerated() {
      elements.append(
        try read(FixtureReader(value: element, path: "\(path(of: name))[\(index)]")))
    }
    return elements
  }

  private func path(of name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }
}

extension Fixture.Company {
  init(_ reader: FixtureReader) throws(Fixture.Problem) {
    self.init(
      name: try reader.text("name"),
      roles: try reader.list("roles") { role throws(Fixture.Problem) in
        Fixture.Role(
          name: try role.text("name"), roleID: try role.integer("roleId"),
          isManager: try role.bool("isManager"), permissions: try role.permissions("permissions"))
      },
      stores: try reader.list("stores") { store throws(Fixture.Problem) in
        Fixture.Store(
          typeNum: try store.text("typeNum"), name: try store.text("storeName"),
          timeZone: try store.text("timeZone"))
      },
      users: try reader.list("users") { user throws(Fixture.Problem) in
        Fixture.User(
          firstName: try user.text("firstName"), lastName: try user.text("lastName"),
          email: try user.text("email"),
          password: try user.textIfAny("password").map { Secret($0) },
          assignments: try user.list("assignments") { assignment throws(Fixture.Problem) in
            Fixture.Assignment(
              store: try assignment.text("store"), role: try assignment.text("role"),
              employeeID: try assignment.integer("employeeId"),
              from: try assignment.timestampIfAny("from"),
              until: try assignment.timestampIfAny("until"))
          })
      })
  }
}
