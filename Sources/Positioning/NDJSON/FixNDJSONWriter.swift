import Geo
import JSON

/// Writes fixes as NDJSON, a fix a line, in a buffer that keeps its room.
///
/// What is unknown is left out; `simulated` is always there. Numbers are the shortest that read back
/// as the same value. A line allocates nothing while the subject stays the same.
///
///     var writer = FixNDJSONWriter()
///     writer.append(fix, subject: SubjectID("D1"))
///     output.write(writer.bytes)
///     writer.removeAll()
public struct FixNDJSONWriter: Sendable {
  /// What was written since the start or the last `removeAll`.
  public private(set) var bytes: [UInt8] = []

  private var subject: SubjectID?
  /// The subject as JSON.
  private var escapedSubject: [UInt8] = []

  public init() {}

  /// Forgets what was written and keeps its room.
  public mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  /// Appends one line.
  public mutating func append(_ fix: Fix, subject: SubjectID?) {
    append("{")
    if let subject {
      escape(subject)
      append("\"subject\":")
      bytes.append(contentsOf: escapedSubject)
      append(",")
    }
    append("\"time\":\"")
    fix.time.append(to: &bytes)
    append("\"")
    append(",\"lat\":", fix.coordinate.latitude)
    append(",\"lng\":", fix.coordinate.longitude)
    append(",\"accuracyMeters\":", fix.accuracy?.meters)
    append(",\"speedMetersPerSecond\":", fix.speed?.metersPerSecond)
    append(",\"courseDegrees\":", fix.course?.degrees)
    append(",\"altitudeMeters\":", fix.altitude?.meters)
    if let source = fix.source {
      append(",\"source\":\"")
      bytes.append(contentsOf: source.rawValue.utf8)
      append("\"")
    }
    append(fix.isSimulated ? ",\"simulated\":true}\n" : ",\"simulated\":false}\n")
  }

  private mutating func escape(_ subject: SubjectID) {
    guard self.subject != subject else { return }
    var json = JSONWriter()
    json.value(subject.rawValue)
    escapedSubject = json.bytes
    self.subject = subject
  }

  private mutating func append(_ name: StaticString, _ number: Double?) {
    guard let number else { return }
    append(name)
    bytes.append(decimal: number)
  }

  private mutating func append(_ text: StaticString) {
    text.withUTF8Buffer { bytes.append(contentsOf: $0) }
  }
}
