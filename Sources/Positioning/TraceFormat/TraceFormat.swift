/// The formats in which traces come.
public enum TraceFormat: String, CaseIterable, Sendable {
  /// NMEA 0183 sentences, as receivers write them.
  case nmea
  case gpx
  /// Separated values with a header.
  case csv
  /// A fix a line, in our own JSON.
  case ndjson
  /// The JSON lines of gpsd.
  case gpsd

  /// The format that a file's name promises by its extension; nil where it promises none.
  ///
  /// A promise only: what is found in the content is stronger.
  public init?(fileName: String) {
    guard let dot = fileName.lastIndex(of: ".") else { return nil }
    switch fileName[fileName.index(after: dot)...].lowercased() {
    case "nmea", "nma", "nmea0183": self = .nmea
    case "gpx": self = .gpx
    case "csv", "tsv": self = .csv
    case "ndjson", "jsonl": self = .ndjson
    default: return nil
    }
  }
}
