import Geo
import Testing

@testable import Geofencing

/// A store at 48 north, 11 east, and positions so many meters from it.
enum Ground {
  static let store = Coordinate(latitude: 48, longitude: 11)!
  static let start = Timestamp(millisecondsSince1970: 1_772_438_400_000)

  /// The coordinate so many meters north and east of the store.
  static func place(north: Double, east: Double = 0) -> Coordinate {
    store.moved(east: .meters(east), north: .meters(north))
  }

  static func fix(
    at seconds: Double, north: Double, east: Double = 0, accuracy: Double? = 8,
    isSimulated: Bool = false
  ) -> Fix {
    Fix(
      coordinate: place(north: north, east: east), time: start.advanced(bySeconds: seconds),
      accuracy: accuracy.map { .meters($0) }, isSimulated: isSimulated)
  }

  static func fence(
    _ id: String = "S", north: Double = 0, east: Double = 0, radius: Double = 200,
    _ adjust: (inout Fence.Settings) -> Void = { _ in }
  ) -> Fence {
    var settings = Fence.Settings()
    adjust(&settings)
    return Fence(
      id: Fence.ID(id),
      area: .circle(center: place(north: north, east: east), radius: .meters(radius)),
      settings: settings)
  }

  static func engine(_ fences: [Fence] = [fence()], pastLength: Int = 0) -> PresenceEngine {
    PresenceEngine(fences: try! FenceSet(fences), pastLength: pastLength)
  }
}

extension PresenceEngine {
  /// The events of some fixes of one subject, in order.
  mutating func events(of fixes: [Fix], from subject: SubjectID = "D1") -> [FenceEvent] {
    var events: [FenceEvent] = []
    for fix in fixes { receive(fix, from: subject, events: &events) }
    return events
  }
}

extension SubjectID: ExpressibleByStringLiteral {
  public init(stringLiteral text: String) { self.init(text) }
}

extension Fence.ID: ExpressibleByStringLiteral {
  public init(stringLiteral text: String) { self.init(text) }
}

/// A walk as two strings: where each fix lies, and what it confirms.
struct Walk: CustomTestStringConvertible, Sendable {
  let testDescription: String
  /// One character a fix, ten seconds apart: `#` well inside, `e` inside near the edge, `b` in the
  /// band between the edge and the exit buffer, `.` far outside, `c` far outside and coarse, `?`
  /// inside with unknown accuracy, `_` no fix for ten seconds, `~` for half an hour, `^` for four.
  let steps: String
  /// `E` entered, `X` exited, `S` presence expired, `R` resumed; `-` nothing.
  let gives: String

  var found: String {
    var engine = Ground.engine()
    var seconds = 0.0
    var letters = ""
    for step in steps {
      let fix: Fix? =
        switch step {
        case "#": Ground.fix(at: seconds, north: 20)
        case "e": Ground.fix(at: seconds, north: 196)
        case "b": Ground.fix(at: seconds, north: 230)
        case ".": Ground.fix(at: seconds, north: 600)
        case "c": Ground.fix(at: seconds, north: 600, accuracy: 150)
        case "?": Ground.fix(at: seconds, north: 20, accuracy: nil)
        default: nil
        }
      seconds += step == "~" ? 1800 : step == "^" ? 4 * 3600 : 10
      guard let fix else {
        letters += "-"
        continue
      }
      var events: [FenceEvent] = []
      engine.advance(to: fix.time, events: &events)
      engine.receive(fix, from: "D1", events: &events)
      let told = events.map { event in
        switch event.kind {
        case .entered: "E"
        case .exited: "X"
        case .presenceExpired: "S"
        case .presenceResumed: "R"
        case .dwelled: "D"
        case .passed: "P"
        }
      }
      letters += told.isEmpty ? "-" : told.count == 1 ? told[0] : "(" + told.joined() + ")"
    }
    return letters
  }
}
