import Geo
import JSON

/// Reads features, and keeps their problems until all are known, so that lines are counted once.
struct FeatureReader {
  private(set) var reading: FenceReading
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

  mutating func report(
    _ kind: FenceProblem.Kind, _ value: JSONValue, _ field: String? = nil
  ) {
    located.append((value.byteOffset, FenceProblem(kind, item: item, id: id, field: field)))
  }

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
    let buffer = readNumber(
      "exitBufferMeters", properties, least: 0, most: Fence.Settings.largestExitBuffer.meters)
    if let buffer { settings.exitBuffer = .meters(buffer) }
    let dwell = readNumber(
      "dwellSeconds", properties, least: 0, most: Fence.Settings.longestDwellSeconds)
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
    let confidence = readNumber("minimumConfidence", properties, least: 0, most: 1)
    if let confidence { settings.minimumConfidence = confidence }
    return settings
  }
}
