import Geo
import JSON

extension FeatureReader {
  mutating func readArea(_ feature: JSONValue, _ properties: JSONValue?) -> Fence.Area? {
    guard let geometry = feature["geometry"] else {
      report(.missing, feature, "geometry")
      return nil
    }
    guard geometry.kind == .object else {
      report(.wrongType(expected: "a geometry", found: geometry.summary), geometry, "geometry")
      return nil
    }
    guard let type = geometry["type"] else {
      report(.missing, geometry, "geometry.type")
      return nil
    }
    let isPoint = type.isString("Point")
    let isPolygon = type.isString("Polygon")
    guard isPoint || isPolygon || type.isString("MultiPolygon") else {
      report(.unsupportedGeometry(type.string ?? type.summary), type, "geometry.type")
      return nil
    }
    // Before what may end this, so that a bad radius is told beside a bad place.
    let radius = isPoint ? readRadius(properties) : nil
    let path = "geometry.coordinates"
    guard let coordinates = geometry["coordinates"] else {
      report(.missing, geometry, path)
      return nil
    }
    if isPoint {
      guard let place = readPosition(coordinates, path), let center = place.coordinate else {
        return nil
      }
      return radius.map { .circle(center: center, radius: $0) }
    }
    guard coordinates.kind == .array, !coordinates.elements.isEmpty else {
      report(
        .wrongType(
          expected: isPolygon ? "an array of rings" : "an array of polygons",
          found: coordinates.summary), coordinates, path)
      return nil
    }
    if isPolygon {
      return readPolygon(coordinates, path).flatMap { MultiPolygon(polygons: [$0]) }
        .map(Fence.Area.polygons)
    }
    let polygons = coordinates.elements.enumerated().map { readPolygon($1, "\(path)[\($0)]") }
    let sound = polygons.compactMap(\.self)
    guard sound.count == polygons.count else { return nil }
    return MultiPolygon(polygons: sound).map(Fence.Area.polygons)
  }

  private mutating func readRadius(_ properties: JSONValue?) -> Distance? {
    guard let value = properties?["radiusMeters"], !value.isNull else {
      return Fence.defaultRadius
    }
    guard let meters = value.double else {
      report(value.numberProblem, value, "properties.radiusMeters")
      return nil
    }
    guard meters > 0, meters <= Fence.largestRadius.meters else {
      report(.radiusOutOfRange(meters), value, "properties.radiusMeters")
      return nil
    }
    return .meters(meters)
  }

  private mutating func readPolygon(_ rings: JSONValue, _ path: String) -> Polygon? {
    guard rings.kind == .array, !rings.elements.isEmpty else {
      report(.wrongType(expected: "an array of rings", found: rings.summary), rings, path)
      return nil
    }
    let read = rings.elements.enumerated().map { readRing($1, "\(path)[\($0)]") }
    let sound = read.compactMap(\.self)
    guard sound.count == read.count else { return nil }
    return Polygon(outer: sound[0], holes: Array(sound.dropFirst()))
  }

  private mutating func readRing(_ ring: JSONValue, _ path: String) -> Ring? {
    guard ring.kind == .array else {
      report(.wrongType(expected: "an array of positions", found: ring.summary), ring, path)
      return nil
    }
    var corners: [Coordinate] = []
    var previous: Position?
    for (index, element) in ring.elements.enumerated() {
      guard let position = readPosition(element, "\(path)[\(index)]"),
        let corner = position.coordinate
      else { return nil }
      if let previous { corners += previous.cornersAroundTheEarth(to: position) }
      corners.append(corner)
      previous = position
    }
    let count = ring.elements.count
    guard count >= 4 else {
      report(.ringTooShort(positions: count), ring, path)
      return nil
    }
    guard corners.first == corners.last else {
      report(.ringNotClosed, ring, path)
      return nil
    }
    do throws(Ring.Problem) {
      return try Ring(corners: corners)
    } catch {
      report(.ringWithoutArea, ring, path)
      return nil
    }
  }

  /// A position, or nil where it has no two numbers in range, which is then reported.
  private mutating func readPosition(
    _ value: JSONValue, _ path: @autoclosure () -> String
  ) -> Position? {
    guard value.kind == .array else {
      report(.wrongType(expected: "a position", found: value.summary), value, path())
      return nil
    }
    var numbers: (Double?, Double?) = (nil, nil)
    var count = 0
    var isWhole = true
    for element in value.elements {
      if count < 2 {
        if element.double == nil { report(element.numberProblem, element, "\(path())[\(count)]") }
        if count == 0 { numbers.0 = element.double } else { numbers.1 = element.double }
      }
      isWhole = isWhole && element.int64 != nil
      count += 1
    }
    guard count >= 2 else {
      report(
        .wrongType(expected: "longitude and latitude", found: "\(count) numbers"), value, path())
      return nil
    }
    if count == 4, isWhole {
      // Such as [11,0, 48,0], which is not what whoever wrote it meant.
      let found = value.elements.map { "\($0.int64 ?? 0)" }.joined(separator: ",")
      report(.decimalComma(found: found), value, path())
      return nil
    }
    guard let longitude = numbers.0, let latitude = numbers.1 else { return nil }
    let problems = FixProblem.problems(
      latitude: latitude, longitude: longitude, accuracyMeters: nil)
    for problem in problems {
      switch problem {
      case .latitudeOutOfRange: report(.latitudeOutOfRange(latitude), value, path())
      case .longitudeOutOfRange: report(.longitudeOutOfRange(longitude), value, path())
      default: report(.looksSwapped(latitude: latitude, longitude: longitude), value, path())
      }
    }
    return problems.isEmpty ? Position(latitude: latitude, longitude: longitude) : nil
  }
}

/// A position as written, with 180 and -180 apart.
private struct Position {
  let latitude: Double
  let longitude: Double

  var coordinate: Coordinate? { Coordinate(latitude: latitude, longitude: longitude) }

  /// Corners that keep an edge along a whole parallel, from -180 to 180, what it is: an edge of a
  /// ring goes the short way, which would be none.
  func cornersAroundTheEarth(to end: Position) -> [Coordinate] {
    guard abs(end.longitude - longitude) == 360, latitude == end.latitude, abs(latitude) < 90 else {
      return []
    }
    let east = longitude < 0 ? 60.0 : -60
    return [-east, east].compactMap { Coordinate(latitude: latitude, longitude: $0) }
  }
}
