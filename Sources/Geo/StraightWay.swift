import Glibc

/// A segment straight in longitude and latitude that goes the short way round, as polygons' edges
/// do; curved on the ground.
struct StraightWay {
  let latitude: Double
  let longitude: Double
  let rise: Double
  let turn: Double

  init(from start: Coordinate, to end: Coordinate) {
    latitude = start.latitude
    longitude = start.longitude
    rise = end.latitude - start.latitude
    turn = foldedLongitudeDifference(end.longitude - start.longitude)
  }

  /// An edge of a ring, whose longitudes may be beyond the antimeridian.
  init(edge index: Int, longitudes: [Double], latitudes: [Double]) {
    latitude = latitudes[index]
    longitude = longitudes[index]
    rise = latitudes[index + 1] - latitudes[index]
    turn = longitudes[index + 1] - longitudes[index]
  }

  /// The point in degrees; its longitude may be beyond the antimeridian.
  func point(at fraction: Double) -> (latitude: Double, longitude: Double) {
    (latitude + fraction * rise, longitude + fraction * turn)
  }

  func earthPoint(at fraction: Double) -> EarthPoint {
    EarthPoint(latitude: latitude + fraction * rise, longitude: longitude + fraction * turn)
  }

  /// A length on the ground that the way does not exceed.
  var longestLength: Double {
    let radians = WGS84.radiansPerDegree
    // The radii of curvature are largest at the poles, where both are a² / b.
    let largest = WGS84.semiMajorAxis * WGS84.semiMajorAxis / WGS84.semiMinorAxis
    let end = latitude + rise
    let nearestEquator = latitude * end <= 0 ? 0 : min(abs(latitude), abs(end))
    return largest * radians * hypot(rise, turn * cos(nearestEquator * radians))
  }

  /// Half the slope by `fraction` of the squared chord to a point.
  private func slope(toward point: EarthPoint, at fraction: Double) -> Double {
    let radians = WGS84.radiansPerDegree
    let phi = (latitude + fraction * rise) * radians
    let lambda = (longitude + fraction * turn) * radians
    let (sinPhi, cosPhi, sinLambda, cosLambda) = (sin(phi), cos(phi), sin(lambda), cos(lambda))
    let w2 = 1 - WGS84.eccentricitySquared * sinPhi * sinPhi
    let transverse = WGS84.semiMajorAxis / w2.squareRoot()
    let meridional = transverse * (1 - WGS84.eccentricitySquared) / w2
    let here = EarthPoint(
      x: transverse * cosPhi * cosLambda, y: transverse * cosPhi * sinLambda,
      z: transverse * (1 - WGS84.eccentricitySquared) * sinPhi)
    let north = meridional * rise * radians
    let east = transverse * cosPhi * turn * radians
    let tangent = EarthPoint(
      x: -north * sinPhi * cosLambda - east * sinLambda,
      y: -north * sinPhi * sinLambda + east * cosLambda, z: north * cosPhi)
    return (here - point).dot(tangent)
  }

  /// Tells the fractions at which the way may be nearest to a point.
  ///
  /// It is searched in pieces of a degree, so that the squared chord has one valley in each.
  func visitNearest(to point: EarthPoint, _ body: (Double) -> Void) {
    let pieces = max(1, max(abs(rise), abs(turn)).rounded(.up))
    var start = 0.0
    var startSlope = slope(toward: point, at: 0)
    if startSlope >= 0 { body(0) }
    for piece in 1...Int(pieces) {
      let end = Double(piece) / pieces
      let endSlope = slope(toward: point, at: end)
      if startSlope < 0, endSlope >= 0 {
        body(root(toward: point, start, startSlope, end, endSlope))
      }
      start = end
      startSlope = endSlope
    }
    if startSlope < 0 { body(1) }
  }

  /// Where the slope is zero between a negative and a positive one: false position, halving the
  /// weight of an end that stays twice (M. Dowell and P. Jarratt, "A modified regula falsi method for
  /// computing the root of an equation", BIT 11, 1971).
  private func root(
    toward point: EarthPoint, _ start: Double, _ startSlope: Double, _ end: Double,
    _ endSlope: Double
  ) -> Double {
    var (low, lowSlope, high, highSlope) = (start, startSlope, end, endSlope)
    var lastWasLow: Bool?
    var middle = low
    // The slope grows by the squared length of the way: this is a tenth of a micrometer along it.
    let enough = 1e-7 * (endSlope - startSlope).squareRoot()
    for _ in 0..<60 {
      middle = (low * highSlope - high * lowSlope) / (highSlope - lowSlope)
      let slope = slope(toward: point, at: middle)
      if abs(slope) <= enough || middle == low || middle == high { break }
      let isLow = slope < 0
      if isLow {
        (low, lowSlope) = (middle, slope)
        if lastWasLow == true { highSlope /= 2 }
      } else {
        (high, highSlope) = (middle, slope)
        if lastWasLow == false { lowSlope /= 2 }
      }
      lastWasLow = isLow
    }
    return middle
  }
}
