import Geo
import Glibc
import TestSupport
import Testing

@testable import Geofencing

@Suite struct LikelihoodTests {
  /// Computed with 30 digits from the Rice density, in mpmath.
  static let circles: [(distance: Double, radius: Double, deviation: Double, probability: Double)] =
    [
      (0, 200, 66.24, 0.9895186492143),
      (100, 200, 66.24, 0.898202411046),
      (200, 200, 66.24, 0.4329656021636),
      (200, 200, 6.6, 0.4934165557746),
      (190, 200, 6.6, 0.9329621459871),
      (210, 200, 6.6, 0.06285318248707),
      (199, 200, 0.5, 0.9771821251487),
      (201, 200, 0.5, 0.02268289522054),
      (300, 200, 100, 0.1132792455976),
      (50, 32, 300, 0.005594715202417),
      (0, 1, 1, 0.3934693402874),
      (1, 1, 1, 0.2671201962032),
      (3, 1, 1, 0.01082944982155),
      (150, 200, 30, 0.942939737839),
      (185, 200, 10, 0.9297593677369),
      (183, 200, 10, 0.9529210783705),
      (5000, 5010, 3, 0.9995704772142),
      (200, 200, 0.01, 0.499990026443),
    ]

  @Test(arguments: circles)
  func `a circle holds as much of a round Gaussian as the Marcum Q function says`(
    distance: Double, radius: Double, deviation: Double, probability: Double
  ) {
    let found = Likelihood.ofCircle(distance: distance, radius: radius, deviation: deviation)
    #expect(abs(found - probability) < 1e-10, "\(found)")
  }

  @Test func `the radius of an accuracy holds 68 percent`() {
    let deviation = 25 / Likelihood.deviationsInAccuracy
    #expect(abs(Likelihood.ofCircle(distance: 0, radius: 25, deviation: deviation) - 0.68) < 1e-12)
  }

  @Test func `the quick answer to a threshold is the answer of the full probability`() {
    var random = SeededGenerator(seed: 20260302)
    for _ in 0..<3000 {
      let radius = Double.random(in: 1...500, using: &random)
      let deviation = Double.random(in: 0.1...200, using: &random)
      let distance = Double.random(in: 0...(2 * radius), using: &random)
      let threshold = Double.random(in: 0.05...0.99, using: &random)
      let full = Likelihood.ofCircle(distance: distance, radius: radius, deviation: deviation)
      let quick = Likelihood.ofCircle(
        distance: distance, radius: radius, deviation: deviation, isAtLeast: threshold)
      #expect(quick == (full >= threshold) || abs(full - threshold) < 1e-9)
    }
  }

  @Test func `a polygon of many corners on a circle holds what the circle holds`() {
    for (distance, radius, deviation, probability) in LikelihoodTests.circles
    where deviation >= 0.5 && radius < 1000 {
      let corners = 2000
      let ring = (0..<corners).map { index in
        let angle = 2 * Double.pi * Double(index) / Double(corners)
        let reach = radius / deviation
        return (
          east: distance / deviation + reach * cos(angle), north: reach * sin(angle)
        )
      }
      let found = Likelihood.ofPolygons([(ring, false)])
      #expect(abs(found - probability) < 2e-4, "\(distance) \(radius) \(deviation): \(found)")
    }
  }

  @Test func `a half plane holds half of what is measured on its edge, and a hole takes away`() {
    let far = 1e4
    let half: [(east: Double, north: Double)] = [(0, -far), (far, -far), (far, far), (0, far)]
    #expect(abs(Likelihood.ofPolygons([(half, false)]) - 0.5) < 1e-9)
    let all: [(east: Double, north: Double)] = [(-far, -far), (far, -far), (far, far), (-far, far)]
    #expect(abs(Likelihood.ofPolygons([(all, false)]) - 1) < 1e-9)
    #expect(abs(Likelihood.ofPolygons([(all, false), (half.reversed(), true)]) - 0.5) < 1e-9)
  }

  @Test func `a square around the fix holds the square of the one-dimensional probability`() {
    // P(|x| < 1) of a standard normal, from tables: 0.6826894921370859.
    let square: [(east: Double, north: Double)] = [(-1, -1), (1, -1), (1, 1), (-1, 1)]
    let found = Likelihood.ofPolygons([(square, false)])
    #expect(abs(found - 0.6826894921370859 * 0.6826894921370859) < 1e-10)
  }
}
