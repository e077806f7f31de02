import Geo

/// Writes one track as GPX 1.1, point by point.
///
/// Speed and course stand in Garmin's TrackPointExtension, where most programs look for them;
/// accuracy and the mark of a simulated position in a namespace of our own; the source in `src`.
/// `GPXDecoder` reads all of them back.
///
///     var writer = GPXWriter(name: "D1")
///     for fix in fixes { writer.append(fix) }
///     writer.finish()
public struct GPXWriter: Sendable {
  /// What was written since the start or the last `removeAll`.
  public private(set) var bytes: [UInt8] = []

  /// Begins a document with one track.
  public init(name: String) {
    append(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <gpx version="1.1" creator="Doorstep" xmlns="http://www.topografix.com/GPX/1/1" \
      xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v2" \
      xmlns:d="urn:doorstep:gpx:1">
      <trk><name>
      """)
    append(escaping: name)
    append("</name><trkseg>\n")
  }

  /// Forgets what was written and keeps its room.
  public mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  /// Ends the segment and begins another: the straight line between its fixes is not part of the way.
  public mutating func beginSegment() { append("</trkseg><trkseg>\n") }

  /// Appends one point.
  public mutating func append(_ fix: Fix) {
    append("<trkpt lat=\"")
    bytes.append(decimal: fix.coordinate.latitude)
    append("\" lon=\"")
    bytes.append(decimal: fix.coordinate.longitude)
    append("\">")
    append("ele", fix.altitude?.meters)
    append("<time>")
    append(fix.time.description)
    append("</time>")
    if let source = fix.source {
      append("<src>")
      append(source.rawValue)
      append("</src>")
    }
    appendExtensions(of: fix)
    append("</trkpt>\n")
  }

  /// Ends the document; nothing may follow.
  public mutating func finish() { append("</trkseg></trk>\n</gpx>\n") }

  private mutating func appendExtensions(of fix: Fix) {
    let hasMotion = fix.speed != nil || fix.course != nil
    guard hasMotion || fix.accuracy != nil || fix.isSimulated else { return }
    append("<extensions>")
    if hasMotion {
      append("<gpxtpx:TrackPointExtension>")
      append("gpxtpx:speed", fix.speed?.metersPerSecond)
      append("gpxtpx:course", fix.course?.degrees)
      append("</gpxtpx:TrackPointExtension>")
    }
    append("d:accuracy", fix.accuracy?.meters)
    if fix.isSimulated { append("<d:simulated>true</d:simulated>") }
    append("</extensions>")
  }

  private mutating func append(_ element: StaticString, _ number: Double?) {
    guard let number else { return }
    append("<")
    append(contentsOf: element)
    append(">")
    bytes.append(decimal: number)
    append("</")
    append(contentsOf: element)
    append(">")
  }

  private mutating func append(contentsOf text: StaticString) {
    text.withUTF8Buffer { bytes.append(contentsOf: $0) }
  }

  private mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

  /// Leaves out what XML 1.0 cannot say at all.
  private mutating func append(escaping text: String) {
    for scalar in text.unicodeScalars {
      switch scalar {
      case "<": append("&lt;")
      case ">": append("&gt;")
      case "&": append("&amp;")
      case "\r": append("&#13;")
      case "\t", "\n", " "..."\u{fffd}", "\u{10000}"...: append(String(scalar))
      default: break
      }
    }
  }
}
