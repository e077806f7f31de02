/// The last sixteen instants that gave a fix, so that none gives another one.
struct RecentInstants {
  private var milliseconds = SIMD16<Int64>(repeating: -1)
  private var next = 0

  /// Remembers an instant, given as any number that is not negative; false if it is there already.
  mutating func insert(_ instant: Int64) -> Bool {
    if any(milliseconds .== SIMD16(repeating: instant)) { return false }
    milliseconds[next] = instant
    next = (next + 1) % milliseconds.scalarCount
    return true
  }
}
