import Geo

/// What the engine holds for one subject: its place in the order of time, a held fix, and its
/// presence at the fences that it is in, entering or leaving.
///
/// A fence that it is plainly outside of takes no space. The value is all that must be saved to go
/// on after a restart as if there had been none.
public struct SubjectPresence: Hashable, Sendable {
  /// What is known of a fix once it has been judged.
  public struct CountedFix: Hashable, Sendable {
    public let coordinate: Coordinate
    public let time: Timestamp
    public let accuracy: Distance?

    public init(coordinate: Coordinate, time: Timestamp, accuracy: Distance?) {
      self.coordinate = coordinate
      self.time = time
      self.accuracy = accuracy
    }

    init(_ fix: Fix) {
      self.init(coordinate: fix.coordinate, time: fix.time, accuracy: fix.accuracy)
    }
  }

  /// The last fix that counted; jumps are measured from it.
  public internal(set) var lastCounted: CountedFix?
  /// The last fix that took its place in the order of time, coarse ones included.
  public internal(set) var lastAccepted: CountedFix?
  /// A fix that implied too high a speed, until the next one agrees with it or not.
  public internal(set) var held: Fix?
  /// The revision of the fences by which the subject was judged last.
  var judgedRevision = 0
  var fences: [FencePresence] = []

  public init() {}

  /// Whether the next fix may decide something that this value alone knows of: a run has begun, or a
  /// fix is held.
  public var isUndecided: Bool {
    held != nil || fences.contains { $0.visit == nil || $0.visit?.exitRun != nil }
  }

  /// Presence at one fence, as people are told it.
  public enum State: String, Hashable, Sendable {
    case outside, entering, inside, leaving
    /// A visit is open, but there was no fix for so long that nobody knows.
    case unknown
  }

  /// The state at each fence that the subject is not plainly outside of, with the visit where one is
  /// open.
  public func states(in set: FenceSet) -> [(fence: Fence.ID, state: State, visit: VisitID?)] {
    fences.compactMap { presence in
      guard let entry = set.entry(at: presence.slot) else { return nil }
      return (entry.fence.id, presence.state, presence.visit?.id)
    }
  }
}

/// Presence at one fence that the subject is not plainly outside of.
struct FencePresence: Hashable, Sendable {
  let slot: Int32
  /// The open visit; nil while the subject is entering.
  var visit: Visit?
  /// The first of the counted fixes inside that may become an entry.
  var entryRun: Evidence?

  var state: SubjectPresence.State {
    guard let visit else { return entryRun == nil ? .outside : .entering }
    if visit.lastBeforeSilence != nil { return .unknown }
    return visit.exitRun == nil ? .inside : .leaving
  }
}

/// One open stay in a fence.
struct Visit: Hashable, Sendable {
  let id: VisitID
  let entry: Timestamp
  var hasDwelled = false
  var exitRun: ExitRun?
  /// Set while the visit is suspended: the last fix before the silence.
  var lastBeforeSilence: Timestamp?
  /// Whether the fence was changed while the visit was suspended, so that no fix has been judged by
  /// the change.
  var isChangePending = false
}

/// Fixes beyond the exit buffer that may become an exit.
struct ExitRun: Hashable, Sendable {
  let first: Evidence
  var last: Timestamp
  /// Coarse fixes lengthen a run but do not count in it.
  var countedFixes: Int
}

/// A fix as the evidence of a change.
struct Evidence: Hashable, Sendable {
  let time: Timestamp
  let coordinate: Coordinate
  let distanceInMeters: Double

  init(time: Timestamp, coordinate: Coordinate, distanceInMeters: Double) {
    self.time = time
    self.coordinate = coordinate
    self.distanceInMeters = distanceInMeters
  }

  init(_ fix: Fix, distanceInMeters: Double) {
    self.init(
      time: fix.time, coordinate: fix.coordinate, distanceInMeters: distanceInMeters)
  }
}
