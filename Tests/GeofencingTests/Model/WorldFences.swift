import Geo
import Geofencing
import TestSupport

/// Random fences that lie over, in and beside each other, and random edits of them.
enum WorldFences {
  /// What walkers walk around where there is no fence at all.
  static let fallback = Fence(
    id: Fence.ID("none"),
    area: .circle(center: Coordinate(latitude: 48, longitude: 11)!, radius: .meters(200)))

  static func make(using random: inout SeededGenerator) -> [Fence] {
    let isRemote = Int.random(in: 0..<8, using: &random) == 0
    let middle =
      isRemote
      ? [
        Coordinate(latitude: 10, longitude: 179.9995)!, Coordinate(latitude: -84, longitude: 30)!,
        Coordinate(latitude: 0.002, longitude: -0.001)!,
      ].randomElement(using: &random)!
      : Coordinate(
        latitude: .random(in: -60...60, using: &random),
        longitude: .random(in: -170...170, using: &random))!
    return (1...Int.random(in: 1...6, using: &random)).map { index in
      make(Fence.ID("F\(index)"), near: middle, onlyCircles: isRemote, using: &random)
    }
  }

  private static func make(
    _ id: Fence.ID, near middle: Coordinate, onlyCircles: Bool, using random: inout SeededGenerator
  ) -> Fence {
    let meters = [0, 10, 150, 300, 500].randomElement(using: &random)!
    let degrees = Double.random(in: 0..<360, using: &random)
    let center =
      meters == 0
      ? middle
      : ModelGeodesy.coordinate(from: middle, degrees: degrees, meters: Double(meters))
    var settings = Fence.Settings()
    if Bool.random(using: &random) {
      settings.exitBuffer = .meters([0, 10, 20, 100].randomElement(using: &random)!)
    }
    if Bool.random(using: &random) {
      settings.dwellSeconds = [0, 10, 60, 120, 600].randomElement(using: &random)!
    }
    settings.passed = Bool.random(using: &random)
    let radius = [30, 50, 100, 200, 400].randomElement(using: &random)!
    let isPolygon = !onlyCircles && Int.random(in: 0..<5, using: &random) == 0
    return Fence(
      id: id,
      area: isPolygon
        ? .polygons(polygons(around: center, size: Double(radius), using: &random))
        : .circle(center: center, radius: .meters(Double(radius))), settings: settings)
  }

  /// A star-shaped ring, or a square whose edges follow the meridians; half of them with a hole.
  private static func polygons(
    around center: Coordinate, size: Double, using random: inout SeededGenerator
  ) -> MultiPolygon {
    let isSquare = Bool.random(using: &random)
    let turn = isSquare ? 0 : Double.random(in: 0..<90, using: &random)
    let corners = isSquare ? 4 : Int.random(in: 3...8, using: &random)
    func ring(_ scale: Double) -> Ring {
      if isSquare {
        let ne = ModelGeodesy.coordinate(from: center, degrees: 45, meters: size * scale)
        let sw = ModelGeodesy.coordinate(from: center, degrees: 225, meters: size * scale)
        return try! Ring(corners: [
          sw, Coordinate(latitude: sw.latitude, longitude: ne.longitude)!, ne,
          Coordinate(latitude: ne.latitude, longitude: sw.longitude)!,
        ])
      }
      return try! Ring(
        corners: (0..<corners).map { corner in
          ModelGeodesy.coordinate(
            from: center, degrees: turn + Double(corner) * 360 / Double(corners),
            meters: size * scale * (corner % 2 == 0 ? 1 : 0.75))
        })
    }
    let hasHole = Bool.random(using: &random)
    return MultiPolygon(polygons: [Polygon(outer: ring(1), holes: hasHole ? [ring(0.3)] : [])])!
  }

  static func middle(_ area: Fence.Area) -> Coordinate {
    switch area {
    case .circle(let center, _): return center
    case .polygons(let polygons):
      let corners = polygons.polygons[0].outer.corners
      let count = Double(corners.count)
      return Coordinate(
        latitude: corners.map(\.latitude).reduce(0, +) / count,
        longitude: corners.map(\.longitude).reduce(0, +) / count)!
    }
  }

  static func size(_ area: Fence.Area) -> Double {
    switch area {
    case .circle(_, let radius): radius.meters
    case .polygons(let polygons):
      ModelGeodesy.meters(middle(area), polygons.polygons[0].outer.corners[0])
    }
  }

  // MARK: Edits

  static func edited(_ fences: [Fence], using random: inout SeededGenerator) -> [Fence] {
    var fences = fences
    let index = fences.indices.randomElement(using: &random)
    switch Int.random(in: 0..<7, using: &random) {
    case 0:
      if let index { fences.remove(at: index) }
    case 1, 2:
      guard fences.count < 7 else { return fences }
      let id = Fence.ID("N\(Int.random(in: 0..<1_000_000, using: &random))")
      let near = fences.randomElement(using: &random) ?? fallback
      let isRemote = abs(middle(near.area).longitude) > 175 || abs(middle(near.area).latitude) > 80
      fences.append(make(id, near: middle(near.area), onlyCircles: isRemote, using: &random))
    case 3: if let index { fences[index].name += "'" }
    case 4:
      if let index { fences[index].settings.exitBuffer = .meters(30) }
    default:
      guard let index, case .circle(let center, let radius) = fences[index].area else { break }
      let isMove = Bool.random(using: &random)
      fences[index].area = .circle(
        center: isMove
          ? ModelGeodesy.coordinate(
            from: center, degrees: .random(in: 0..<360, using: &random),
            meters: [5, 200, 1500].randomElement(using: &random)!) : center,
        radius: isMove ? radius : .meters(radius.meters * (Bool.random(using: &random) ? 2 : 0.5)))
    }
    return fences
  }
}
