import Geo

/// Reads a trace of any format, which it finds out by the first bytes.
///
/// Holds at most 64 KiB until it knows. Where the content tells nothing, the extension of the file's
/// name decides; where that does not either, the input is dropped as `unknown_format`, and text of
/// 16-bit characters (other than GPX) as `wrong_encoding`, once and whole.
public struct TraceDecoder: FixDecoder {
  /// The format, once it is known.
  public private(set) var format: TraceFormat?

  private let promised: TraceFormat?
  private let reference: Timestamp?
  private let nmea: NMEADecoder.Settings
  private var sniffer = TraceSniffer()
  private var decoder: (any FixDecoder)?
  private var isRefused = false

  /// - Parameters:
  ///   - format: The format, where it is known already.
  ///   - fileName: The name whose extension decides where the content does not.
  ///   - reference: Near which the first fix of NMEA is where the recording has no date; nil where
  ///     such fixes are to be dropped.
  ///   - nmea: How NMEA is read; its range error holds for HDOP in every format.
  public init(
    format: TraceFormat? = nil, fileName: String = "", reference: Timestamp? = nil,
    nmea: NMEADecoder.Settings = NMEADecoder.Settings()
  ) {
    promised = TraceFormat(fileName: fileName)
    self.reference = reference
    self.nmea = nmea
    if let format { begin(format) }
  }

  public mutating func decode(_ bytes: UnsafeRawBufferPointer, into output: inout [Decoded]) {
    var index = 0
    if decoder == nil, !isRefused, let finding = sniffer.take(bytes, at: &index) {
      begin(finding, into: &output)
    }
    decoder?.decode(UnsafeRawBufferPointer(rebasing: bytes[index...]), into: &output)
  }

  public mutating func finish(into output: inout [Decoded]) {
    if decoder == nil, !isRefused { begin(sniffer.finish(), into: &output) }
    decoder?.finish(into: &output)
  }

  private mutating func begin(_ finding: TraceSniffer.Finding, into output: inout [Decoded]) {
    switch finding {
    case .format(let format): begin(format)
    case .wrongEncoding:
      refuse(.wrongEncoding, "the text is UTF-16; save it as UTF-8", into: &output)
    case .unknown:
      if let promised {
        begin(promised)
      } else {
        let isEmpty = sniffer.prefix.isEmpty
        refuse(
          .unknownFormat, isEmpty ? "the input is empty" : "neither NMEA, GPX, CSV nor JSON",
          into: &output)
      }
    }
    sniffer.prefix.withUnsafeBytes { decoder?.decode($0, into: &output) }
    sniffer = TraceSniffer()
  }

  private mutating func begin(_ format: TraceFormat) {
    self.format = format
    decoder =
      switch format {
      case .nmea: NMEADecoder(mode: .recorded(reference: reference), settings: nmea)
      case .gpx: GPXDecoder(userRangeError: nmea.userRangeError)
      case .csv: FixCSVDecoder(userRangeError: nmea.userRangeError)
      case .ndjson: FixNDJSONDecoder()
      case .gpsd: GPSDJSONDecoder(userRangeError: nmea.userRangeError)
      }
  }

  private mutating func refuse(
    _ reason: Dropped.Reason, _ detail: String, into output: inout [Decoded]
  ) {
    isRefused = true
    output.append(
      .dropped(Dropped(reason: reason, position: InputPosition(), detail: detail)))
  }
}
