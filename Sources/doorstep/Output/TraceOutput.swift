import Geo
import Positioning

/// Writes fixes as a trace of one of the formats that we write.
struct TraceOutput: ~Copyable {
  private enum Writer {
    case nmea(NMEAWriter)
    case gpx(GPXWriter)
    case ndjson(FixNDJSONWriter)
  }

  private var writer: Writer
  private var output = StandardOutput()
  /// Fixes that the format cannot say, as NMEA no year before 1980.
  private(set) var unwritable = 0

  /// Starts a trace; GPX names its track by `subject`.
  init(format: SimulateCommand.Format, subject: SubjectID) {
    writer =
      switch format {
      case .nmea: .nmea(NMEAWriter())
      case .gpx: .gpx(GPXWriter(name: subject.rawValue))
      case .ndjson: .ndjson(FixNDJSONWriter())
      }
  }

  /// Writes a fix; only NDJSON says whose it is.
  mutating func write(_ fix: Fix, of subject: SubjectID) throws {
    switch writer {
    case .nmea(let writer):
      var bytes: [UInt8] = []
      do { try writer.write(fix, to: &bytes) } catch {
        unwritable += 1
        return
      }
      try output.write(bytes)
    case .gpx(var gpx):
      gpx.append(fix)
      try output.write(gpx.bytes)
      gpx.removeAll()
      writer = .gpx(gpx)
    case .ndjson(var ndjson):
      ndjson.append(fix, subject: subject)
      try output.write(ndjson.bytes)
      ndjson.removeAll()
      writer = .ndjson(ndjson)
    }
  }

  mutating func flush() throws(CommandFailure) { try output.flush() }

  mutating func finish() throws {
    if case .gpx(var gpx) = writer {
      gpx.finish()
      try output.write(gpx.bytes)
    }
    try output.flush()
  }
}
