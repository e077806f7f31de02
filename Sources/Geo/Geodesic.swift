import Glibc

// The geodesic of WGS 84 for pairs of any distance, by T. Vincenty, "Direct and inverse solutions of
// geodesics on the ellipsoid with application of nested equations", Survey Review 23 (1975): the
// points go to a sphere by their reduced latitudes, an iteration finds the difference of longitude
// there, a series turns the arc into meters. It is right to 0.1 mm where it converges.
//
// It does not converge for points that are nearly opposite each other. There the geodesic is the
// shorter of ways over a point on the circle halfway, each half of which is an easy case; so the
// minimum over that circle is sought.

/// A shortest way on the ellipsoid.
struct Geodesic {
  let lengthInMeters: Double
  /// The direction of departure, radians clockwise from north.
  let azimuth: Double

  /// The geodesic between two points in degrees, in range; symmetric to the last bit in length.
  static func between(
    latitude latitude1: Double, longitude longitude1: Double, _ latitude2: Double,
    _ longitude2: Double
  ) -> Geodesic {
    let difference = foldedLongitudeDifference(longitude2 - longitude1)
    // One order of two points has one answer: begin in the north, go east.
    if latitude1 < latitude2 {
      let back = eastward(latitude2, latitude1, abs(difference))
      return Geodesic(
        lengthInMeters: back.length, azimuth: turned(back.arrival + .pi, west: difference > 0))
    }
    let there = eastward(latitude1, latitude2, abs(difference))
    return Geodesic(
      lengthInMeters: there.length, azimuth: turned(there.departure, west: difference < 0))
  }

  private static func turned(_ azimuth: Double, west: Bool) -> Double { west ? -azimuth : azimuth }

  private typealias Way = (length: Double, departure: Double, arrival: Double)

  private static func eastward(
    _ latitude1: Double, _ latitude2: Double, _ difference: Double
  ) -> Way {
    let radians = WGS84.radiansPerDegree
    return vincenty(latitude1 * radians, latitude2 * radians, difference * radians)
      ?? overMiddle(latitude1 * radians, latitude2 * radians, difference * radians)
  }

  /// Vincenty's inverse solution, in radians; nil where the iteration does not converge.
  private static func vincenty(_ phi1: Double, _ phi2: Double, _ difference: Double) -> Way? {
    let f = WGS84.flattening
    let (sinU1, cosU1) = reduced(phi1)
    let (sinU2, cosU2) = reduced(phi2)
    var lambda = difference
    for _ in 0..<50 {
      let sinLambda = sin(lambda)
      let cosLambda = cos(lambda)
      let across = cosU2 * sinLambda
      let along = cosU1 * sinU2 - sinU1 * cosU2 * cosLambda
      let sinSigma = (across * across + along * along).squareRoot()
      if sinSigma == 0 { return difference == 0 ? (0, 0, 0) : nil }
      let cosSigma = sinU1 * sinU2 + cosU1 * cosU2 * cosLambda
      let sigma = atan2(sinSigma, cosSigma)
      let sinAlpha = cosU1 * cosU2 * sinLambda / sinSigma
      let cos2Alpha = 1 - sinAlpha * sinAlpha
      // On the equator the term is multiplied by zero.
      let cos2SigmaM = cos2Alpha > 1e-14 ? cosSigma - 2 * sinU1 * sinU2 / cos2Alpha : 0
      let c = f / 16 * cos2Alpha * (4 + f * (4 - 3 * cos2Alpha))
      let next =
        difference + (1 - c) * f * sinAlpha
        * (sigma + c * sinSigma
          * (cos2SigmaM + c * cosSigma * (2 * cos2SigmaM * cos2SigmaM - 1)))
      let change = abs(next - lambda)
      lambda = next
      if lambda > .pi { return nil }
      guard change < 1e-13 else { continue }
      let length = arcLength(
        sigma: sigma, sinSigma: sinSigma, cosSigma: cosSigma, cos2SigmaM: cos2SigmaM,
        cos2Alpha: cos2Alpha)
      return (
        length, atan2(across, along),
        atan2(cosU1 * sinLambda, cosU1 * sinU2 * cosLambda - sinU1 * cosU2)
      )
    }
    return nil
  }

  private static func reduced(_ phi: Double) -> (sine: Double, cosine: Double) {
    let sine = (1 - WGS84.flattening) * sin(phi)
    let cosine = cos(phi)
    let norm = (sine * sine + cosine * cosine).squareRoot()
    return (sine / norm, cosine / norm)
  }

  /// The series A and B of Vincenty's paper in the second eccentricity.
  private static func series(_ cos2Alpha: Double) -> (a: Double, b: Double) {
    let u2 = cos2Alpha * WGS84.eccentricitySquared / (1 - WGS84.eccentricitySquared)
    return (
      1 + u2 / 16384 * (4096 + u2 * (-768 + u2 * (320 - 175 * u2))),
      u2 / 1024 * (256 + u2 * (-128 + u2 * (74 - 47 * u2)))
    )
  }

  private static func arcCorrection(
    _ b: Double, sinSigma: Double, cosSigma: Double, cos2SigmaM: Double
  ) -> Double {
    let squared = cos2SigmaM * cos2SigmaM
    let inner =
      cosSigma * (2 * squared - 1)
      - b / 6 * cos2SigmaM * (4 * sinSigma * sinSigma - 3) * (4 * squared - 3)
    return b * sinSigma * (cos2SigmaM + b / 4 * inner)
  }

  private static func arcLength(
    sigma: Double, sinSigma: Double, cosSigma: Double, cos2SigmaM: Double, cos2Alpha: Double
  ) -> Double {
    let (a, b) = series(cos2Alpha)
    let correction = arcCorrection(
      b, sinSigma: sinSigma, cosSigma: cosSigma, cos2SigmaM: cos2SigmaM)
    return WGS84.semiMinorAxis * a * (sigma - correction)
  }

  /// The shortest way over a point a quarter of the way around the sphere from the first.
  private static func overMiddle(_ phi1: Double, _ phi2: Double, _ difference: Double) -> Way {
    func way(_ azimuth: Double) -> Way {
      // The point 90 degrees from the first: φ = asin(cos φ₁ cos α), λ = atan2(sin α, -sin φ₁ cos α).
      let phi = asin(cos(phi1) * cos(azimuth))
      let lambda = atan2(sin(azimuth), -sin(phi1) * cos(azimuth))
      let onward = abs(remainder(difference - lambda, 2 * .pi))
      guard
        let first = vincenty(phi1, phi, abs(lambda)), let second = vincenty(phi, phi2, onward)
      else { return (.infinity, 0, 0) }
      return (
        first.length + second.length, lambda < 0 ? -first.departure : first.departure,
        remainder(difference - lambda, 2 * .pi) < 0 ? -second.arrival : second.arrival
      )
    }
    let samples = 32
    let step = 2 * Double.pi / Double(samples)
    let lengths = (0..<samples).map { way(Double($0) * step).length }
    var best: Way = (.infinity, 0, 0)
    for index in 0..<samples {
      let length = lengths[index]
      let isValley =
        length <= lengths[(index + 1) % samples]
        && length <= lengths[(index + samples - 1) % samples]
      guard isValley else { continue }
      let found = way(
        minimizer(from: Double(index - 1) * step, through: Double(index + 1) * step) {
          way($0).length
        })
      if found.length < best.length { best = found }
    }
    return best
  }

  /// Vincenty's direct solution: where one arrives who goes so far in a direction.
  static func end(
    latitude: Double, longitude: Double, azimuth: Double, lengthInMeters: Double
  ) -> (latitude: Double, longitude: Double) {
    let radians = WGS84.radiansPerDegree
    let f = WGS84.flattening
    let (sinU1, cosU1) = reduced(latitude * radians)
    let sinAlpha1 = sin(azimuth)
    let cosAlpha1 = cos(azimuth)
    let sigma1 = atan2(sinU1, cosU1 * cosAlpha1)
    let sinAlpha = cosU1 * sinAlpha1
    let cos2Alpha = 1 - sinAlpha * sinAlpha
    let (a, b) = series(cos2Alpha)
    let first = lengthInMeters / (WGS84.semiMinorAxis * a)
    var sigma = first
    var cos2SigmaM = 0.0
    for _ in 0..<50 {
      cos2SigmaM = cos(2 * sigma1 + sigma)
      let next =
        first
        + arcCorrection(b, sinSigma: sin(sigma), cosSigma: cos(sigma), cos2SigmaM: cos2SigmaM)
      let change = abs(next - sigma)
      sigma = next
      if change < 1e-14 { break }
    }
    let sinSigma = sin(sigma)
    let cosSigma = cos(sigma)
    let away = sinU1 * sinSigma - cosU1 * cosSigma * cosAlpha1
    let phi = atan2(
      sinU1 * cosSigma + cosU1 * sinSigma * cosAlpha1,
      (1 - f) * (sinAlpha * sinAlpha + away * away).squareRoot())
    let lambda = atan2(sinSigma * sinAlpha1, cosU1 * cosSigma - sinU1 * sinSigma * cosAlpha1)
    let c = f / 16 * cos2Alpha * (4 + f * (4 - 3 * cos2Alpha))
    let turn =
      lambda - (1 - c) * f * sinAlpha
      * (sigma + c * sinSigma * (cos2SigmaM + c * cosSigma * (2 * cos2SigmaM * cos2SigmaM - 1)))
    return (phi / radians, remainder(longitude + turn / radians, 360))
  }
}

/// Where a function with one valley between two places is smallest, by golden sections.
func minimizer(
  from start: Double, through end: Double, sections: Int = 44, of value: (Double) -> Double
) -> Double {
  let ratio = (5.0.squareRoot() - 1) / 2
  var low = start
  var high = end
  var left = high - ratio * (high - low)
  var right = low + ratio * (high - low)
  var leftValue = value(left)
  var rightValue = value(right)
  for _ in 0..<sections {
    if leftValue <= rightValue {
      high = right
      right = left
      rightValue = leftValue
      left = high - ratio * (high - low)
      leftValue = value(left)
    } else {
      low = left
      left = right
      leftValue = rightValue
      right = low + ratio * (high - low)
      rightValue = value(right)
    }
  }
  return leftValue <= rightValue ? left : right
}
