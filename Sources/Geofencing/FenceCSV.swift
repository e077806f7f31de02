import Geo

/// Circles as CSV with the header `id,name,lat,lng,radiusMeters,timeZone`.
///
/// The columns may stand in any order; `id`, `lat` and `lng` are needed. `latitude`, `lon`, `long`,
/// `longitude`, `radius` and `radius_m` are known too, and capitals do not matter. Other columns are
/// passed over. An empty field is the same as none: the radius is 200 m then.
public enum FenceCSV {
  /// Reads a file and tells all problems at once.
  ///
  /// A line whose quotes are wrong is one problem, and reading goes on with the next.
  public static func read(_ bytes: [UInt8]) -> FenceImport {
    var reading = FenceReading()
    reading.readCSV(bytes)
    return reading.result
  }

  /// What a column means.
  enum Column: String, CaseIterable {
    case id, name
    case latitude = "lat"
    case longitude = "lng"
    case radius = "radiusMeters"
    case timeZone

    init?(title: String) {
      let title = title.trimmingSpaces.lowercased()
      switch title {
      case "latitude": self = .latitude
      case "lon", "long", "longitude": self = .longitude
      case "radius", "radius_m", "radius_meters": self = .radius
      case "time_zone": self = .timeZone
      default:
        guard let known = Column.allCases.first(where: { $0.rawValue.lowercased() == title }) else {
          return nil
        }
        self = known
      }
    }

    var isNeeded: Bool { self == .id || self == .latitude || self == .longitude }
  }
}

extension FenceReading {
  mutating func readCSV(_ bytes: [UInt8]) {
    // The byte order marks of UTF-16, in which spreadsheets save "Unicode text".
    if bytes.starts(with: [0xff, 0xfe] as [UInt8]) || bytes.starts(with: [0xfe, 0xff] as [UInt8]) {
      return report(FenceProblem(.wrongEncoding))
    }
    var records = CSVRecords(bytes)
    var reader: RowReader?
    var item = 0
    while true {
      do throws(CSVRecords.Problem) {
        guard let record = try records.next() else { break }
        if let reader {
          item += 1
          reader.read(record, item: item, into: &self)
        } else {
          reader = RowReader(header: record, reading: &self)
          if reader == nil { return }
        }
      } catch {
        if reader != nil { item += 1 }
        report(FenceProblem(error, item: reader == nil ? nil : item))
        // Without a header nothing that follows has a meaning.
        if reader == nil { return }
      }
    }
    if reader == nil { report(FenceProblem(.malformed("there is no header line"))) }
  }
}

/// Reads the rows below a header.
private struct RowReader {
  private let columns: [FenceCSV.Column?]

  /// Nil where columns are missing or doubled, which is then reported.
  init?(header: CSVRecords.Record, reading: inout FenceReading) {
    columns = header.fields.map { FenceCSV.Column(title: $0.text) }
    var isSound = true
    for (index, column) in columns.enumerated() where column != nil {
      guard columns[..<index].contains(column) else { continue }
      reading.report(FenceProblem(.duplicateColumn, at: header.fields[index], column: column))
      isSound = false
    }
    if header.fields.count == 1, header.fields[0].text.contains(";") {
      reading.report(FenceProblem(.semicolons, at: header.fields[0], column: nil))
      return nil
    }
    for column in FenceCSV.Column.allCases where column.isNeeded && !columns.contains(column) {
      reading.report(FenceProblem(.missing, at: header.fields.last, column: column))
      isSound = false
    }
    if !isSound { return nil }
  }

  func read(_ record: CSVRecords.Record, item: Int, into reading: inout FenceReading) {
    var row = Row(item: item, record: record, columns: columns)
    let id = row.readID(&reading)
    if record.fields.count != columns.count {
      row.report(
        .wrongFieldCount(expected: columns.count, found: record.fields.count), nil, &reading)
    }
    let center = row.readCenter(&reading)
    let radius = row.readRadius(&reading)
    guard row.isSound, let id, let center, let radius else { return }
    reading.add(
      Fence(
        id: Fence.ID(id), name: row.text(.name), area: .circle(center: center, radius: radius),
        timeZone: row.text(.timeZone)))
  }
}

/// One fence's fields.
private struct Row {
  let item: Int
  let record: CSVRecords.Record
  let columns: [FenceCSV.Column?]
  var id: String?
  var isSound = true

  private func field(_ column: FenceCSV.Column) -> CSVRecords.Field? {
    guard let index = columns.firstIndex(of: column), index < record.fields.count else {
      return nil
    }
    return record.fields[index]
  }

  /// The text of a field without spaces around it; nil where there is none.
  func text(_ column: FenceCSV.Column) -> String? {
    guard let text = field(column)?.text.trimmingSpaces, !text.isEmpty else { return nil }
    return text
  }

  mutating func report(
    _ kind: FenceProblem.Kind, _ column: FenceCSV.Column?, _ reading: inout FenceReading
  ) {
    isSound = false
    let place = column.flatMap(field) ?? record.fields.first
    var problem = FenceProblem(kind, at: place, column: column)
    problem.item = item
    problem.id = id
    reading.report(problem)
  }

  mutating func readID(_ reading: inout FenceReading) -> String? {
    guard let id = text(.id) else {
      report(.emptyID, .id, &reading)
      return nil
    }
    self.id = id
    if let first = reading.firstPlace(of: id, item: item) {
      report(.duplicateID(first: first), .id, &reading)
    }
    return id
  }

  private mutating func readNumber(
    _ column: FenceCSV.Column, _ reading: inout FenceReading
  ) -> Double? {
    guard let text = text(column) else {
      report(.missing, column, &reading)
      return nil
    }
    if let number = text.decimalNumber { return number }
    let found = String(text.prefix(40))
    report(
      text.hasDecimalComma ? .decimalComma(found: found) : .notANumber(found: found), column,
      &reading)
    return nil
  }

  mutating func readCenter(_ reading: inout FenceReading) -> Coordinate? {
    let latitude = readNumber(.latitude, &reading)
    let longitude = readNumber(.longitude, &reading)
    if let latitude, abs(latitude) > 90 {
      report(.latitudeOutOfRange(latitude), .latitude, &reading)
    }
    if let longitude, abs(longitude) > 180 {
      report(.longitudeOutOfRange(longitude), .longitude, &reading)
    }
    guard let latitude, let longitude else { return nil }
    let problems = FixProblem.problems(
      latitude: latitude, longitude: longitude, accuracyMeters: nil)
    if problems.contains(.looksSwapped) {
      report(.looksSwapped(latitude: latitude, longitude: longitude), .latitude, &reading)
    }
    return Coordinate(latitude: latitude, longitude: longitude)
  }

  mutating func readRadius(_ reading: inout FenceReading) -> Distance? {
    guard text(.radius) != nil else { return Fence.defaultRadius }
    guard let meters = readNumber(.radius, &reading) else { return nil }
    guard meters > 0, meters <= Fence.largestRadius.meters else {
      report(.radiusOutOfRange(meters), .radius, &reading)
      return nil
    }
    return .meters(meters)
  }
}

extension FenceProblem {
  fileprivate init(_ kind: Kind, at field: CSVRecords.Field?, column: FenceCSV.Column?) {
    self.init(kind, field: column?.rawValue)
    line = field?.line
    self.column = field?.column
  }

  fileprivate init(_ problem: CSVRecords.Problem, item: Int?) {
    switch problem {
    case .strayQuote(let line, let column):
      self.init(.malformed("a quotation mark within a field; put the field in quotes"), item: item)
      (self.line, self.column) = (line, column)
    case .textAfterQuotes(let line, let column):
      self.init(
        .malformed("text after the end of a field in quotes; double quotation marks within it"),
        item: item)
      (self.line, self.column) = (line, column)
    case .unclosedQuotes(let line, let column):
      self.init(.malformed("the quotes that begin here do not end"), item: item)
      (self.line, self.column) = (line, column)
    case .notUTF8(let line, let column):
      self.init(.wrongEncoding, item: item)
      (self.line, self.column) = (line, column)
    }
  }
}

extension String {
  fileprivate var trimmingSpaces: String {
    let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" || $0 == "\u{a0}" }
    guard let first = first, let last = last, isSpace(first) || isSpace(last) else { return self }
    guard let start = firstIndex(where: { !isSpace($0) }),
      let end = lastIndex(where: { !isSpace($0) })
    else { return "" }
    return String(self[start...end])
  }
}
