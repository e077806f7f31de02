import Geo

/// The decoder of a live stream: NMEA, or what gpsd sends its clients, told apart by the first byte
/// that is not blank.
struct LiveDecoder {
  private enum Language {
    case unknown
    case nmea(NMEADecoder)
  }

  private let userRangeError: Distance
  private var language = Language.unknown

  /// Makes a decoder for which one of HDOP is `userRangeError`.
  init(userRangeError: Distance) { self.userRangeError = userRangeError }

  /// Whether it is gpsd's protocol.
  var isOfGPSD: Bool { false }

  /// Takes the next bytes and the time of their reception.
  mutating func decode(
    _ bytes: UnsafeRawBufferPointer, receivedAt: Timestamp, into output: inout [Decoded]
  ) {
    if case .unknown = language {
      guard bytes.contains(where: { $0 > 0x20 }) else { return }
      // Simulated positions come out labelled: whether they count is not a matter of decoding.
      language = .nmea(
        NMEADecoder(
          mode: .live, settings: .init(userRangeError: userRangeError, acceptsSimulated: true)))
    }
    switch language {
    case .unknown: break
    case .nmea(var decoder):
      language = .unknown
      decoder.decode(bytes, receivedAt: receivedAt, into: &output)
      language = .nmea(decoder)
    }
  }

  /// Takes that nothing came for a while.
  mutating func flush(into output: inout [Decoded]) {
    guard case .nmea(var decoder) = language else { return }
    language = .unknown
    decoder.flush(into: &output)
    language = .nmea(decoder)
  }

  /// Takes the end of the stream.
  mutating func finish(into output: inout [Decoded]) {
    guard case .nmea(var decoder) = language else { return }
    language = .unknown
    decoder.finish(into: &output)
    language = .nmea(decoder)
  }
}
