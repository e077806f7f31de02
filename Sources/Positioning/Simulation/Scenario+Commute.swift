import Geo

extension Scenario {
  /// A morning with two stores in it, its stays shortened so that it is over within the hour.
  ///
  /// What makes it a sample: a street whose echoes push the position aside before the first store,
  /// roofs under which it drifts, a car park under ground, and no receiver running while parked.
  static func commuteSetting() -> (Route, ReceiverModel) {
    let home = place(45.4178, -75.6795)
    let street = place(45.4192, -75.6812)
    let carPark = byOttawaStore(east: 190, north: 120)
    let corner = byOttawaStore(east: 60, north: 40)
    let ottawaDoor = byOttawaStore(east: 12, north: -8)
    let gatineau = SimulationPlane(anchor: gatineauStore)
    let gatineauParking = gatineau.coordinate(at: SIMD2(120, 90))
    let gatineauDoor = gatineau.coordinate(at: SIMD2(-10, 14))
    let bridge = [place(45.4318, -75.6935), place(45.4355, -75.6985), place(45.4450, -75.7135)]
    let highway = [place(45.4560, -75.7270), place(45.4700, -75.7340)]
    let slow = Pace.driving(at: .kilometersPerHour(40))
    let fast = Pace.driving(at: .kilometersPerHour(70))
    let toGatineau =
      bridge.map { Route.Waypoint($0, by: .driving()) } + highway.map { .init($0, by: fast) }
    let fromGatineau =
      highway.reversed().map { Route.Waypoint($0, by: fast) }
      + bridge.reversed().map { .init($0, by: .driving()) }
    let toOttawa: [Route.Waypoint] = [
      .init(street, by: .walking, pauseSeconds: 20),
      .init(place(45.4214, -75.6870), by: slow, pauseSeconds: 25),
      .init(carPark, by: slow, pauseSeconds: 90),
      .init(corner, by: .walking),
      .init(ottawaDoor, by: .walking, pauseSeconds: 540),
      .init(corner, by: .walking),
      .init(carPark, by: .walking, pauseSeconds: 60),
    ]
    let inGatineau: [Route.Waypoint] = [
      .init(gatineauParking, by: slow, pauseSeconds: 40),
      .init(gatineauDoor, by: .walking, pauseSeconds: 360),
      .init(gatineauParking, by: .walking, pauseSeconds: 30),
    ]
    let toHome: [Route.Waypoint] = [
      .init(place(45.4290, -75.6870), by: .driving(), pauseSeconds: 20),
      .init(place(45.4214, -75.6870), by: .driving()),
      .init(street, by: slow, pauseSeconds: 20),
      .init(home, by: .walking, pauseSeconds: 60),
    ]
    let route = Route(
      from: home, pauseSeconds: 60,
      over: toOttawa + toGatineau + inGatineau + fromGatineau + toHome)
    var receiver = ReceiverModel()
    receiver.restingIntervalMilliseconds = 10_000
    receiver.zones = [
      .init(
        center: corner, radius: .meters(70),
        reception: .besideBuildings(toward: Bearing(degrees: 60))),
      .init(center: ottawaDoor, radius: .meters(25), reception: .indoors),
      .init(center: gatineauDoor, radius: .meters(25), reception: .indoors),
      .init(center: carPark, radius: .meters(20), reception: nil),
    ]
    return (route, receiver)
  }
}
