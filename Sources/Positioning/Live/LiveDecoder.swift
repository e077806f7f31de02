import Geo

/// The decoder of a live stream: NMEA, or what gpsd sends its clients, told apart by the first byte
/// that is not blank; of standard input any format, by its first line.
struct LiveDecoder {
  private let userRangeError: Distance
  /// Finds the format of what may be of any; nil where the first byte decides, or the format is
  /// known.
  private var sniffer: TraceSniffer?
  private var nmea: NMEADecoder?
  private var gpsd: GPSDJSONDecoder?
  /// Of a format that is of no receiver.
  private var recorded: (any FixDecoder)?

  /// Makes a decoder for which one of HDOP is `userRangeError`; with `takesAnyFormat` it reads what
  /// a file could hold too.
  init(userRangeError: Distance, takesAnyFormat: Bool = false) {
    self.userRangeError = userRangeError
    sniffer = takesAnyFormat ? TraceSniffer() : nil
  }

  /// Whether the stream is found to be gpsd's.
  var isOfGPSD: Bool { gpsd != nil }

  private var isDecided: Bool { nmea != nil || gpsd != nil || recorded != nil }

  /// Takes the next bytes and the time of their reception.
  mutating func decode(
    _ bytes: UnsafeRawBufferPointer, receivedAt: Timestamp, into output: inout [Decoded]
  ) {
    var rest = bytes
    if sniffer != nil {
      var index = 0
      guard let finding = sniffer?.take(bytes, at: &index) else { return }
      begin(finding, receivedAt: receivedAt, into: &output)
      rest = UnsafeRawBufferPointer(rebasing: bytes[index...])
    } else if !isDecided {
      guard let first = bytes.first(where: { $0 > 0x20 }) else { return }
      begin(first == UInt8(ascii: "{") ? .gpsd : .nmea)
    }
    feed(rest, receivedAt: receivedAt, into: &output)
  }

  private mutating func begin(
    _ finding: TraceSniffer.Finding, receivedAt: Timestamp, into output: inout [Decoded]
  ) {
    let prefix = sniffer?.prefix ?? []
    sniffer = nil
    // What is of no format may still hold sentences further on.
    if case .format(let format) = finding { begin(format) } else { begin(.nmea) }
    prefix.withUnsafeBytes { feed($0, receivedAt: receivedAt, into: &output) }
  }

  private mutating func begin(_ format: TraceFormat) {
    switch format {
    case .nmea:
      // Simulated positions come out labelled: whether they count is no matter of decoding.
      let settings = NMEADecoder.Settings(userRangeError: userRangeError, acceptsSimulated: true)
      nmea = NMEADecoder(mode: .live, settings: settings)
    case .gpsd: gpsd = GPSDJSONDecoder(userRangeError: userRangeError)
    case .gpx: recorded = GPXDecoder(userRangeError: userRangeError)
    case .csv: recorded = FixCSVDecoder(userRangeError: userRangeError)
    case .ndjson: recorded = FixNDJSONDecoder()
    }
  }

  private mutating func feed(
    _ bytes: UnsafeRawBufferPointer, receivedAt: Timestamp, into output: inout [Decoded]
  ) {
    nmea?.decode(bytes, receivedAt: receivedAt, into: &output)
    gpsd?.decode(bytes, receivedAt: receivedAt, into: &output)
    recorded?.decode(bytes, into: &output)
  }

  /// Takes that nothing came for a while.
  mutating func flush(into output: inout [Decoded]) {
    nmea?.flush(into: &output)
    gpsd?.flush(into: &output)
  }

  /// Takes the end of the stream, and the time at which it came.
  mutating func finish(at time: Timestamp, into output: inout [Decoded]) {
    if let finding = sniffer?.finish() { begin(finding, receivedAt: time, into: &output) }
    nmea?.finish(into: &output)
    gpsd?.finish(into: &output)
    recorded?.finish(into: &output)
  }
}
