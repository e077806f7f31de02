import Geo

/// Who works where, as what.
extension AccountRepository {
  package func addRole(
    company: Int, name: String, roleID: Int, isManager: Bool,
    permissions: [Permission: PermissionScope]
  ) throws(DatabaseError) -> Role {
    try database.transaction { () throws(DatabaseError) in
      let id = try database.integer(
        "INSERT INTO roles (company, name, role_id, is_manager) VALUES (?, ?, ?, ?) RETURNING id",
        [DatabaseValue(company), .text(name), DatabaseValue(roleID), DatabaseValue(isManager)])
      for (permission, scope) in permissions {
        try database.run(
          "INSERT INTO role_permissions (role, permission, scope) VALUES (?, ?, ?)",
          [DatabaseValue(id), .text(permission.rawValue), .text(scope.rawValue)])
      }
      return Role(
        id: id, company: company, name: name, roleID: roleID, isManager: isManager,
        permissions: permissions)
    }
  }

  /// The roles of a company by the number that clients know them by.
  package func roles(of company: Int) throws(DatabaseError) -> [Role] {
    var roles: [Role] = []
    try database.rows(
      "SELECT \(roleColumns) FROM roles WHERE company = ? ORDER BY role_id",
      [DatabaseValue(company)]
    ) { row throws(DatabaseError) in roles.append(try readRole(row, from: 0)) }
    return roles
  }

  package func addEmployment(
    user: Int, store: Store, role: Role, employeeID: Int, from: Timestamp, until: Timestamp?
  ) throws(DatabaseError) -> Employment {
    let id = try database.integer(
      """
      INSERT INTO employments (user, store, role, employee_id, valid_from, valid_until)
      VALUES (?, ?, ?, ?, ?, ?) RETURNING id
      """,
      [
        DatabaseValue(user), .text(store.typeNum), DatabaseValue(role.id),
        DatabaseValue(employeeID), DatabaseValue(from), DatabaseValue(until),
      ])
    return Employment(
      id: id, user: user, store: store, role: role, employeeID: employeeID, from: from,
      until: until)
  }

  /// All employments that a user has, had and will have, by store and time.
  package func employments(of user: Int) throws(DatabaseError) -> [Employment] {
    try employments("WHERE e.user = ? ORDER BY e.store, e.valid_from", [DatabaseValue(user)])
  }

  /// Those of one user at one store by time.
  package func employments(
    of user: Int, at typeNum: String
  ) throws(DatabaseError) -> [Employment] {
    try employments(
      "WHERE e.user = ? AND e.store = ? ORDER BY e.valid_from",
      [DatabaseValue(user), .text(typeNum)])
  }

  /// All employments at a store by the person's number there, and time.
  package func employments(at typeNum: String) throws(DatabaseError) -> [Employment] {
    try employments("WHERE e.store = ? ORDER BY e.employee_id, e.valid_from", [.text(typeNum)])
  }

  /// Ends a user's employments at a store, those that have not begun included; returns how many.
  @discardableResult
  package func endEmployments(
    of user: Int, at typeNum: String, now: Timestamp
  ) throws(DatabaseError) -> Int {
    try database.run(
      """
      UPDATE employments SET valid_until = max(?3, valid_from)
      WHERE user = ?1 AND store = ?2 AND (valid_until IS NULL OR valid_until > ?3)
      """, [DatabaseValue(user), .text(typeNum), DatabaseValue(now)])
  }

  private func employments(
    _ condition: String, _ values: [DatabaseValue]
  ) throws(DatabaseError) -> [Employment] {
    var employments: [Employment] = []
    try database.rows(
      """
      SELECT e.id, e.user, e.employee_id, e.valid_from, e.valid_until,
        s.type_num, s.company, s.name, s.time_zone,
        r.id, r.company, r.name, r.role_id, r.is_manager
      FROM employments AS e
      JOIN stores AS s ON s.type_num = e.store
      JOIN roles AS r ON r.id = e.role
      \(condition)
      """, values
    ) { row throws(DatabaseError) in
      employments.append(
        Employment(
          id: try row.integer(0), user: try row.integer(1), store: try readStore(row, from: 5),
          role: try readRole(row, from: 9), employeeID: try row.integer(2),
          from: try row.timestamp(3), until: row.timestampIfAny(4)))
    }
    return employments
  }

  /// A role of `roleColumns`, of which the first is column `first`.
  private func readRole(_ row: DatabaseRow, from first: Int32) throws(DatabaseError) -> Role {
    let id = try row.integer(first)
    var permissions: [Permission: PermissionScope] = [:]
    try database.rows(
      "SELECT permission, scope FROM role_permissions WHERE role = ?", [DatabaseValue(id)]
    ) { row throws(DatabaseError) in
      permissions[try row.choice(0, as: Permission.self)] = try row.choice(
        1, as: PermissionScope.self)
    }
    return Role(
      id: id, company: try row.integer(first + 1), name: try row.text(first + 2),
      roleID: try row.integer(first + 3), isManager: try row.bool(first + 4),
      permissions: permissions)
  }
}

private let roleColumns = "id, company, name, role_id, is_manager"
