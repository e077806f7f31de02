import Glibc

// Area on the ellipsoid. Between the equator and the parallel φ, a strip of longitude Δλ has
//
//     Δλ q(φ),   q(φ) = b²/2 [ sin φ / (1 - e² sin²φ) + atanh(e sin φ) / e ]
//
// (the authalic latitude's integral; J. P. Snyder, "Map Projections: A Working Manual", USGS PP 1395,
// 1987, equation 3-12). So the area below an edge is the integral of q over its longitudes; latitude
// is linear in longitude along an edge, and the integral is taken by Gauss's rule of three points on
// pieces of at most two degrees.

enum AuthalicSphere {
  /// The area of the whole ellipsoid in square meters.
  static let wholeArea = 4 * Double.pi * stripArea(latitude: 90)

  /// The area between the equator and a parallel in square meters for a radian of longitude.
  static func stripArea(latitude: Double) -> Double {
    let sine = sin(latitude * WGS84.radiansPerDegree)
    let eccentricity = WGS84.eccentricitySquared.squareRoot()
    return WGS84.semiMinorAxis * WGS84.semiMinorAxis / 2
      * (sine / (1 - WGS84.eccentricitySquared * sine * sine)
        + atanh(eccentricity * sine) / eccentricity)
  }
}

extension RingOutline {
  /// The area between a line and a parallel above it, positive where the line goes east.
  private static func area(
    longitudes: [Double], latitudes: [Double], upTo strip: Double
  ) -> Double {
    let node = 0.6.squareRoot() / 2
    var total = 0.0
    for index in 0..<longitudes.count - 1 {
      let turn = longitudes[index + 1] - longitudes[index]
      let rise = latitudes[index + 1] - latitudes[index]
      if turn == 0 { continue }
      let pieces = max(1, (max(abs(turn), abs(rise)) / 2).rounded(.up))
      var sum = 0.0
      for piece in 0..<Int(pieces) {
        func value(_ offset: Double) -> Double {
          let fraction = (Double(piece) + 0.5 + offset) / pieces
          return strip - AuthalicSphere.stripArea(latitude: latitudes[index] + fraction * rise)
        }
        sum += (5 * value(-node) + 8 * value(0) + 5 * value(node)) / 18
      }
      total += turn * WGS84.radiansPerDegree * sum / pieces
    }
    return total
  }

  static func areaTowardNorth(longitudes: [Double], latitudes: [Double]) -> Double {
    area(
      longitudes: longitudes, latitudes: latitudes, upTo: AuthalicSphere.stripArea(latitude: 90))
  }

  /// The area that the ring encloses, in square meters.
  var area: Double {
    // Counted from a parallel of the ring itself, so that a small ring is no difference of large
    // numbers.
    let reference =
      switch pole {
      case .north: AuthalicSphere.stripArea(latitude: 90)
      case .south: AuthalicSphere.stripArea(latitude: -90)
      case nil: AuthalicSphere.stripArea(latitude: latitudes[0])
      }
    return abs(
      RingOutline.area(longitudes: longitudes, latitudes: latitudes, upTo: reference))
  }
}

extension Ring {
  /// The area that the ring encloses on the ellipsoid; right to about a millionth.
  ///
  /// Where the ring crosses itself, its loops of the two directions are subtracted.
  public var areaInSquareMeters: Double { outline.area }
}

extension Polygon {
  /// The area of the outer ring without the holes; never negative.
  public var areaInSquareMeters: Double {
    max(0, holes.reduce(outer.areaInSquareMeters) { $0 - $1.areaInSquareMeters })
  }
}

extension MultiPolygon {
  /// The sum of the areas of the polygons.
  public var areaInSquareMeters: Double { polygons.reduce(0) { $0 + $1.areaInSquareMeters } }
}
