import Geo

/// Whose stores and people belong together.
package struct Company: Hashable, Sendable {
  package let id: Int
  package let name: String
}

/// A shop of a company, and the fence around it.
package struct Store: Hashable, Sendable {
  /// The fence's id too; two that differ only in the case of ASCII letters are the same.
  package let typeNum: String
  package let company: Int
  package let name: String
  /// A name of the time-zone database, as `America/Toronto`.
  package let timeZone: String

  package init(typeNum: String, company: Int, name: String, timeZone: String) {
    self.typeNum = typeNum
    self.company = company
    self.name = name
    self.timeZone = timeZone
  }
}

/// A person with an account.
package struct User: Hashable, Sendable {
  /// Never given to another, even after this one is deleted.
  package let id: Int
  package let company: Int
  /// Empty once the user is deleted, as is `lastName`.
  package let firstName: String
  package let lastName: String
  /// As it was entered, and as mail is sent to it; nil where there is none.
  package let email: String?
  /// Whether the password was chosen by somebody else.
  package let passwordIsTemporary: Bool
  package let createdAt: Timestamp
  package let disabledAt: Timestamp?
  package let deletedAt: Timestamp?

  /// Whether this user may sign in at all.
  package var isActive: Bool { disabledAt == nil && deletedAt == nil }
}

/// What may be done; whose records it may be done to is its scope.
package enum Permission: String, CaseIterable, Sendable {
  /// Clocking in and out, and breaks.
  case clock
  case viewSchedule
  case viewHours
  /// Corrections of punches, which anybody may ask for.
  case decideCorrections
  /// Who is at the store now.
  case viewPresence
  case exportPunches
  case viewAudit
  case manageFences
  case manageUsers
}

/// Whose records a permission reaches; each scope reaches those of the ones before it.
package enum PermissionScope: String, CaseIterable, Comparable, Sendable {
  /// The holder of the role alone.
  case own = "self"
  case team
  case store
  case company

  private var reach: Int {
    switch self {
    case .own: 0
    case .team: 1
    case .store: 2
    case .company: 3
    }
  }

  package static func < (a: PermissionScope, b: PermissionScope) -> Bool { a.reach < b.reach }
}

/// What somebody is at a store.
package struct Role: Hashable, Sendable {
  package let id: Int
  package let company: Int
  package let name: String
  /// The company's own number of the role, which clients know it by.
  package let roleID: Int
  package let isManager: Bool
  package let permissions: [Permission: PermissionScope]
}

/// That a user works, or worked, at a store in a role.
package struct Employment: Hashable, Sendable {
  package let id: Int
  package let user: Int
  package let store: Store
  package let role: Role
  /// The store's own number of the person.
  package let employeeID: Int
  package let from: Timestamp
  /// The first instant at which it no longer holds; nil where no end is known.
  package let until: Timestamp?

  package func holds(at now: Timestamp) -> Bool {
    from <= now && until.map { now < $0 } ?? true
  }
}
