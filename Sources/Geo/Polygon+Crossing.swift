extension MultiPolygon {
  /// The fractions of the straight way between two coordinates from where it first enters the area
  /// to where it last leaves it; nil where it does not touch it.
  ///
  /// The way is straight in longitude and latitude, as edges are, and goes the short way round.
  public func crossing(from start: Coordinate, to end: Coordinate) -> ClosedRange<Double>? {
    let way = StraightWay(from: start, to: end)
    var first = contains(start) ? 0 : Double.infinity
    var last = contains(end) ? 1 : -Double.infinity
    for polygon in polygons {
      for ring in polygon.rings {
        ring.outline.visitMeetings(with: way) { fraction in
          first = min(first, fraction)
          last = max(last, fraction)
        }
      }
    }
    guard first < .infinity || last > -.infinity else { return nil }
    // Where rounding loses the one point at which a way from or into the area leaves it, that end
    // of the way is on the edge.
    first = min(first, max(last, 0))
    last = max(last, first)
    return first...last
  }
}

extension RingOutline {
  /// Tells the fractions of a way at which it meets the ring.
  func visitMeetings(with way: StraightWay, _ body: (Double) -> Void) {
    let wayWest = min(way.longitude, way.longitude + way.turn)
    let wayEast = max(way.longitude, way.longitude + way.turn)
    guard max(way.latitude, way.latitude + way.rise) >= south,
      min(way.latitude, way.latitude + way.rise) <= north
    else { return }
    // The way may meet the ring at any of the places that it has in the endless plane.
    var shift = 360 * ((west - wayEast) / 360).rounded(.up)
    while wayWest + shift <= east {
      for index in 0..<longitudes.count - 1 {
        visitMeetings(with: way, shift: shift, edge(index), body)
      }
      shift += 360
    }
  }

  private func visitMeetings(
    with way: StraightWay, shift: Double, _ edge: StraightWay, _ body: (Double) -> Void
  ) {
    let x = edge.longitude - (way.longitude + shift)
    let y = edge.latitude - way.latitude
    let cross = way.turn * edge.rise - way.rise * edge.turn
    if cross != 0 {
      let alongWay = (x * edge.rise - y * edge.turn) / cross
      let alongEdge = (x * way.rise - y * way.turn) / cross
      if (0...1).contains(alongWay), (0...1).contains(alongEdge) { body(alongWay) }
    } else if x * way.rise - y * way.turn == 0 {
      // Parallel and on one line: what they share begins and ends at corners or ends.
      let squared = way.turn * way.turn + way.rise * way.rise
      guard squared > 0 else { return }
      let one = (x * way.turn + y * way.rise) / squared
      let other = ((x + edge.turn) * way.turn + (y + edge.rise) * way.rise) / squared
      guard max(one, other) >= 0, min(one, other) <= 1 else { return }
      body(max(0, min(one, other)))
      body(min(1, max(one, other)))
    }
  }
}
