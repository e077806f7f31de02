import Geo

/// How well a receiver hears its satellites somewhere, and so how its error behaves there.
///
/// The error is a bias (signals that arrive by way of a wall are late in the same sense for minutes)
/// plus a slow wander (a first-order Gauss-Markov process on each axis) plus white noise.
public struct Reception: Hashable, Sendable {
  /// The radius that holds 68 % of the errors about the bias.
  public var spread: Distance
  /// How far the positions lie from the truth on average.
  public var bias: Distance
  /// To which side of the truth they lie; nil where there is no bias.
  public var biasDirection: Bearing?
  /// The time in which the wander forgets itself by a factor of e.
  public var correlationSeconds: Double
  /// The part of the variance about the bias that is white, in 0...1.
  public var whiteShare: Double
  /// The time in which a receiver that comes from elsewhere takes on this behavior by a factor of e.
  public var settlingSeconds: Double

  public init(
    spread: Distance, bias: Distance = .zero, biasDirection: Bearing? = nil,
    correlationSeconds: Double, whiteShare: Double, settlingSeconds: Double
  ) {
    self.spread = spread
    self.bias = bias
    self.biasDirection = biasDirection
    self.correlationSeconds = correlationSeconds
    self.whiteShare = whiteShare
    self.settlingSeconds = settlingSeconds
  }

  /// A clear view of the sky: 4 m.
  public static let openSky = Reception(
    spread: .meters(4), correlationSeconds: 60, whiteShare: 0.1, settlingSeconds: 8)

  /// A street between buildings, whose echoes push the position to one side.
  public static func besideBuildings(
    bias: Distance = .meters(15), toward direction: Bearing?
  ) -> Reception {
    Reception(
      spread: .meters(14), bias: bias, biasDirection: direction, correlationSeconds: 180,
      whiteShare: 0.05, settlingSeconds: 15)
  }

  /// Under a roof, where the position drifts for minutes on the little that comes through.
  public static let indoors = Reception(
    spread: .meters(35), correlationSeconds: 400, whiteShare: 0.02, settlingSeconds: 90)
}
