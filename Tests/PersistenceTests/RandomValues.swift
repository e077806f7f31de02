import Geo
import Geofencing
import TestSupport

extension SeededGenerator {
  mutating func coordinate() -> Coordinate {
    let latitude = Double.random(in: -90...90, using: &self)
    let longitude = Double.random(in: -180..<180, using: &self)
    return Coordinate(latitude: latitude, longitude: longitude)!
  }

  mutating func timestamp() -> Timestamp {
    Timestamp(
      millisecondsSince1970: .random(in: -1_000_000_000...4_000_000_000_000, using: &self))
  }

  /// A value half of the time.
  mutating func maybe<Value>(_ value: Value) -> Value? { Bool.random(using: &self) ? value : nil }

  /// A text as hostile as a source may send.
  mutating func text() -> String {
    ["", "D1", "Käthe's \"shop\"", "a\u{0}b", "東京", "'; DROP TABLE fences; --", "🏬"]
      .randomElement(using: &self)! + "\(UInt32.random(in: 0...UInt32.max, using: &self))"
  }

  mutating func ring() -> Ring {
    let count = Int.random(in: 3...12, using: &self)
    return try! Ring(corners: (0..<count).map { _ in coordinate() })
  }

  mutating func area() -> Fence.Area {
    if Bool.random(using: &self) {
      let radius = Distance.meters(.random(in: 0...5000, using: &self))
      return .circle(center: coordinate(), radius: radius)
    }
    let polygons = (0..<Int.random(in: 1...3, using: &self)).map { _ in
      Polygon(outer: ring(), holes: (0..<Int.random(in: 0...2, using: &self)).map { _ in ring() })
    }
    return .polygons(MultiPolygon(polygons: polygons)!)
  }

  mutating func fence(_ id: String) -> Fence {
    var settings = Fence.Settings()
    settings.exitBuffer = .meters(.random(in: 0...100, using: &self))
    settings.dwellSeconds = maybe(.random(in: 0...7200, using: &self))
    settings.passed = Bool.random(using: &self)
    settings.minimumConfidence = .random(in: 0...1, using: &self)
    return Fence(
      id: Fence.ID(id), name: text(), area: area(), timeZone: maybe("Europe/Berlin"),
      settings: settings)
  }

  mutating func event() -> FenceEvent {
    let subject = SubjectID(text())
    let fence = Fence.ID(text())
    let time = timestamp()
    let kind = FenceEvent.Kind.allCases.randomElement(using: &self)!
    let visit = VisitID(subject: subject, fence: fence, entry: timestamp())
    let span = FenceEvent.Interval(start: timestamp(), end: timestamp())
    let here = coordinate()
    let distance = Distance.meters(.random(in: -500...5000, using: &self))
    let cause = FenceEvent.Cause.allCases.randomElement(using: &self)!
    return FenceEvent(
      kind: kind, subject: subject, fence: fence, visit: kind == .passed ? nil : visit, time: time,
      confirmedAt: timestamp(), rule: FenceEvent.Rule.allCases.randomElement(using: &self)!,
      isInitial: Bool.random(using: &self), isLate: Bool.random(using: &self),
      cause: maybe(cause), coordinate: maybe(here), distance: maybe(distance),
      interval: maybe(span))
  }
}

let noon = try! Timestamp(iso8601: "2026-03-02T12:00:00Z")
