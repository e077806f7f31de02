import Geo
import Geofencing
import Positioning

/// A parser that is fed any bytes at all, and what must hold whatever it makes of them.
///
/// The same promises are kept by the fuzzer, which looks for bytes that break them, and by the
/// tests, which replay what it once found.
public enum FuzzTarget: String, CaseIterable, Sendable {
  case timestamp
  case json
  case nmea
  case nmeaLive = "nmea-live"
  case gpx
  case csv
  case ndjson
  case gpsdJSON = "gpsd-json"
  case trace
  case geojson
  case fenceCSV = "fence-csv"
  case address

  /// Feeds the bytes; says which promise they broke, or nil where all held.
  public func brokenPromise(_ bytes: UnsafeRawBufferPointer) -> String? {
    switch self {
    case .timestamp: timestampPromise(bytes)
    case .json: jsonPromise(bytes)
    case .nmea: decoderPromise(bytes) { NMEADecoder(mode: .recorded(reference: nil)) }
    case .nmeaLive: decoderPromise(bytes) { NMEADecoder(mode: .live) }
    case .gpx: decoderPromise(bytes) { GPXDecoder() }
    case .csv: decoderPromise(bytes) { FixCSVDecoder() }
    case .ndjson: decoderPromise(bytes) { FixNDJSONDecoder() }
    case .gpsdJSON: decoderPromise(bytes) { GPSDJSONDecoder() }
    case .trace:
      decoderPromise(bytes) { TraceDecoder() }
    case .geojson: fencePromise(FenceGeoJSON.read(Array(bytes)))
    case .fenceCSV: fencePromise(FenceCSV.read(Array(bytes)))
    case .address: addressPromise(bytes)
    }
  }

  /// Whose corpus this starts from: targets that read the same format share one.
  public var corpus: String {
    switch self {
    case .nmeaLive, .trace: FuzzTarget.nmea.rawValue
    default: rawValue
    }
  }
}
