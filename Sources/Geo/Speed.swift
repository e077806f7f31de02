/// A speed over ground; made by its unit and read by its unit.
public struct Speed: Hashable, Comparable, Sendable {
  /// The speed in meters per second.
  public let metersPerSecond: Double

  @inlinable init(metersPerSecond: Double) { self.metersPerSecond = metersPerSecond }

  @inlinable public static func metersPerSecond(_ value: Double) -> Speed {
    Speed(metersPerSecond: value)
  }

  /// International knots: 1852 m an hour.
  @inlinable public static func knots(_ value: Double) -> Speed {
    Speed(metersPerSecond: value * 1852 / 3600)
  }

  @inlinable public static func kilometersPerHour(_ value: Double) -> Speed {
    Speed(metersPerSecond: value / 3.6)
  }

  /// The speed in international knots.
  @inlinable public var knots: Double { metersPerSecond * 3600 / 1852 }

  @inlinable public static func < (a: Speed, b: Speed) -> Bool {
    a.metersPerSecond < b.metersPerSecond
  }
}
