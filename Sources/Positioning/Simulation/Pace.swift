import Geo

/// How somebody moves along a way.
public struct Pace: Hashable, Sendable {
  /// The speed on a straight way.
  public var cruise: Speed
  /// The speed around a right angle, and anything sharper.
  public var turning: Speed
  /// How fast speed is gained and lost, in meters per second squared; above 0.
  public var accelerationMetersPerSecondSquared: Double

  public init(cruise: Speed, turning: Speed, accelerationMetersPerSecondSquared: Double) {
    self.cruise = cruise
    self.turning = turning
    self.accelerationMetersPerSecondSquared = accelerationMetersPerSecondSquared
  }

  /// A pedestrian's 1.4 m/s.
  public static let walking = Pace(
    cruise: .metersPerSecond(1.4), turning: .metersPerSecond(0.8),
    accelerationMetersPerSecondSquared: 0.7)

  /// A car in a city, at 50 km/h where nothing else is said.
  public static func driving(at cruise: Speed = .kilometersPerHour(50)) -> Pace {
    Pace(
      cruise: cruise, turning: min(cruise, .metersPerSecond(4)),
      accelerationMetersPerSecondSquared: 1.8)
  }
}
