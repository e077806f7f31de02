/// One position report that is valid: somebody, or something, was here at this time.
public struct Fix: Hashable, Sendable {
  public let coordinate: Coordinate
  /// When the position was measured.
  public let time: Timestamp
  /// The radius that holds the true position with 68 % probability; nil where the source does not
  /// know it. Never zero: a source that says zero does not know.
  public let accuracy: Distance?
  public let speed: Speed?
  /// The direction of movement over ground.
  public let course: Bearing?
  /// Height above mean sea level.
  public let altitude: Distance?
  public let source: Source?
  /// Whether the platform or the receiver says that the position was simulated.
  public let isSimulated: Bool

  public init(
    coordinate: Coordinate, time: Timestamp, accuracy: Distance? = nil, speed: Speed? = nil,
    course: Bearing? = nil, altitude: Distance? = nil, source: Source? = nil,
    isSimulated: Bool = false
  ) {
    self.coordinate = coordinate
    self.time = time
    self.accuracy = accuracy.flatMap { $0.meters > 0 && $0.meters.isFinite ? $0 : nil }
    self.speed = speed
    self.course = course
    self.altitude = altitude
    self.source = source
    self.isSimulated = isSimulated
  }

  /// Where a position came from, as far as the source says.
  public enum Source: String, CaseIterable, Sendable {
    /// A satellite receiver.
    case gps
    /// A satellite receiver with differential or real-time kinematic corrections.
    case differentialGPS = "dgps"
    /// A platform's blend of satellites, radio and sensors.
    case fused
    /// Cell towers or wireless networks.
    case network
    /// Typed in by a person, or fixed by configuration.
    case manual
  }

  /// The same fix with another time.
  public func with(time: Timestamp) -> Fix {
    Fix(
      coordinate: coordinate, time: time, accuracy: accuracy, speed: speed, course: course,
      altitude: altitude, source: source, isSimulated: isSimulated)
  }
}
