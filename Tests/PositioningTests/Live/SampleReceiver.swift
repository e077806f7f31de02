import Synchronization

/// What a receiver at rest says, second by second: made sentences that need no recording.
final class SampleReceiver: Sendable {
  /// Degrees and minutes north.
  private let latitude: String
  private let epochs = Mutex(0)

  init(latitude: String = "4812.34567") { self.latitude = latitude }

  /// RMC and GGA of the next second of 2025-06-15, each with its line end.
  func nextEpoch() -> [UInt8] {
    let second = epochs.withLock { count in
      defer { count += 1 }
      return count
    }
    let (hours, minutes, seconds) = (12, second / 60 % 60, second % 60)
    let time = [hours, minutes, seconds].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined()
    return Self.sentence("GNRMC,\(time).00,A,\(latitude),N,01622.11111,E,1.20,90.0,150625,,,A")
      + Self.sentence("GNGGA,\(time).00,\(latitude),N,01622.11111,E,1,09,0.90,180.1,M,43.0,M,,")
  }

  /// A sentence of this body, with its checksum.
  static func sentence(_ body: String) -> [UInt8] {
    let sum = body.utf8.reduce(0, ^)
    let hex = String(sum, radix: 16, uppercase: true)
    return Array("$\(body)*\(hex.count < 2 ? "0" : "")\(hex)\r\n".utf8)
  }
}
