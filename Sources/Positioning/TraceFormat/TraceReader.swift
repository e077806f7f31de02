import Geo

/// Reads whole traces from files or standard input, in constant memory.
public struct TraceReader: Sendable {
  private let userRangeError: Distance
  private let makeNMEADecoder: @Sendable () -> any FixDecoder

  /// - Parameters:
  ///   - userRangeError: What one of HDOP is in meters, for the receivers of the traces.
  ///   - nmea: Makes the decoder of NMEA.
  public init(
    userRangeError: Distance = .meters(5), nmea: @escaping @Sendable () -> any FixDecoder
  ) {
    self.userRangeError = userRangeError
    makeNMEADecoder = nmea
  }

  /// Reads a trace to its end and gives what it holds, in order, to `body`.
  ///
  /// - Parameter format: The format, where it need not be found out.
  /// - Returns: The format; nil where it could not be found out, which `body` got as a `Dropped`.
  /// - Throws: `TraceError`, or what `body` throws.
  @discardableResult
  public func read(
    _ source: TraceSource, as format: TraceFormat? = nil, _ body: (Decoded) throws -> Void
  ) throws -> TraceFormat? {
    var decoder = TraceDecoder(
      format: format, fileName: source.name, userRangeError: userRangeError, nmea: makeNMEADecoder)
    var found: [Decoded] = []
    try source.read { bytes in
      decoder.decode(bytes, into: &found)
      for decoded in found { try body(decoded) }
      found.removeAll(keepingCapacity: true)
    }
    decoder.finish(into: &found)
    for decoded in found { try body(decoded) }
    return decoder.format
  }
}
