import Geo

/// The rings of an area as bytes: half the size of their text, and exact.
///
/// A version (1); then, for each level, a count (32 bits, little end first) before its parts:
/// polygons, their rings (the outer one first), their corners, of which each is a latitude and a
/// longitude (64 bits each, IEEE 754).
extension MultiPolygon {
  private static let version: UInt8 = 1

  var bytes: [UInt8] {
    var bytes = [MultiPolygon.version]
    func append(_ count: Int) {
      withUnsafeBytes(of: UInt32(count).littleEndian) { bytes += $0 }
    }
    append(polygons.count)
    for polygon in polygons {
      append(polygon.holes.count + 1)
      for ring in [polygon.outer] + polygon.holes {
        append(ring.corners.count)
        for corner in ring.corners {
          for degrees in [corner.latitude, corner.longitude] {
            withUnsafeBytes(of: degrees.bitPattern.littleEndian) { bytes += $0 }
          }
        }
      }
    }
    return bytes
  }

  /// Reads what `bytes` writes; nil for anything else.
  init?(bytes: [UInt8]) {
    guard bytes.first == MultiPolygon.version else { return nil }
    var reader = Reader(rest: bytes.dropFirst())
    var polygons: [Polygon] = []
    guard let count = reader.count(ofPartsOfAtLeast: 4) else { return nil }
    for _ in 0..<count {
      guard let polygon = reader.polygon() else { return nil }
      polygons.append(polygon)
    }
    guard reader.rest.isEmpty else { return nil }
    self.init(polygons: polygons)
  }
}

private struct Reader {
  var rest: ArraySlice<UInt8>

  mutating func number<Number: FixedWidthInteger>(as type: Number.Type) -> Number? {
    let size = MemoryLayout<Number>.size
    guard rest.count >= size else { return nil }
    let number = rest.prefix(size).reversed().reduce(Number(0)) { $0 << 8 | Number($1) }
    rest = rest.dropFirst(size)
    return number
  }

  /// A count that the rest can hold, so that a wrong one reserves no memory.
  mutating func count(ofPartsOfAtLeast size: Int) -> Int? {
    guard let count = number(as: UInt32.self), Int(count) <= rest.count / size else { return nil }
    return Int(count)
  }

  mutating func polygon() -> Polygon? {
    guard let count = count(ofPartsOfAtLeast: 4), count > 0 else { return nil }
    var rings: [Ring] = []
    for _ in 0..<count {
      guard let ring = ring() else { return nil }
      rings.append(ring)
    }
    return Polygon(outer: rings[0], holes: Array(rings.dropFirst()))
  }

  private mutating func ring() -> Ring? {
    guard let count = count(ofPartsOfAtLeast: 16) else { return nil }
    var corners: [Coordinate] = []
    corners.reserveCapacity(count)
    for _ in 0..<count {
      guard let latitude = number(as: UInt64.self), let longitude = number(as: UInt64.self),
        let corner = Coordinate(
          latitude: Double(bitPattern: latitude), longitude: Double(bitPattern: longitude))
      else { return nil }
      corners.append(corner)
    }
    return try? Ring(corners: corners)
  }
}
