/// A length; made by its unit and read by its unit.
public struct Distance: Hashable, Comparable, Sendable {
  /// The length in meters.
  public let meters: Double

  @inlinable init(meters: Double) { self.meters = meters }

  /// A length of so many meters.
  @inlinable public static func meters(_ meters: Double) -> Distance { Distance(meters: meters) }

  /// No length at all.
  public static let zero = Distance.meters(0)

  @inlinable public static func < (a: Distance, b: Distance) -> Bool { a.meters < b.meters }
  @inlinable public static func + (a: Distance, b: Distance) -> Distance {
    .meters(a.meters + b.meters)
  }
  @inlinable public static func - (a: Distance, b: Distance) -> Distance {
    .meters(a.meters - b.meters)
  }
}
