import Geo

/// Every number by which the engine decides; each default is the documented one.
///
/// What a fence sets for itself (exit buffer, dwell, passing, least confidence) is in
/// `Fence.Settings`.
public struct EngineSettings: Hashable, Sendable {
  /// A fix of a worse accuracy is coarse: it takes part in exit runs only. A fix of unknown
  /// accuracy is taken to be this good.
  public var coarseAccuracy: Distance = .meters(100)
  /// Up to this accuracy a coarse fix counts in an exit run as if it were `coarseAccuracy`; beyond,
  /// with the whole of its own.
  public var wholeAccuracy: Distance = .meters(200)
  /// The probability of being inside at which one fix is enough to enter.
  public var entryConfidence = 0.95
  /// How many counted fixes an exit needs.
  public var exitFixCount = 2
  /// How long an exit run lasts at least, from its first fix to its last.
  public var exitRunMilliseconds: Int64 = 15_000
  /// More than this, once both accuracies are subtracted, is no movement but a jump.
  public var plausibleSpeed: Speed = .metersPerSecond(70)
  /// So long without a fix makes presence unknown.
  public var silenceMilliseconds: Int64 = 30 * 60_000
  /// A fix inside at most so long after the last one before a silence resumes the visit.
  public var resumptionMilliseconds: Int64 = 4 * 3_600_000
  /// Two fixes at most so far apart can show that a fence was passed between them.
  public var passingMilliseconds: Int64 = 120_000
  /// A changed fence is judged at once for subjects whose last counted fix is at most so old.
  public var freshMilliseconds: Int64 = 120_000
  /// A fix is eligible up to this age.
  public var eligibleAgeSeconds = 120.0
  /// A fix may be ahead of the receiver's clock by so much.
  public var futureToleranceMilliseconds: Int64 = 60_000
  /// A repaired date may leave a fix so old; an older one is taken as it was reported.
  public var plausibleAgeMilliseconds: Int64 = 2 * 86_400_000
  /// Both coordinates this close to zero, in degrees, name no place but a receiver's default.
  public var nullIslandDegrees = 0.001
  /// Whether simulated fixes count: for tests and demonstrations.
  public var allowsSimulated = false

  public init() {}
}
