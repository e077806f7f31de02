import Geo
import Glibc

/// The error of a simulated receiver as it goes on in time, and how large it honestly is.
///
/// The wander is kept as a process of deviation 1 and scaled by what the place allows. So it stays
/// continuous from place to place, and the deviation at any moment is known exactly: that is what
/// the receiver may state.
struct WanderingError: Sendable {
  /// For a round Gaussian of deviation 1 on each axis the radius that holds 68 %: sqrt(-2 ln 0.32).
  static let radiusPerDeviation = 1.509_592_1

  private var wander: SIMD2<Double>
  /// The constellation's own ups and downs, as a normal value that wanders too.
  private var quality: Double
  private var deviation: Double
  private var bias: SIMD2<Double>
  private var whiteShare: Double

  /// One error and the radius that holds 68 % of all that could have been in its place.
  struct Draw {
    var offset: SIMD2<Double>
    var honestRadiusInMeters: Double
  }

  /// A process that has been at a place of such reception for long.
  init(in reception: Reception, random: inout SimulationRandom) {
    wander = random.normalPair()
    quality = random.normalPair().x
    deviation = reception.deviationInMeters
    bias = reception.biasInMeters
    whiteShare = reception.whiteShare
  }

  /// Goes on for some time at a place of such reception.
  mutating func advance(
    bySeconds seconds: Double, in reception: Reception, random: inout SimulationRandom
  ) {
    let settled = 1 - exp(-seconds / reception.settlingSeconds)
    deviation += (reception.deviationInMeters - deviation) * settled
    bias += (reception.biasInMeters - bias) * settled
    whiteShare += (reception.whiteShare - whiteShare) * settled
    let kept = exp(-seconds / reception.correlationSeconds)
    wander = wander * kept + random.normalPair() * (1 - kept * kept).squareRoot()
    // Satellites rise and set: the deviation changes by a seventh within some minutes.
    let keptQuality = exp(-seconds / 240)
    quality =
      quality * keptQuality + random.normalPair().x * (1 - keptQuality * keptQuality).squareRoot()
  }

  /// The error at this moment.
  func draw(random: inout SimulationRandom) -> Draw {
    let now = deviation * (1 + min(max(quality, -2), 2) / 7)
    let noise =
      wander * (1 - whiteShare).squareRoot() + random.normalPair() * whiteShare.squareRoot()
    return Draw(
      offset: bias + noise * now,
      honestRadiusInMeters: WanderingError.radius(
        deviation: now, bias: (bias * bias).sum().squareRoot()))
  }

  /// The radius about the truth that holds 68 % of a round Gaussian around a point `bias` away.
  ///
  /// The squared radius over the squared deviation has a noncentral chi-squared distribution with
  /// two degrees of freedom; this is its quantile by Sankaran's approximation (Biometrika 50, 1963):
  /// a power of the value over its mean is nearly normal. The radius holds 67.8 to 68.1 %.
  static func radius(deviation: Double, bias: Double) -> Double {
    guard deviation > 0 else { return bias }
    let excess = bias * bias / (deviation * deviation)
    let mean = 2 + excess
    let power = 1 - 2 * mean * (2 + 3 * excess) / (3 * (2 + 2 * excess) * (2 + 2 * excess))
    let width = (2 + 2 * excess) / (mean * mean)
    let skew = (power - 1) * (1 - 3 * power)
    let center = 1 + power * width * (power - 1 - (2 - power) * skew * width / 2)
    // 0.4677 deviations above the mean lie 68 % of a normal distribution.
    let step = 0.467_698_8 * power * (2 * width).squareRoot() * (1 + skew * width / 2)
    return deviation * (mean * pow(center + step, 1 / power)).squareRoot()
  }
}

extension Reception {
  fileprivate var deviationInMeters: Double { spread.meters / WanderingError.radiusPerDeviation }

  fileprivate var biasInMeters: SIMD2<Double> {
    guard let biasDirection else { return .zero }
    let angle = biasDirection.degrees * .pi / 180
    return SIMD2(sin(angle), cos(angle)) * bias.meters
  }
}
