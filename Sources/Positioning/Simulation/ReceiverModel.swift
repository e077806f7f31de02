import Geo

/// What a simulated receiver hears, how often it reports, and how honest it is about its accuracy.
public struct ReceiverModel: Sendable {
  /// A round place with a reception of its own.
  public struct Zone: Hashable, Sendable {
    public var center: Coordinate
    public var radius: Distance
    /// Nil where nothing is heard at all, as in a tunnel.
    public var reception: Reception?

    public init(center: Coordinate, radius: Distance, reception: Reception?) {
      self.center = center
      self.radius = radius
      self.reception = reception
    }
  }

  /// The reception outside of all zones.
  public var reception = Reception.openSky
  /// Where places overlap, the last one counts.
  public var zones: [Zone] = []
  /// Stretches without a fix wherever the subject is, in seconds after the start.
  public var dropouts: [Range<Double>] = []
  /// The time between two reports: 1000 is 1 Hz, 100 is 10 Hz. At least 1.
  public var intervalMilliseconds: Int64 = 1000
  /// The least time between two reports while the subject rests, as a receiver that saves power has
  /// it; nil where it reports all the same.
  public var restingIntervalMilliseconds: Int64?
  /// The stated accuracy over the honest one: 1 is honest, 0.1 claims ten times too much.
  public var statedShare = 1.0

  public init() {}
}
