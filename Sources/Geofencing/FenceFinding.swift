import Geo

/// Something that a person who keeps fences should look at.
public struct FenceFinding: Hashable, Sendable {
  public let severity: Severity
  public let kind: Kind
  /// The fence that it is about; nil where a file gave none.
  public let fence: Fence.ID?
  /// The other fence, of a pair.
  public let other: Fence.ID?
  /// What is wrong and what to do.
  public let message: String

  public enum Severity: String, Sendable, Comparable {
    /// Decisions may surprise.
    case warning
    /// Decisions will be wrong, or the fence cannot be used.
    case error

    public static func < (a: Severity, b: Severity) -> Bool { a == .warning && b == .error }
  }

  /// What was found; the raw value is what scripts see.
  public enum Kind: String, Sendable, CaseIterable {
    /// A problem of the file, so there is no such fence.
    case unreadable
    case smallRadius = "small_radius"
    case hugeRadius = "huge_radius"
    case looksSwapped = "looks_swapped"
    case duplicateID = "duplicate_id"
    case duplicatePlace = "duplicate_place"
    case nullIsland = "null_island"
    case overlap
    /// There are so many overlaps that the search for more was ended.
    case overlapsUnfinished = "overlaps_unfinished"
    case invalidRing = "invalid_ring"
    case clockwiseRing = "clockwise_ring"
    case unknownTimeZone = "unknown_time_zone"
    case settingOutOfRange = "setting_out_of_range"
  }

  init(
    _ severity: Severity, _ kind: Kind, _ fence: Fence.ID?, other: Fence.ID? = nil,
    _ message: String
  ) {
    self.severity = severity
    self.kind = kind
    self.fence = fence
    self.other = other
    self.message = message
  }
}

extension FenceFinding: CustomStringConvertible {
  /// The finding on one line.
  public var description: String {
    "\(severity.rawValue): " + (fence.map { "\($0): " } ?? "") + message
  }
}
