import Geo

extension Scenario {
  /// A morning with two stores in it, its stays shortened so that it is over within the hour.
  ///
  /// What makes it a sample: a street whose echoes push the position aside before the first store,
  /// roofs under which it drifts, a car park under ground, and no receiver running while parked.
  static func commuteSetting() -> (Route, ReceiverModel) {
    let home = place(45.4178, -75.6795)
    let ottawaDoor = byOttawaStore(east: 12, north: -8)
    let gatineauPlane = SimulationPlane(anchor: gatineauStore)
    let gatineauDoor = gatineauPlane.coordinate(at: SIMD2(-10, 14))
    let slow = Pace.driving(at: .kilometersPerHour(40))
    let route = Route(
      from: home, pauseSeconds: 60,
      over: [
        .init(place(45.4192, -75.6812), by: .walking),
        .init(place(45.4214, -75.6870), by: slow, pauseSeconds: 25),
        .init(place(45.4232, -75.6932), by: .driving(), pauseSeconds: 15),
        .init(place(45.4216, -75.6975), by: slow, pauseSeconds: 90),
        .init(byOttawaStore(east: 60, north: 40), by: .walking),
        .init(ottawaDoor, by: .walking, pauseSeconds: 900),
        .init(byOttawaStore(east: 60, north: 40), by: .walking),
        .init(place(45.4216, -75.6975), by: .walking, pauseSeconds: 45),
        .init(place(45.4262, -75.6985), by: slow, pauseSeconds: 20),
        .init(place(45.4283, -75.7020), by: .driving()),
        .init(place(45.4318, -75.7085), by: .driving()),
        .init(gatineauPlane.coordinate(at: SIMD2(120, 90)), by: slow, pauseSeconds: 40),
        .init(gatineauDoor, by: .walking, pauseSeconds: 720),
        .init(gatineauPlane.coordinate(at: SIMD2(120, 90)), by: .walking, pauseSeconds: 30),
        .init(place(45.4318, -75.7085), by: slow),
        .init(place(45.4283, -75.7020), by: .driving()),
        .init(place(45.4232, -75.6932), by: .driving(), pauseSeconds: 30),
        .init(place(45.4214, -75.6870), by: .driving()),
        .init(place(45.4192, -75.6812), by: slow, pauseSeconds: 20),
        .init(home, by: .walking, pauseSeconds: 60),
      ])
    var receiver = ReceiverModel()
    receiver.restingIntervalMilliseconds = 10_000
    receiver.zones = [
      .init(
        center: byOttawaStore(east: 90, north: 60), radius: .meters(70),
        reception: .besideBuildings(toward: Bearing(degrees: 60))),
      .init(center: ottawaDoor, radius: .meters(25), reception: .indoors),
      .init(center: gatineauDoor, radius: .meters(25), reception: .indoors),
      .init(center: place(45.4216, -75.6975), radius: .meters(20), reception: nil),
    ]
    return (route, receiver)
  }
}
