import Geo

/// A time that is read is written as the same time.
func timestampPromise(_ bytes: UnsafeRawBufferPointer) -> String? {
  bytes.withMemoryRebound(to: UInt8.self) { bytes in
    guard let time = try? Timestamp(iso8601: bytes) else { return nil }
    guard let again = try? Timestamp(iso8601: time.description) else {
      return "\(time) is written and cannot be read again"
    }
    return again == time ? nil : "\(time) is read again as \(again)"
  }
}
