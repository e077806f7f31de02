import Geo

#if canImport(Glibc)
  import Glibc
#endif

/// The probability that a true position lies in an area, for a round Gaussian error.
///
/// The accuracy of a fix is the radius that holds the true position with 68 % probability. For a
/// round Gaussian of standard deviation s in each direction that radius is s * sqrt(-2 ln 0.32).
enum Likelihood {
  /// Standard deviations in the radius of 68 %: sqrt(-2 ln 0.32), about 1.5096.
  static let deviationsInAccuracy = (-2 * log(0.32)).squareRoot()

  /// So many deviations away nothing is left in the first twelve digits of a probability.
  private static let reach = 9.0

  /// The probability that the true position is within `radius` of a point `distance` away.
  ///
  /// This is 1 - Q1(distance / s, radius / s) with Marcum's Q function of order one: the integral of
  /// the Rice density t exp(-(t - d)^2 / 2) I0e(t d) from 0 to r, where I0e is the scaled modified
  /// Bessel function exp(-x) I0(x). It is integrated where it is not negligible, by Gauss-Legendre
  /// panels. Within 1e-10. All lengths in one unit, `deviation` above zero.
  static func ofCircle(distance: Double, radius: Double, deviation: Double) -> Double {
    let d = distance / deviation
    let r = radius / deviation
    if r - d > reach { return 1 }
    if d - r > reach { return 0 }
    let probability = integral(from: max(0, d - reach), to: min(r, d + reach)) { t in
      t * exp(-(t - d) * (t - d) / 2) * scaledBesselI0(t * d)
    }
    return min(1, max(0, probability))
  }

  /// Whether that probability is at least `threshold`, mostly without computing it.
  static func ofCircle(
    distance: Double, radius: Double, deviation: Double, isAtLeast threshold: Double
  ) -> Bool {
    let margin = (radius - distance) / deviation
    // The circle of `margin` around the fix lies wholly inside the fence...
    if margin > 0, 1 - exp(-margin * margin / 2) >= threshold { return true }
    // ... and the fence lies wholly on one side of its tangent nearest to the fix.
    if 0.5 * erfc(-margin / 2.0.squareRoot()) < threshold { return false }
    return ofCircle(distance: distance, radius: radius, deviation: deviation) >= threshold
  }

  /// The probability that the true position lies in polygons whose rings are given in deviations
  /// east and north of the fix, outer rings and holes alike.
  ///
  /// Seen from the fix, the even-odd area is a sum of triangles over the edges, signed by the way
  /// each edge turns. The Gaussian measure of the triangle under an edge at distance h is the
  /// integral of (1 - exp(-h^2 / (2 cos^2 t))) / 2pi over the angle t it is seen under, measured
  /// from the perpendicular. A ring counts with its sign positive where it is an outer ring.
  static func ofPolygons(_ rings: [(points: [(east: Double, north: Double)], isHole: Bool)])
    -> Double
  {
    var total = 0.0
    for ring in rings {
      var measure = 0.0
      var previous = ring.points[ring.points.count - 1]
      for point in ring.points {
        measure += ofTriangle(from: previous, to: point)
        previous = point
      }
      total += ring.isHole ? -abs(measure) : abs(measure)
    }
    return min(1, max(0, total))
  }

  private static func ofTriangle(
    from a: (east: Double, north: Double), to b: (east: Double, north: Double)
  ) -> Double {
    let edgeEast = b.east - a.east
    let edgeNorth = b.north - a.north
    let length = (edgeEast * edgeEast + edgeNorth * edgeNorth).squareRoot()
    let cross = a.east * b.north - a.north * b.east
    guard length > 0, cross != 0 else { return 0 }
    let h = abs(cross) / length
    // Where along the edge its ends are, measured from the foot of the perpendicular.
    let start = (a.east * edgeEast + a.north * edgeNorth) / length
    let end = (b.east * edgeEast + b.north * edgeNorth) / length
    let sign = cross > 0 ? 1.0 : -1.0
    // Along the edge, t = atan(x / h). Close by, the integrand in x is as smooth as the Gaussian;
    // farther along the edge the Gaussian is gone, and the angle alone is left.
    let near = (from: min(max(start, -reach), reach), to: min(max(end, -reach), reach))
    let close = integral(from: near.from, to: near.to) { x in
      let square = h * h + x * x
      return square == 0 ? 0 : -expm1(-square / 2) * h / square
    }
    let far = atan2(end, h) - atan2(start, h) - (atan2(near.to, h) - atan2(near.from, h))
    return sign * (close + far) / (2 * .pi)
  }

  /// exp(-x) I0(x) for x >= 0: the power series, whose terms are all positive, or the asymptotic
  /// series where its smallest term is below 1e-13 (DLMF 10.25.2 and 10.40.1).
  private static func scaledBesselI0(_ x: Double) -> Double {
    var term = 1.0
    var sum = 1.0
    if x < 15 {
      let quarter = x * x / 4
      var k = 1.0
      while term > sum * 1e-16 {
        term *= quarter / (k * k)
        sum += term
        k += 1
      }
      return sum * exp(-x)
    }
    for k in 1...30 {
      let odd = Double(2 * k - 1)
      let next = term * odd * odd / (8 * x * Double(k))
      if next > term || next < 1e-16 { break }
      term = next
      sum += term
    }
    return sum / (2 * .pi * x).squareRoot()
  }

  /// Gauss-Legendre quadrature of 16 points on panels at most two deviations wide.
  private static func integral(
    from start: Double, to end: Double, of integrand: (Double) -> Double
  ) -> Double {
    guard end > start else { return 0 }
    let panels = Int(((end - start) / 2).rounded(.up))
    let half = (end - start) / Double(panels) / 2
    var sum = 0.0
    for panel in 0..<panels {
      let middle = start + half * Double(2 * panel + 1)
      for (node, weight) in zip(nodes, weights) {
        sum += weight * (integrand(middle - half * node) + integrand(middle + half * node))
      }
    }
    return sum * half
  }

  /// The positive nodes of the Gauss-Legendre rule of 16 points, and their weights (DLMF 3.5).
  private static let nodes = [
    0.09501250983763744, 0.2816035507792589, 0.45801677765722737, 0.6178762444026438,
    0.755404408355003, 0.8656312023878318, 0.9445750230732326, 0.9894009349916499,
  ]
  private static let weights = [
    0.18945061045506834, 0.18260341504492353, 0.16915651939500265, 0.14959598881657663,
    0.12462897125553393, 0.09515851168249283, 0.06225352393864806, 0.027152459411754294,
  ]
}
