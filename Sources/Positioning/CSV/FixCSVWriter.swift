import Geo

/// Writes fixes as separated values (RFC 4180) with the columns that `FixCSVDecoder` calls its own.
///
/// What is unknown is an empty field.
public struct FixCSVWriter: Sendable {
  private static let header =
    "subject,time,lat,lng,accuracyMeters,speedMetersPerSecond,courseDegrees,altitudeMeters,source,"
    + "simulated\r\n"

  /// What was written since the start or the last `removeAll`; it begins with the header.
  public private(set) var bytes = Array(FixCSVWriter.header.utf8)

  public init() {}

  /// Forgets what was written and keeps its room; the header is not written again.
  public mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  /// Appends one record.
  public mutating func append(_ fix: Fix, subject: SubjectID?) {
    append(field: subject?.rawValue ?? "")
    append(",\(fix.time),")
    append(fix.coordinate.latitude)
    append(",")
    append(fix.coordinate.longitude)
    for number in [
      fix.accuracy?.meters, fix.speed?.metersPerSecond, fix.course?.degrees, fix.altitude?.meters,
    ] {
      append(",")
      if let number { append(number) }
    }
    append(",\(fix.source?.rawValue ?? ""),\(fix.isSimulated)\r\n")
  }

  private mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

  private mutating func append(_ number: Double) { bytes.append(decimal: number) }

  private mutating func append(field: String) {
    guard field.utf8.contains(where: { ",\"\r\n".utf8.contains($0) }) else { return append(field) }
    bytes.append(.quote)
    for byte in field.utf8 {
      if byte == .quote { bytes.append(.quote) }
      bytes.append(byte)
    }
    bytes.append(.quote)
  }
}
