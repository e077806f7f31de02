import Geo

/// Companies, their stores, roles and users.
///
/// It writes what it is given: whether an address is one, or a time zone is known, is decided above.
package struct AccountRepository {
  let database: Database

  package init(database: Database) { self.database = database }

  // MARK: - Companies and stores

  package func addCompany(name: String, at now: Timestamp) throws(DatabaseError) -> Company {
    let id = try database.integer(
      "INSERT INTO companies (name, created_at) VALUES (?, ?) RETURNING id",
      [.text(name), DatabaseValue(now)])
    return Company(id: id, name: name)
  }

  /// All companies in the order in which they were added.
  package func companies() throws(DatabaseError) -> [Company] {
    var companies: [Company] = []
    try database.rows("SELECT id, name FROM companies ORDER BY id") { row throws(DatabaseError) in
      companies.append(Company(id: try row.integer(0), name: try row.text(1)))
    }
    return companies
  }

  package func add(_ store: Store, at now: Timestamp) throws(DatabaseError) {
    try database.run(
      "INSERT INTO stores (type_num, company, name, time_zone, created_at) VALUES (?, ?, ?, ?, ?)",
      [
        .text(store.typeNum), DatabaseValue(store.company), .text(store.name),
        .text(store.timeZone), DatabaseValue(now),
      ])
  }

  /// The store of that `typeNum` in any case of letters.
  package func store(_ typeNum: String) throws(DatabaseError) -> Store? {
    try stores("WHERE type_num = ?", [.text(typeNum)]).first
  }

  /// The stores of a company by their `typeNum`.
  package func stores(of company: Int) throws(DatabaseError) -> [Store] {
    try stores("WHERE company = ? ORDER BY type_num", [DatabaseValue(company)])
  }

  private func stores(
    _ condition: String, _ values: [DatabaseValue]
  ) throws(DatabaseError) -> [Store] {
    var stores: [Store] = []
    try database.rows("SELECT \(storeColumns) FROM stores \(condition)", values) {
      row throws(DatabaseError) in stores.append(try readStore(row, from: 0))
    }
    return stores
  }

  // MARK: - Users

  /// Adds a user who has no password yet.
  ///
  /// `emailKey` is the address as it is looked for: no two users have the same.
  package func addUser(
    company: Int, firstName: String, lastName: String, email: String?, emailKey: String?,
    at now: Timestamp
  ) throws(DatabaseError) -> User {
    let id = try database.integer(
      """
      INSERT INTO users (company, first_name, last_name, email, email_key, created_at)
      VALUES (?, ?, ?, ?, ?, ?) RETURNING id
      """,
      [
        DatabaseValue(company), .text(firstName), .text(lastName), DatabaseValue(email),
        DatabaseValue(emailKey), DatabaseValue(now),
      ])
    return User(
      id: id, company: company, firstName: firstName, lastName: lastName, email: email,
      passwordIsTemporary: false, createdAt: now, disabledAt: nil, deletedAt: nil)
  }

  package func user(_ id: Int) throws(DatabaseError) -> User? {
    try users("WHERE id = ?", [DatabaseValue(id)]).first
  }

  package func user(emailKey: String) throws(DatabaseError) -> User? {
    try users("WHERE email_key = ?", [.text(emailKey)]).first
  }

  /// The users of a company who are not deleted, in the order in which they were added.
  package func users(of company: Int) throws(DatabaseError) -> [User] {
    try users("WHERE company = ? AND deleted_at IS NULL ORDER BY id", [DatabaseValue(company)])
  }

  private func users(
    _ condition: String, _ values: [DatabaseValue]
  ) throws(DatabaseError) -> [User] {
    var users: [User] = []
    try database.rows(
      """
      SELECT id, company, first_name, last_name, email, password_is_temporary, created_at,
        disabled_at, deleted_at
      FROM users \(condition)
      """, values
    ) { row throws(DatabaseError) in
      users.append(
        User(
          id: try row.integer(0), company: try row.integer(1), firstName: try row.text(2),
          lastName: try row.text(3), email: row.textIfAny(4),
          passwordIsTemporary: try row.bool(5), createdAt: try row.timestamp(6),
          disabledAt: row.timestampIfAny(7), deletedAt: row.timestampIfAny(8)))
    }
    return users
  }

  /// The hash of a user's password; nil where the user has none. Secret, and so not a part of `User`.
  package func passwordHash(of user: Int) throws(DatabaseError) -> String? {
    var hash: String?
    try database.rows("SELECT password_hash FROM users WHERE id = ?", [DatabaseValue(user)]) {
      row throws(DatabaseError) in hash = row.textIfAny(0)
    }
    return hash
  }

  package func setPasswordHash(
    _ hash: String, isTemporary: Bool, of user: Int
  ) throws(DatabaseError) {
    try database.run(
      """
      UPDATE users SET password_hash = ?, password_is_temporary = ?
      WHERE id = ? AND deleted_at IS NULL
      """,
      [.text(hash), DatabaseValue(isTemporary), DatabaseValue(user)])
  }

  /// Writes the hash of the same password made anew, unless the password was changed meanwhile.
  package func replacePasswordHash(
    _ old: String, with new: String, of user: Int
  ) throws(DatabaseError) {
    try database.run(
      "UPDATE users SET password_hash = ? WHERE id = ? AND password_hash = ?",
      [.text(new), DatabaseValue(user), .text(old)])
  }

  /// Bars a user from signing in since an instant, or no longer (nil).
  package func setDisabled(since: Timestamp?, user: Int) throws(DatabaseError) {
    try database.run(
      "UPDATE users SET disabled_at = ? WHERE id = ?", [DatabaseValue(since), DatabaseValue(user)])
  }

  /// Erases all that is known of a user but the number, for good.
  package func erase(user: Int, at now: Timestamp) throws(DatabaseError) {
    try database.run(
      """
      UPDATE users SET first_name = '', last_name = '', email = NULL, email_key = NULL,
        password_hash = NULL, deleted_at = ?
      WHERE id = ?
      """, [DatabaseValue(now), DatabaseValue(user)])
  }
}

let storeColumns = "type_num, company, name, time_zone"

/// A store of `storeColumns`, of which the first is column `first`.
func readStore(_ row: DatabaseRow, from first: Int32) throws(DatabaseError) -> Store {
  Store(
    typeNum: try row.text(first), company: try row.integer(first + 1),
    name: try row.text(first + 2), timeZone: try row.text(first + 3))
}
