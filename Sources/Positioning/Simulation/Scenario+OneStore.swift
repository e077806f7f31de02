import Geo
import Glibc

extension Scenario {
  /// Along the edge for a quarter of an hour, ten meters inside of it and outside in turn.
  static func edgeWalkSetting() -> (Route, ReceiverModel) {
    let turns = (0...48).map { step in
      // Up and down a quarter of the circle, in steps of a twelfth of that.
      let angle = Double(step / 12 % 2 == 0 ? step % 12 : 12 - step % 12) / 12 * .pi / 2
      let radius = step % 2 == 0 ? 190.0 : 210.0
      return byOttawaStore(east: radius * sin(angle), north: radius * cos(angle))
    }
    let route = Route(
      from: byOttawaStore(east: 0, north: 400), over: turns.map { .init($0, by: .walking) })
    return (route, ReceiverModel())
  }

  /// A straight road at 54 km/h.
  static func driveBySetting() -> (Route, ReceiverModel) {
    (straightRoad(), ReceiverModel())
  }

  /// The same road where it is covered all the way through the fence and 120 m beyond.
  static func tunnelSetting() -> (Route, ReceiverModel) {
    var receiver = ReceiverModel()
    receiver.zones = [.init(center: ottawaStore, radius: .meters(320), reception: nil)]
    return (straightRoad(), receiver)
  }

  /// In from the street, three quarters of an hour under the roof, and off again.
  static func indoorDriftSetting() -> (Route, ReceiverModel) {
    var receiver = ReceiverModel()
    receiver.zones = [.init(center: ottawaStore, radius: .meters(30), reception: .indoors)]
    receiver.restingIntervalMilliseconds = 5000
    return (visit(staySeconds: 2700), receiver)
  }

  /// A receiver that wakes for a moment now and then.
  static func sparseSetting() -> (Route, ReceiverModel) {
    var receiver = ReceiverModel()
    receiver.intervalMilliseconds = 90_000
    return (visit(staySeconds: 1800), receiver)
  }

  private static func straightRoad() -> Route {
    Route(
      from: byOttawaStore(east: -1200, north: 100),
      over: [
        .init(
          byOttawaStore(east: 1200, north: 100), by: .driving(at: .kilometersPerHour(54)))
      ])
  }

  /// On foot from 600 m away to the store and back.
  private static func visit(staySeconds: Double) -> Route {
    let street = byOttawaStore(east: 600, north: 0)
    return Route(
      from: street, pauseSeconds: 30,
      over: [
        .init(ottawaStore, by: .walking, pauseSeconds: staySeconds),
        .init(street, by: .walking, pauseSeconds: 60),
      ])
  }
}
