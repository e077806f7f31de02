import Geo

/// Reads whole traces from files or standard input, in constant memory.
public struct TraceReader: Sendable {
  private let nmea: NMEADecoder.Settings

  /// - Parameter nmea: How NMEA is read; its range error holds for HDOP in every format.
  public init(nmea: NMEADecoder.Settings = NMEADecoder.Settings()) { self.nmea = nmea }

  /// Reads a trace to its end and gives what it holds, in order, to `body`.
  ///
  /// - Parameters:
  ///   - format: The format, where it need not be found out.
  ///   - reference: Near which the first fix of NMEA is where the recording has no date; the time of
  ///     the file's last change where nil.
  /// - Returns: The format; nil where it could not be found out, which `body` got as a `Dropped`.
  /// - Throws: `TraceError`, or what `body` throws.
  @discardableResult
  public func read(
    _ source: TraceSource, as format: TraceFormat? = nil, reference: Timestamp? = nil,
    _ body: (Decoded) throws -> Void
  ) throws -> TraceFormat? {
    let input = try TraceInput(source)
    var decoder = TraceDecoder(
      format: format, fileName: source.name, reference: reference ?? input.modificationTime,
      nmea: nmea)
    var found: [Decoded] = []
    try input.read { bytes in
      decoder.decode(bytes, into: &found)
      for decoded in found { try body(decoded) }
      found.removeAll(keepingCapacity: true)
    }
    decoder.finish(into: &found)
    for decoded in found { try body(decoded) }
    return decoder.format
  }
}
