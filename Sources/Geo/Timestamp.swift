/// An instant of UTC, to the millisecond, as every fix and event carries it.
///
/// POSIX time: it has no name for a leap second.
public struct Timestamp: Hashable, Comparable, Sendable {
  /// Milliseconds since 1970-01-01T00:00:00Z.
  public let millisecondsSince1970: Int64

  @inlinable public init(millisecondsSince1970: Int64) {
    self.millisecondsSince1970 = millisecondsSince1970
  }

  /// The instant so many seconds after 1970-01-01T00:00:00Z, rounded to the millisecond; nil where
  /// that is not finite or beyond the years 0000 to 9999.
  public init?(secondsSince1970: Double) {
    let milliseconds = (secondsSince1970 * 1000).rounded()
    guard
      milliseconds >= Double(Timestamp.earliest.millisecondsSince1970),
      milliseconds <= Double(Timestamp.latest.millisecondsSince1970)
    else { return nil }
    self.init(millisecondsSince1970: Int64(milliseconds))
  }

  /// 0000-01-01T00:00:00.000Z, the first instant that ISO 8601 writes with four digits of year.
  public static let earliest = Timestamp(millisecondsSince1970: -62_167_219_200_000)
  /// 9999-12-31T23:59:59.999Z, the last.
  public static let latest = Timestamp(millisecondsSince1970: 253_402_300_799_999)

  @inlinable public static func < (a: Timestamp, b: Timestamp) -> Bool {
    a.millisecondsSince1970 < b.millisecondsSince1970
  }

  /// The milliseconds from `earlier` to this instant; negative where this one is before it.
  @inlinable public func milliseconds(since earlier: Timestamp) -> Int64 {
    millisecondsSince1970 - earlier.millisecondsSince1970
  }

  /// The seconds from `earlier` to this instant; negative where this one is before it.
  @inlinable public func seconds(since earlier: Timestamp) -> Double {
    Double(milliseconds(since: earlier)) / 1000
  }

  /// This instant moved by so many milliseconds.
  @inlinable public func advanced(byMilliseconds milliseconds: Int64) -> Timestamp {
    Timestamp(millisecondsSince1970: millisecondsSince1970 + milliseconds)
  }

  /// This instant moved by so many seconds, rounded to the millisecond, and kept within the years
  /// that can be written. NaN moves it nowhere.
  public func advanced(bySeconds seconds: Double) -> Timestamp {
    let moved = Double(millisecondsSince1970) + (seconds * 1000).rounded()
    if moved.isNaN { return self }
    if moved <= Double(Timestamp.earliest.millisecondsSince1970) { return .earliest }
    if moved >= Double(Timestamp.latest.millisecondsSince1970) { return .latest }
    return advanced(byMilliseconds: Int64((seconds * 1000).rounded()))
  }
}
