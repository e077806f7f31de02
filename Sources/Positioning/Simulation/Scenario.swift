import Geo

/// The ways that ship with the simulator, by the names that the command line knows.
public enum Scenario: String, CaseIterable, Sendable {
  case commute
  case edgeWalk = "edge-walk"
  case driveBy = "drive-by"
  case indoorDrift = "indoor-drift"
  case tunnel
  case sparse

  /// What happens, in one line for a list.
  public var summary: String {
    switch self {
    case .commute: "drives to the Ottawa store, then to the Gatineau store, then home"
    case .edgeWalk: "walks up and down along the edge of the Ottawa store's fence"
    case .driveBy: "drives past the Ottawa store, 100 m beside it, without a stop"
    case .indoorDrift: "walks into the Ottawa store and stays while the position drifts"
    case .tunnel: "drives under the Ottawa store's fence with no satellite in view"
    case .sparse: "walks to the Ottawa store and away with one fix in 90 s"
    }
  }

  /// The scenario with the noise that belongs to `seed`, starting at 07:30 in Ottawa.
  public func simulation(seed: UInt64) -> Simulation {
    let (route, receiver) =
      switch self {
      case .commute: Scenario.commuteSetting()
      case .edgeWalk: Scenario.edgeWalkSetting()
      case .driveBy: Scenario.driveBySetting()
      case .indoorDrift: Scenario.indoorDriftSetting()
      case .tunnel: Scenario.tunnelSetting()
      case .sparse: Scenario.sparseSetting()
      }
    return Simulation(route: route, receiver: receiver, start: Scenario.start, seed: seed)
  }

  /// 2026-03-02T12:30:00Z, a Monday.
  static let start = Timestamp(millisecondsSince1970: 1_772_454_600_000)

  /// The centers of the stores whose fences ship in `fences/`.
  package static let ottawaStore = place(45.4272, -75.6919)
  package static let gatineauStore = place(45.4786, -75.7342)

  static func place(_ latitude: Double, _ longitude: Double) -> Coordinate {
    guard let coordinate = Coordinate(latitude: latitude, longitude: longitude) else {
      preconditionFailure("a scenario's place is no coordinate: \(latitude), \(longitude)")
    }
    return coordinate
  }

  /// The place so many meters from the Ottawa store.
  static func byOttawaStore(east: Double, north: Double) -> Coordinate {
    SimulationPlane(anchor: ottawaStore).coordinate(at: SIMD2(east, north))
  }
}
