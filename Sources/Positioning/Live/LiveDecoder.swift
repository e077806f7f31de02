import Geo

/// The decoder of a live stream: NMEA, or what gpsd sends its clients, told apart by the first byte
/// that is not blank.
struct LiveDecoder {
  private let userRangeError: Distance
  private var nmea: NMEADecoder?
  private var gpsd: GPSDJSONDecoder?

  /// Makes a decoder for which one of HDOP is `userRangeError`.
  init(userRangeError: Distance) { self.userRangeError = userRangeError }

  /// Whether the stream is found to be gpsd's.
  var isOfGPSD: Bool { gpsd != nil }

  /// Takes the next bytes and the time of their reception.
  mutating func decode(
    _ bytes: UnsafeRawBufferPointer, receivedAt: Timestamp, into output: inout [Decoded]
  ) {
    if nmea == nil, gpsd == nil {
      guard let first = bytes.first(where: { $0 > 0x20 }) else { return }
      if first == UInt8(ascii: "{") {
        gpsd = GPSDJSONDecoder(userRangeError: userRangeError)
      } else {
        // Simulated positions come out labelled: whether they count is no matter of decoding.
        let settings = NMEADecoder.Settings(userRangeError: userRangeError, acceptsSimulated: true)
        nmea = NMEADecoder(mode: .live, settings: settings)
      }
    }
    nmea?.decode(bytes, receivedAt: receivedAt, into: &output)
    gpsd?.decode(bytes, receivedAt: receivedAt, into: &output)
  }

  /// Takes that nothing came for a while.
  mutating func flush(into output: inout [Decoded]) {
    nmea?.flush(into: &output)
    gpsd?.flush(into: &output)
  }

  /// Takes the end of the stream.
  mutating func finish(into output: inout [Decoded]) {
    nmea?.finish(into: &output)
    gpsd?.finish(into: &output)
  }
}
