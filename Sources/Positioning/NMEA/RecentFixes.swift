import Geo

/// The last sixteen fixes, so that none is given twice.
///
/// Receivers with a crowded line send the sentences of neighboring measurements in a mixed order.
/// What tells of a measurement again adds nothing; another place at the same time is of another
/// receiver, or another recording, and is a fix of its own.
struct RecentFixes {
  /// Closer than a meter is the same place in another sentence's digits.
  private static let sameDegrees = 1e-5

  private var milliseconds = SIMD16<Int64>(repeating: -1)
  private var latitudes = SIMD16<Double>()
  private var longitudes = SIMD16<Double>()
  private var next = 0

  /// Remembers a fix; false if it is there already.
  mutating func insert(_ fix: Fix) -> Bool {
    let latitude = fix.coordinate.latitude
    let longitude = fix.coordinate.longitude
    let isSameTime = milliseconds .== SIMD16(repeating: fix.time.millisecondsSince1970)
    if any(isSameTime) {
      for index in 0..<milliseconds.scalarCount where isSameTime[index] {
        if abs(latitudes[index] - latitude) <= RecentFixes.sameDegrees,
          abs(longitudes[index] - longitude) <= RecentFixes.sameDegrees
        {
          return false
        }
      }
    }
    milliseconds[next] = fix.time.millisecondsSince1970
    latitudes[next] = latitude
    longitudes[next] = longitude
    next = (next + 1) % milliseconds.scalarCount
    return true
  }
}
