import Geo

/// One message of gpsd, as far as it matters to a fix, in values that outlive libgps' own memory.
enum GPSDMessage: Equatable, Sendable {
  /// A TPV.
  case position(Position)
  /// A GST: one-sigma errors along two axes, and the epoch that they belong to.
  case errors(device: String, time: Timestamp?, north: Double, east: Double)
  /// A SKY with a horizontal dilution of precision.
  case dilution(device: String, horizontal: Double)
  /// The daemon has lost this device.
  case deviceGone(String)
  /// All active devices of the daemon.
  case devices([String])
  /// The daemon's greeting.
  case version(release: String)
  /// The daemon refused what it was asked.
  case refused(String)

  /// What a TPV says; nil is what it does not say.
  struct Position: Equatable, Sendable {
    var device: String
    var time: Timestamp?
    /// 0 not seen, 1 no fix, 2 without and 3 with altitude.
    var mode: Int32
    var status = Status.unknown
    var latitude: Double?
    var longitude: Double?
    var altitude: Double?
    var speed: Double?
    var track: Double?
    /// The horizontal error that gpsd estimates from the dilution of precision.
    var horizontalError: Double?
  }

  /// How the receiver came to its position; the numbers are gpsd's, whose names for them change
  /// from version to version.
  enum Status: Int32, Sendable {
    case unknown = 0
    case plain = 1
    case differential = 2
    case realTimeKinematicFixed = 3
    case realTimeKinematicFloat = 4
    case deadReckoning = 5
    case satellitesAndDeadReckoning = 6
    /// The position is known by survey; only time is measured.
    case surveyed = 7
    case simulated = 8
    case precise = 9
  }
}
