import Geo

/// A confirmed change of one subject's presence at one fence.
public struct FenceEvent: Hashable, Sendable {
  public enum Kind: String, Sendable, CaseIterable {
    case entered
    case exited
    case dwelled
    case passed
    case presenceExpired = "presence_expired"
    case presenceResumed = "presence_resumed"
  }

  /// Which rule fired, so that the record can answer why.
  public enum Rule: String, Sendable, CaseIterable {
    /// A subject's first counted fix lay inside.
    case firstFix = "first_fix"
    case twoFixes = "two_fixes"
    case confidentFix = "confident_fix"
    /// A run of fixes beyond the exit buffer, long enough.
    case exitRun = "exit_run"
    case dwell
    /// The straight way between two fixes outside cuts the fence.
    case straightWay = "straight_way"
    /// No fix for so long that presence is unknown.
    case silence
    /// A fix inside, soon enough after a silence.
    case insideAfterSilence = "inside_after_silence"
    case fenceCreated = "fence_created"
    case fenceChanged = "fence_changed"
    case fenceRemoved = "fence_removed"
    /// Another subject took over the device.
    case handedOver = "handed_over"
  }

  /// Why a change came about other than by the subject's moving.
  public enum Cause: String, Sendable, CaseIterable {
    case fenceCreated = "fence_created"
    case fenceChanged = "fence_changed"
    case fenceRemoved = "fence_removed"
    /// The visit was found to have ended in a silence.
    case silent
    case handedOver = "handed_over"
  }

  public var kind: Kind
  public var subject: SubjectID
  public var fence: Fence.ID
  /// Nil only for `passed`, which is no visit.
  public var visit: VisitID?
  /// When it happened: the first fix of the confirming run.
  public var time: Timestamp
  /// When it was certain: the last fix of the confirming run.
  public var confirmedAt: Timestamp
  public var rule: Rule
  /// Whether the subject's first counted fix gave it.
  public var isInitial = false
  /// Whether it was found by a fix that came out of order; never pushed to a person.
  public var isLate = false
  public var cause: Cause?
  /// Where the subject was at `time`, and how far from the fence's center (for polygons: from the
  /// nearest edge, negative inside); nil where no fix stands behind it.
  public var coordinate: Coordinate?
  public var distance: Distance?
  /// For an exit in a silence: the interval in which it must have happened. For `passed`: the
  /// interval in which the straight way was inside.
  public var interval: Interval?

  /// A stretch of time, both ends included.
  public struct Interval: Hashable, Sendable {
    public var start: Timestamp
    public var end: Timestamp
    public init(start: Timestamp, end: Timestamp) {
      self.start = start
      self.end = end
    }
  }

  public init(
    kind: Kind, subject: SubjectID, fence: Fence.ID, visit: VisitID?, time: Timestamp,
    confirmedAt: Timestamp, rule: Rule, isInitial: Bool = false, isLate: Bool = false,
    cause: Cause? = nil, coordinate: Coordinate? = nil, distance: Distance? = nil,
    interval: Interval? = nil
  ) {
    self.kind = kind
    self.subject = subject
    self.fence = fence
    self.visit = visit
    self.time = time
    self.confirmedAt = confirmedAt
    self.rule = rule
    self.isInitial = isInitial
    self.isLate = isLate
    self.cause = cause
    self.coordinate = coordinate
    self.distance = distance
    self.interval = interval
  }
}

extension FenceEvent.Rule {
  /// The rule that judges a single fix because of a change of the fence.
  init(_ cause: FenceEvent.Cause) {
    self =
      switch cause {
      case .fenceCreated: .fenceCreated
      case .fenceChanged: .fenceChanged
      case .fenceRemoved: .fenceRemoved
      case .silent: .silence
      case .handedOver: .handedOver
      }
  }
}
