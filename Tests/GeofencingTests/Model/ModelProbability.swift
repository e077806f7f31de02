import Geo
import Geofencing
import Glibc

/// The probability that the true position lies in a fence, by plain numerical integration.
enum ModelProbability {
  /// For a round Gaussian whose 68 % radius is `accuracy`: 1 - exp(-a² / 2σ²) = 0.68.
  static func inside(_ area: Fence.Area, at coordinate: Coordinate, accuracy: Double) -> Double {
    let sigma = accuracy / (-2 * log(0.32)).squareRoot()
    switch area {
    case .circle(let center, let radius):
      return circle(
        distance: ModelGeodesy.meters(coordinate, center), radius: radius.meters, sigma: sigma)
    case .polygons(let polygons):
      return polygons.polygons.map { polygon($0, at: coordinate, sigma: sigma) }.reduce(0, +)
    }
  }

  /// Over strips across the disc; the strip at x has the share of the normal that its chord holds.
  static func circle(distance: Double, radius: Double, sigma: Double) -> Double {
    let low = max(-radius, distance - 9 * sigma)
    let high = min(radius, distance + 9 * sigma)
    guard low < high else { return 0 }
    // x = radius sin(angle) takes the root's infinite slope out of the ends.
    return simpson(from: asin(low / radius), to: asin(high / radius), steps: 600) { angle in
      let x = radius * sin(angle)
      let halfChord = radius * cos(angle)
      return density((x - distance) / sigma) / sigma * halfChord
        * erf(halfChord / (sigma * 2.0.squareRoot()))
    }
  }

  /// Over strips across the polygon, from corner to corner, in the plane at the fix.
  private static func polygon(
    _ polygon: Polygon, at coordinate: Coordinate, sigma: Double
  ) -> Double {
    let edges = ModelGeodesy.edges(of: polygon).map {
      (
        ModelGeodesy.plane($0.from, from: coordinate), ModelGeodesy.plane($0.to, from: coordinate)
      )
    }
    let limits = edges.map(\.0.east).map { min(9 * sigma, max(-9 * sigma, $0)) }.sorted()
    var sum = 0.0
    for (low, high) in zip(limits, limits.dropFirst()) where high > low {
      let steps = 2 * max(4, Int((high - low) / sigma * 20))
      // The ends of a strip lie on corners; a hair inside, every edge is met once or not at all.
      let hair = (high - low) * 1e-9
      sum += simpson(from: low + hair, to: high - hair, steps: steps) { x in
        let crossings = edges.compactMap { a, b -> Double? in
          guard (a.east > x) != (b.east > x) else { return nil }
          return a.north + (x - a.east) / (b.east - a.east) * (b.north - a.north)
        }.sorted()
        var held = 0.0
        for index in stride(from: 0, to: crossings.count - 1, by: 2) {
          held += cumulative(crossings[index + 1] / sigma) - cumulative(crossings[index] / sigma)
        }
        return held * density(x / sigma) / sigma
      }
    }
    return sum
  }

  private static func density(_ x: Double) -> Double { exp(-x * x / 2) / (2 * .pi).squareRoot() }

  private static func cumulative(_ x: Double) -> Double { erfc(-x / 2.0.squareRoot()) / 2 }

  private static func simpson(
    from low: Double, to high: Double, steps: Int, _ f: (Double) -> Double
  ) -> Double {
    let width = (high - low) / Double(steps)
    var sum = f(low) + f(high)
    for step in 1..<steps { sum += f(low + Double(step) * width) * (step % 2 == 1 ? 4 : 2) }
    return sum * width / 3
  }
}
