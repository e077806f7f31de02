/// A direction over ground, clockwise from true north.
public struct Bearing: Hashable, Sendable {
  /// Degrees clockwise from true north, in [0, 360).
  public let degrees: Double

  /// Folds any finite number of degrees into [0, 360); nil where it is not finite.
  public init?(degrees: Double) {
    guard degrees.isFinite else { return nil }
    let folded = degrees.truncatingRemainder(dividingBy: 360)
    let positive = folded < 0 ? folded + 360 : folded
    self.degrees = positive >= 360 ? 0 : positive + 0
  }
}
