import Glibc

/// The simulator's own source of chance: the same numbers for a seed wherever it runs.
///
/// SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014): one
/// addition and a mix a number, every seed as good as another.
struct SimulationRandom: RandomNumberGenerator, Sendable {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  /// Uniform in [-1, 1), in steps of 2^-52.
  private mutating func centered() -> Double {
    Double(next() >> 11) * 0x1p-52 - 1
  }

  /// Two independent normal values of mean 0 and deviation 1, by Marsaglia's polar method (1964).
  mutating func normalPair() -> SIMD2<Double> {
    while true {
      let point = SIMD2(centered(), centered())
      let square = (point * point).sum()
      if square > 0, square < 1 { return point * (-2 * log(square) / square).squareRoot() }
    }
  }
}
