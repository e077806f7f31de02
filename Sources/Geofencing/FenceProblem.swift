import Geo

/// One thing that is wrong with a file of fences: what, and where.
public struct FenceProblem: Error, Hashable, Sendable {
  public var kind: Kind
  /// The file's name; nil where a single one was read.
  public var file: String?
  /// Which fence of the file, from 1; nil where it is about the file.
  public var item: Int?
  /// The fence's id, as far as it has one.
  public var id: String?
  /// Which member or column, as `properties.radiusMeters` or `lat`.
  public var field: String?
  /// Where in the file, from 1.
  public var line: Int?
  /// Which Unicode scalar of the line, from 1.
  public var column: Int?

  /// Where a fence is.
  public struct Place: Hashable, Sendable {
    public let file: String?
    /// Which fence of the file, from 1.
    public let item: Int
  }

  public enum Kind: Hashable, Sendable {
    /// The text cannot be taken apart; the message says why.
    case malformed(String)
    case wrongEncoding
    case missing
    case wrongType(expected: String, found: String)
    case notANumber(found: String)
    case decimalComma(found: String)
    case latitudeOutOfRange(Double)
    case longitudeOutOfRange(Double)
    /// A hint beside the others: exchanged, latitude and longitude would be in range.
    case looksSwapped(latitude: Double, longitude: Double)
    case radiusOutOfRange(Double)
    case outOfRange(Double, least: Double, most: Double)
    case unsupportedGeometry(String)
    case ringTooShort(positions: Int)
    case ringNotClosed
    /// Fewer than three distinct corners.
    case ringWithoutArea
    case emptyID
    case duplicateID(first: Place)
    case duplicateColumn
    case semicolons
    case wrongFieldCount(expected: Int, found: Int)
  }

  init(_ kind: Kind, item: Int? = nil, id: String? = nil, field: String? = nil) {
    self.kind = kind
    self.item = item
    self.id = id
    self.field = field
  }
}

extension FenceProblem {
  /// The kind as scripts and answers name it.
  public var code: String {
    switch kind {
    case .malformed: "malformed"
    case .wrongEncoding: "wrong_encoding"
    case .missing: "missing"
    case .wrongType: "wrong_type"
    case .notANumber: "not_a_number"
    case .decimalComma: "decimal_comma"
    case .latitudeOutOfRange: "lat_out_of_range"
    case .longitudeOutOfRange: "lng_out_of_range"
    case .looksSwapped: "looks_swapped"
    case .radiusOutOfRange: "radius_out_of_range"
    case .outOfRange: "out_of_range"
    case .unsupportedGeometry: "unsupported_geometry"
    case .ringTooShort: "ring_too_short"
    case .ringNotClosed: "ring_not_closed"
    case .ringWithoutArea: "ring_without_area"
    case .emptyID: "empty_id"
    case .duplicateID: "duplicate_id"
    case .duplicateColumn: "duplicate_column"
    case .semicolons: "semicolons"
    case .wrongFieldCount: "wrong_field_count"
    }
  }

  /// What is wrong and what would be right, without the place.
  public var message: String {
    switch kind {
    case .malformed(let message): message
    case .wrongEncoding: "the text is not UTF-8; save the file as UTF-8"
    case .missing: "is missing"
    case .wrongType(let expected, let found): "expected \(expected), found \(found)"
    case .notANumber(let found): "'\(found)' is not a number"
    case .decimalComma(let found): "'\(found)' has a decimal comma; write a point"
    case .latitudeOutOfRange(let value): "latitude \(value) is not in -90...90"
    case .longitudeOutOfRange(let value): "longitude \(value) is not in -180...180"
    case .looksSwapped(let latitude, let longitude):
      "latitude \(latitude) and longitude \(longitude) look exchanged"
    case .radiusOutOfRange(let meters):
      "a radius of \(meters) m is not above 0 and at most \(Fence.largestRadius.meters) m"
    case .outOfRange(let value, let least, let most): "\(value) is not in \(least)...\(most)"
    case .unsupportedGeometry(let type):
      "a geometry of type \(type) is no fence; use a Point, a Polygon or a MultiPolygon"
    case .ringTooShort(let positions):
      "a ring has at least 4 positions, the last equal to the first; this one has \(positions)"
    case .ringNotClosed: "the last position of a ring must equal the first"
    case .ringWithoutArea: "the ring has fewer than 3 distinct corners"
    case .emptyID: "the id is empty"
    case .duplicateID(let first):
      "the id belongs to fence \(first.item)\(first.file.map { " of \($0)" } ?? "") already"
    case .duplicateColumn: "there is another column for this"
    case .semicolons: "fields are separated by semicolons; save the file with commas"
    case .wrongFieldCount(let expected, let found):
      "\(found) fields, but the header has \(expected); a comma within a field needs quotes,"
        + " and a decimal comma must be a point"
    }
  }
}

extension FenceProblem: CustomStringConvertible {
  /// File, line and column, fence, field and message.
  public var description: String {
    var place: [String] = []
    if let file { place.append(file) }
    if let line { place.append("line \(line)") }
    if let column { place.append("column \(column)") }
    var parts = place.isEmpty ? [] : [place.joined(separator: ", ")]
    if let item { parts.append("fence \(item)" + (id.map { " (\($0))" } ?? "")) }
    if let field { parts.append(field) }
    return (parts + [message]).joined(separator: ": ")
  }
}

extension Fence {
  /// The largest radius that a file may give: 20 000 km, just short of the opposite point.
  public static let largestRadius = Distance.meters(20_000_000)
}
