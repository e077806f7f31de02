/// Whoever is located: a device, or the employee signed in on it.
///
/// Opaque: sources choose it, and two subjects are the same only where it is equal.
public struct SubjectID: Hashable, Sendable, RawRepresentable, Comparable, CustomStringConvertible {
  public let rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }
  public init(_ rawValue: String) { self.rawValue = rawValue }

  public var description: String { rawValue }
  public static func < (a: SubjectID, b: SubjectID) -> Bool { a.rawValue < b.rawValue }
}

/// A fix and whose it is.
public struct SubjectFix: Hashable, Sendable {
  public let subject: SubjectID
  public let fix: Fix

  public init(subject: SubjectID, fix: Fix) {
    self.subject = subject
    self.fix = fix
  }
}
