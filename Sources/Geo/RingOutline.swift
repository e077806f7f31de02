// A ring unrolled: the longitudes of its corners are continued beyond ±180, each step the short way
// round, so that the ring is a line in an endless plane of longitude and latitude. It either closes
// there, or ends a whole turn from where it began; then it goes around a pole.
//
// A coordinate is inside where a meridian from it to the north pole crosses the line an odd number
// of times, at any of the places that the coordinate has in the endless plane. Where the ring holds
// the north pole the walk ends inside instead of outside, and the answer is the opposite. So poles
// need no edges of their own.

/// The corners of a ring in flat arrays, the first repeated at the end.
struct RingOutline: Sendable {
  /// Degrees, continued beyond ±180.
  let longitudes: [Double]
  let latitudes: [Double]
  let west: Double
  let east: Double
  let south: Double
  let north: Double
  let pole: Ring.Pole?
  let balls: EdgeBalls

  init(corners: [Coordinate]) {
    var longitudes: [Double] = []
    longitudes.reserveCapacity(corners.count + 1)
    var turns = 0.0
    var last = corners[0].longitude
    for corner in corners + corners.prefix(1) {
      let difference = corner.longitude - last
      if difference > 180 { turns -= 1 }
      if difference < -180 { turns += 1 }
      longitudes.append(corner.longitude + 360 * turns)
      last = corner.longitude
    }
    self.longitudes = longitudes
    latitudes = corners.map(\.latitude) + [corners[0].latitude]
    west = longitudes.reduce(.infinity, min)
    east = longitudes.reduce(-.infinity, max)
    south = latitudes.reduce(.infinity, min)
    north = latitudes.reduce(-.infinity, max)
    balls = EdgeBalls(longitudes: longitudes, latitudes: latitudes)
    if turns == 0 {
      pole = nil
    } else {
      let northernArea = RingOutline.areaTowardNorth(
        longitudes: longitudes, latitudes: latitudes)
      pole = abs(northernArea) <= AuthalicSphere.wholeArea * abs(turns) / 2 ? .north : .south
    }
  }

  /// An edge, which goes from the corner of its number to the next.
  func edge(_ index: Int) -> StraightWay {
    StraightWay(edge: index, longitudes: longitudes, latitudes: latitudes)
  }

  func side(ofLatitude latitude: Double, longitude: Double) -> Ring.Side {
    if latitude >= 90 { return sideOfPole(.north, isCorner: north >= 90) }
    if latitude <= -90 { return sideOfPole(.south, isCorner: south <= -90) }
    // Beyond the ring's parallels a point sees of it what the pole there sees.
    if latitude > north { return pole == .north ? .inside : .outside }
    if latitude < south { return pole == .south ? .inside : .outside }
    var crossings = 0
    // Rounding must not lose the place that is the western edge itself.
    var turns = ((west - longitude) / 360).rounded(.up) - 1
    if longitude + 360 * turns < west { turns += 1 }
    // Made as the corners were, so that equal longitudes stay equal.
    while longitude + 360 * turns <= east {
      guard
        let found = crossingsNorth(ofLatitude: latitude, longitude: longitude + 360 * turns)
      else { return .edge }
      crossings += found
      turns += 1
    }
    return (crossings % 2 == 1) != (pole == .north) ? .inside : .outside
  }

  private func sideOfPole(_ asked: Ring.Pole, isCorner: Bool) -> Ring.Side {
    isCorner ? .edge : pole == asked ? .inside : .outside
  }

  /// How many edges are north of a point of the endless plane; nil where it is on one.
  private func crossingsNorth(ofLatitude latitude: Double, longitude: Double) -> Int? {
    longitudes.withUnsafeBufferPointer { xs in
      latitudes.withUnsafeBufferPointer { ys in
        var crossings = 0
        var isWest = xs[0] <= longitude
        for index in 0..<xs.count - 1 {
          let x1 = xs[index]
          let x2 = xs[index + 1]
          let wasWest = isWest
          isWest = x2 <= longitude
          // Most edges cross neither the meridian nor begin or end on it.
          if wasWest == isWest && x1 != longitude && x2 != longitude { continue }
          let y1 = ys[index]
          let y2 = ys[index + 1]
          let width = x2 - x1
          let height = y2 - y1
          let area = width * (latitude - y1) - height * (longitude - x1)
          // An ulp of 180 degrees to either side: what rounding a coordinate can move it.
          if abs(area) <= 3e-14 * (abs(width) + abs(height)),
            min(y1, y2) - 3e-14 <= latitude, latitude <= max(y1, y2) + 3e-14
          {
            return nil
          }
          if wasWest != isWest, (area < 0) == (width > 0) { crossings += 1 }
        }
        return crossings
      }
    }
  }
}
