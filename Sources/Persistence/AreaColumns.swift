import Geo
import Geofencing

/// An area as the columns `kind`, `lat`, `lng`, `radius_meters` and `rings`.
extension Fence.Area {
  var databaseValues: [DatabaseValue] {
    switch self {
    case .circle(let center, let radius):
      [
        .text("circle"), .real(center.latitude), .real(center.longitude), .real(radius.meters),
        .null,
      ]
    case .polygons(let polygons):
      [.text("polygons"), .null, .null, .null, .bytes(polygons.bytes)]
    }
  }
}

extension DatabaseRow {
  /// The area whose five columns begin at this one.
  func area(from column: Int32) throws(DatabaseError) -> Fence.Area {
    if try text(column) == "polygons" {
      return .polygons(try required(MultiPolygon(bytes: try bytes(column + 4)), column + 4))
    }
    return .circle(
      center: try required(try coordinateIfAny(column + 1), column + 1),
      radius: .meters(try real(column + 3)))
  }

  /// The coordinate whose latitude stands in this column and whose longitude in the next; nil for
  /// NULL.
  func coordinateIfAny(_ column: Int32) throws(DatabaseError) -> Coordinate? {
    guard let latitude = realIfAny(column), let longitude = realIfAny(column + 1) else {
      return nil
    }
    return try required(Coordinate(latitude: latitude, longitude: longitude), column)
  }
}
