import Geo
import Positioning

/// A parser that is fed any bytes at all, and what must hold whatever it makes of them.
///
/// The same promises are kept by the fuzzer, which looks for bytes that break them, and by the
/// tests, which replay what it once found.
public enum FuzzTarget: String, CaseIterable, Sendable {
  case timestamp

  /// Feeds the bytes; says which promise they broke, or nil where all held.
  public func brokenPromise(_ bytes: UnsafeRawBufferPointer) -> String? {
    switch self {
    case .timestamp: timestampPromise(bytes)
    }
  }
}

/// A time that is read is written as the same time.
private func timestampPromise(_ bytes: UnsafeRawBufferPointer) -> String? {
  bytes.withMemoryRebound(to: UInt8.self) { bytes in
    guard let time = try? Timestamp(iso8601: bytes) else { return nil }
    guard let again = try? Timestamp(iso8601: time.description) else {
      return "\(time) is written and cannot be read again"
    }
    return again == time ? nil : "\(time) is read again as \(again)"
  }
}
