/// Whoever is located: a device, or the employee signed in on it.
///
/// Opaque: sources choose it, and two subjects are the same only where it is equal, byte for byte:
/// a database and a hash know nothing of Unicode's equivalent spellings.
public struct SubjectID: Hashable, Sendable, RawRepresentable, Comparable, CustomStringConvertible {
  public let rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }
  public init(_ rawValue: String) { self.rawValue = rawValue }

  public var description: String { rawValue }

  public static func == (a: SubjectID, b: SubjectID) -> Bool {
    a.rawValue.utf8.elementsEqual(b.rawValue.utf8)
  }
  public static func < (a: SubjectID, b: SubjectID) -> Bool {
    a.rawValue.utf8.lexicographicallyPrecedes(b.rawValue.utf8)
  }
  public func hash(into hasher: inout Hasher) { hasher.combine(utf8Of: rawValue) }
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

extension Hasher {
  /// Feeds a text's bytes, and their end.
  public mutating func combine(utf8Of text: String) {
    var text = text
    text.withUTF8 { combine(bytes: UnsafeRawBufferPointer($0)) }
    combine(UInt8(0xff))
  }
}
