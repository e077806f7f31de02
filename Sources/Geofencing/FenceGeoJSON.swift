import Geo
import JSON

/// Fences as GeoJSON (RFC 7946): a FeatureCollection, or one Feature.
///
/// A Point is a circle of `properties.radiusMeters`, 200 m where absent; a Polygon or MultiPolygon,
/// with or without holes, is itself. The `id` is the feature's, a string or a number, or else
/// `properties.id`. `properties` further has `name`, `timeZone`, `exitBufferMeters`, `dwellSeconds`,
/// `passed` and `minimumConfidence`; others are passed over, and null is the same as absent.
public enum FenceGeoJSON {
  /// Reads a file and tells all problems at once: of each ring the first position that is wrong, of
  /// everything else each field.
  ///
  /// Takes about 3 microseconds for a point fence, and memory of some seven times the file.
  public static func read(_ bytes: [UInt8]) -> FenceImport {
    var reading = FenceReading()
    reading.readGeoJSON(bytes)
    return reading.result
  }
}

extension FenceReading {
  mutating func readGeoJSON(_ bytes: [UInt8]) {
    var parser = JSONParser()
    let root: JSONValue
    do throws(JSONSyntaxError) {
      root = try parser.parse(bytes)
    } catch {
      var problem = FenceProblem(.malformed(error.message))
      problem.line = error.line
      problem.column = error.column
      report(problem)
      return
    }
    var reader = FeatureReader(reading: self)
    reader.read(root)
    self = reader.finished(root)
  }
}

/// Reads features, and keeps their problems until all are known, so that lines are counted once.
private struct FeatureReader {
  var reading: FenceReading
  private var located: [(offset: Int, problem: FenceProblem)] = []
  private var item: Int?
  private var id: String?

  init(reading: FenceReading) { self.reading = reading }

  mutating func read(_ root: JSONValue) {
    let type = root["type"]
    if type?.isString("Feature") == true {
      item = 1
      readFeature(root)
    } else if type?.isString("FeatureCollection") == true {
      readCollection(root)
    } else {
      let found = type?.string.map { "the type \($0)" } ?? type?.summary ?? root.summary
      report(
        .wrongType(expected: "a FeatureCollection or a Feature", found: found), type ?? root,
        root.kind == .object ? "type" : nil)
    }
  }

  private mutating func readCollection(_ root: JSONValue) {
    guard let features = root["features"] else { return report(.missing, root, "features") }
    guard features.kind == .array else {
      return report(
        .wrongType(expected: "an array", found: features.summary), features, "features")
    }
    for (index, feature) in features.elements.enumerated() {
      item = index + 1
      readFeature(feature)
    }
  }

  func finished(_ root: JSONValue) -> FenceReading {
    var reading = reading
    let inOrder = located.enumerated().sorted {
      ($0.element.offset, $0.offset) < ($1.element.offset, $1.offset)
    }.map(\.element)
    let positions = root.positions(ofByteOffsets: inOrder.map(\.offset))
    for (element, position) in zip(inOrder, positions) {
      var problem = element.problem
      problem.line = position.line
      problem.column = position.column
      reading.report(problem)
    }
    return reading
  }

  private mutating func report(
    _ kind: FenceProblem.Kind, _ value: JSONValue, _ field: String? = nil
  ) {
    located.append((value.byteOffset, FenceProblem(kind, item: item, id: id, field: field)))
  }

  // MARK: Feature

  private mutating func readFeature(_ feature: JSONValue) {
    id = nil
    guard feature.kind == .object else {
      return report(.wrongType(expected: "a Feature", found: feature.summary), feature)
    }
    let problemCount = located.count
    let properties = readProperties(of: feature)
    id = readID(feature, properties)
    if feature["type"]?.isString("Feature") != true {
      let type = feature["type"]
      report(
        type.map { .wrongType(expected: "\"Feature\"", found: $0.summary) } ?? .missing,
        type ?? feature, "type")
    }
    let name = readString("name", properties)
    let timeZone = readString("timeZone", properties)
    let settings = readSettings(properties)
    let area = readArea(feature, properties)
    guard located.count == problemCount, let id, let area else { return }
    reading.add(
      Fence(id: Fence.ID(id), name: name, area: area, timeZone: timeZone, settings: settings))
  }

  private mutating func readProperties(of feature: JSONValue) -> JSONValue? {
    guard let properties = feature["properties"], !properties.isNull else { return nil }
    if properties.kind == .object { return properties }
    report(
      .wrongType(expected: "an object", found: properties.summary), properties, "properties")
    return nil
  }

  private mutating func readID(_ feature: JSONValue, _ properties: JSONValue?) -> String? {
    var value = feature["id"]
    var field = "id"
    if value == nil || value?.isNull == true, let other = properties?["id"] {
      value = other
      field = "properties.id"
    }
    guard let value, !value.isNull else {
      report(.missing, feature, "id")
      return nil
    }
    guard let text = value.idText else {
      report(
        value.kind == .invalid
          ? value.numberProblem
          : .wrongType(expected: "a string or a number", found: value.summary), value, field)
      return nil
    }
    guard !text.isEmpty else {
      report(.emptyID, value, field)
      return nil
    }
    id = text
    if let item, let first = reading.firstPlace(of: text, item: item) {
      report(.duplicateID(first: first), value, field)
    }
    return text
  }

  // MARK: Properties

  private mutating func readString(_ name: StaticString, _ properties: JSONValue?) -> String? {
    guard let value = properties?[name], !value.isNull else { return nil }
    if let text = value.string { return text }
    report(
      .wrongType(expected: "a string", found: value.summary), value, "properties.\(name)")
    return nil
  }

  private mutating func readNumber(
    _ name: StaticString, _ properties: JSONValue?, least: Double, most: Double
  ) -> Double? {
    guard let value = properties?[name], !value.isNull else { return nil }
    guard let number = value.double else {
      report(value.numberProblem, value, "properties.\(name)")
      return nil
    }
    guard number >= least, number <= most else {
      report(.outOfRange(number, least: least, most: most), value, "properties.\(name)")
      return nil
    }
    return number
  }

  private mutating func readSettings(_ properties: JSONValue?) -> Fence.Settings {
    var settings = Fence.Settings()
    let most = Fence.Settings.self
    if let meters = readNumber(
      "exitBufferMeters", properties, least: 0, most: most.largestExitBuffer.meters)
    {
      settings.exitBuffer = .meters(meters)
    }
    let dwell = readNumber("dwellSeconds", properties, least: 0, most: most.longestDwellSeconds)
    // No dwell at all is how people switch it off.
    settings.dwellSeconds = dwell == 0 ? nil : dwell
    if let value = properties?["passed"], !value.isNull {
      if let passed = value.bool {
        settings.passed = passed
      } else {
        report(
          .wrongType(expected: "true or false", found: value.summary), value, "properties.passed")
      }
    }
    if let confidence = readNumber("minimumConfidence", properties, least: 0, most: 1) {
      settings.minimumConfidence = confidence
    }
    return settings
  }

  // MARK: Geometry

  private mutating func readArea(_ feature: JSONValue, _ properties: JSONValue?) -> Fence.Area? {
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

extension Fence.Settings {
  /// The largest exit buffer that a file may give: 100 km.
  public static let largestExitBuffer = Distance.meters(100_000)
  /// The longest dwell that a file may give: 366 days.
  public static let longestDwellSeconds = 31_622_400.0
}

extension JSONValue {
  /// The value as messages name it, bounded in length.
  fileprivate var summary: String {
    switch kind {
    case .object: "an object"
    case .array: elements.isEmpty ? "an empty array" : "an array"
    case .string: "the string \"\((string ?? "").prefix(40))\""
    case .number: "the number \(double ?? 0)"
    case .bool: bool == true ? "true" : "false"
    case .null: "null"
    case .invalid: "'\(invalidText ?? "")'"
    }
  }

  /// What makes this no number.
  fileprivate var numberProblem: FenceProblem.Kind {
    if let invalidText { return .notANumber(found: invalidText) }
    if let string, string.hasDecimalComma { return .decimalComma(found: String(string.prefix(40))) }
    return .wrongType(expected: "a number", found: summary)
  }

  fileprivate var idText: String? {
    if let string { return string }
    if let int64 { return "\(int64)" }
    return double.map { "\($0)" }
  }
}

extension String {
  /// Whether this is a number but for a comma in the place of the point.
  var hasDecimalComma: Bool {
    let parts = split(separator: ",", omittingEmptySubsequences: false)
    return parts.count == 2 && !parts[1].isEmpty
      && parts.joined(separator: ".").decimalNumber != nil
  }

  /// The number that this is in plain decimal writing, with or without an exponent; always finite.
  var decimalNumber: Double? {
    let isDecimal = utf8.allSatisfy { byte in
      byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") || "+-.eE".utf8.contains(byte)
    }
    guard isDecimal, let number = Double(self), number.isFinite else { return nil }
    return number
  }
}
