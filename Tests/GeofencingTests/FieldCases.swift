import Geo
import Geofencing
import Testing

/// A situation from the field and the events that are right for it, told as rows of
/// "confirmed kind fence rule at time", in seconds from the start.
struct FieldCase: CustomTestStringConvertible, Sendable {
  let id: String
  let title: String
  let fences: [Fence]
  let steps: [Step]
  let gives: [String]

  enum Step: Sendable {
    /// Fixes of one time.
    case fixes([Fix])
    case edit([Fence], Timestamp)
  }

  var testDescription: String { "\(id): \(title)" }

  static let subject = SubjectID("D1")
  static let start = Timestamp(millisecondsSince1970: 1_772_442_000_000)

  static func row(_ event: FenceEvent) -> String {
    func seconds(_ time: Timestamp) -> String {
      let tenths = (time.milliseconds(since: start) + 50) / 100
      return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
    }
    var row =
      "\(seconds(event.confirmedAt)) \(event.kind.rawValue) \(event.fence) "
      + "\(event.rule.rawValue) at \(seconds(event.time))"
    if let interval = event.interval {
      row += " in \(seconds(interval.start))...\(seconds(interval.end))"
    }
    return row
  }
}

// MARK: - Notation

private let s = Coordinate(latitude: 48, longitude: 11)!

private func circle(
  _ id: String = "S", _ center: Coordinate = s, radius: Double = 200, buffer: Double = 50,
  dwell: Double? = nil, passed: Bool = false
) -> Fence {
  var settings = Fence.Settings()
  settings.exitBuffer = .meters(buffer)
  settings.dwellSeconds = dwell
  settings.passed = passed
  return Fence(
    id: Fence.ID(id), area: .circle(center: center, radius: .meters(radius)), settings: settings)
}

private func time(_ seconds: Double) -> Timestamp { FieldCase.start.advanced(bySeconds: seconds) }

private func fix(_ seconds: Double, _ at: Coordinate, _ accuracy: Double) -> Fix {
  Fix(coordinate: at, time: time(seconds), accuracy: .meters(accuracy))
}

private func at(_ seconds: Double, _ place: Coordinate, _ accuracy: Double) -> FieldCase.Step {
  .fixes([fix(seconds, place, accuracy)])
}

/// So many meters north and east of S.
private func north(_ north: Double, east: Double = 0) -> Coordinate {
  Coordinate(latitude: 48 + north / 111_195, longitude: 11 + east / 74_404)!
}

private func place(_ latitude: Double, _ longitude: Double) -> Coordinate {
  Coordinate(latitude: latitude, longitude: longitude)!
}

// MARK: - The cases

extension FieldCase {
  static let all = accuracyCases + gapCases + changeCases + orderCases

  static let accuracyCases = [
    FieldCase(
      id: "A1", title: "noise over the edge enters once and never leaves", fences: [circle()],
      steps: (0..<60).map { at(Double($0), north($0 % 2 == 0 ? 190 : 210), 10) },
      gives: ["0 entered S first_fix at 0"]),
    FieldCase(
      id: "A3", title: "single fixes that are sure of a wrong place end no visit",
      fences: [circle(radius: 50, buffer: 20)],
      steps: [
        at(0, north(8.2), 5), at(12, north(200.2), 1.9), at(24, north(9.6), 5),
        at(79, north(198.1), 1.7), at(100, north(10.1), 5), at(147, north(198.1), 9.1),
        at(152, north(45.3), 5),
      ],
      gives: ["0 entered S first_fix at 0"]),
    FieldCase(
      id: "A5", title: "accuracy 0 is unknown, not perfect", fences: [circle()],
      steps: [at(0, north(10), 10), at(30, north(300), 0), at(60, north(10), 10)],
      gives: ["0 entered S first_fix at 0"]),
    FieldCase(
      id: "A7", title: "a wide error circle reaches no far fence", fences: [circle(radius: 32)],
      steps: [at(0, place(48, 11.004649), 458.8)], gives: []),
    FieldCase(
      id: "A9", title: "nested fences are both entered, the nearer by share of radius first",
      fences: [circle("A"), circle("B", place(48.00009, 11), radius: 50)],
      steps: [
        at(0, place(48.000074, 11), 5), at(10, place(48.000119, 11), 5),
        at(20, place(48.000029, 11), 5),
      ],
      gives: ["0 entered B first_fix at 0", "0 entered A first_fix at 0"]),
    FieldCase(
      id: "A11", title: "a cell fix among satellite fixes changes nothing", fences: [circle()],
      steps: [at(0, north(20), 5), at(60, north(1500), 1200), at(61, north(20), 5)],
      gives: ["0 entered S first_fix at 0"]),
    FieldCase(
      id: "A13", title: "a drive-by enters and exits once, and dwells not",
      fences: [circle(dwell: 120)],
      steps: (0...16).map { at(Double($0) * 5, north(100, east: -600 + Double($0) * 75), 8) },
      gives: ["30 entered S confident_fix at 30", "75 exited S exit_run at 60"]),
    FieldCase(
      id: "A15", title: "walking away exits two fixes after the exit line", fences: [circle()],
      steps: (0...25).map { at(Double($0) * 10, north(Double($0) * 14), 10) },
      gives: ["0 entered S first_fix at 0", "210 exited S exit_run at 190"]),
    FieldCase(
      id: "B9", title: "an outage underground with honest accuracy changes nothing",
      fences: [circle()],
      steps: [at(0, north(10), 10)]
        + (1...20).map { index in
          let meters = 900 + Double(index) * 30
          return at(Double(index) * 30, north(meters), meters)
        } + [at(640, north(10), 10)],
      gives: ["0 entered S first_fix at 0"]),
  ]

  static let gapCases = [
    FieldCase(
      id: "B1", title: "a way that cuts the fence between two fixes passes",
      fences: [circle(passed: true)],
      steps: [at(0, place(48.000899, 10.991936), 8), at(60, place(48.000899, 11.008064), 8)],
      gives: ["60 passed S straight_way at 21.4 in 21.4...38.6"]),
    FieldCase(
      id: "B1, beside", title: "a way beside the fence tells nothing",
      fences: [circle(passed: true)],
      steps: [at(0, place(48.002338, 10.991936), 8), at(60, place(48.002338, 11.008064), 8)],
      gives: []),
    FieldCase(
      id: "B3", title: "fixes of one time are one decision, by the best accuracy",
      fences: [circle()],
      steps: [
        .fixes(
          zip([260, 230, 190, 185, 210, 300], [10, 10, 5, 5, 20, 50]).map {
            fix(100, north($0), $1)
          })
      ],
      gives: ["100 entered S first_fix at 100"]),
    FieldCase(
      id: "B5", title: "a phone that dies inside exits in the silence and enters anew next day",
      fences: [circle()],
      steps: (0...11).map { at(Double($0) * 600, north(10), 10) } + [
        at(14_400, north(3000), 10), at(14_460, north(3000), 10), at(61_200, north(10), 10),
      ],
      gives: [
        "0 entered S first_fix at 0", "8400 presence_expired S silence at 8400",
        "14460 exited S exit_run at 14400 in 6600...14400",
        "61200 entered S confident_fix at 61200",
      ]),
    FieldCase(
      id: "B7", title: "a phone that was silent while still exits at the second fix outside",
      fences: [circle()],
      steps: [at(0, north(10), 10), at(3600, north(3000), 10), at(3620, north(3000), 10)],
      gives: [
        "0 entered S first_fix at 0", "1800 presence_expired S silence at 1800",
        "3620 exited S exit_run at 3600 in 0...3600",
      ]),
    FieldCase(
      id: "C5", title: "a quick real return is a new visit", fences: [circle()],
      steps: [
        at(0, north(10), 10), at(160, north(420), 10), at(180, north(420), 10),
        at(420, north(10), 10),
      ],
      gives: [
        "0 entered S first_fix at 0", "180 exited S exit_run at 160",
        "420 entered S confident_fix at 420",
      ]),
    FieldCase(
      id: "C9", title: "nobody exits who has not entered", fences: [circle()],
      steps: [
        at(0, north(10), 300), at(30, north(420), 10), at(60, north(420), 10),
        at(90, north(420), 10),
      ],
      gives: []),
  ]

  static let changeCases = [
    FieldCase(
      id: "D1", title: "a fence moved away ends the visit, and its new place is entered anew",
      fences: [circle()],
      steps: [
        at(0, north(10), 10), .edit([circle("S", place(48.01349, 11))], time(30)),
        at(40, north(10), 10), at(400, place(48.01349, 11), 10),
      ],
      gives: [
        "0 entered S first_fix at 0", "30 exited S fence_changed at 30",
        "400 entered S confident_fix at 400",
      ]),
    FieldCase(
      id: "D3", title: "a radius that grows over a fresh fix enters at once", fences: [circle()],
      steps: [
        at(0, north(260), 10), .edit([circle(radius: 400)], time(20)), at(30, north(260), 10),
      ],
      gives: ["20 entered S fence_changed at 20"]),
    FieldCase(
      id: "D3, stale", title: "a radius that grows over a stale fix waits for the next",
      fences: [circle()],
      steps: [
        at(0, north(260), 10), .edit([circle(radius: 400)], time(121)), at(130, north(260), 10),
      ],
      gives: ["130 entered S fence_changed at 130"]),
    FieldCase(
      id: "D5", title: "a fence created around a fresh fix is entered once", fences: [],
      steps: [at(0, north(10), 10), .edit([circle()], time(10)), at(20, north(10), 10)],
      gives: ["10 entered S fence_created at 10"]),
  ]

  static let orderCases = [
    FieldCase(
      id: "E1", title: "an old fix after the exit enters nothing", fences: [circle()],
      steps: [
        at(0, north(10), 10), at(100, north(10), 10), at(140, north(420), 10),
        at(160, north(420), 10), at(95, north(10), 10), at(180, north(420), 10),
      ],
      gives: ["0 entered S first_fix at 0", "160 exited S exit_run at 140"]),
    FieldCase(
      id: "E3", title: "a backlog between live fixes gives no live event", fences: [circle()],
      steps: [
        at(1000, north(600), 10), at(400, north(10), 10), at(1010, north(600), 10),
        at(410, north(10), 10), at(1020, north(600), 10),
      ],
      gives: []),
    FieldCase(
      id: "F1", title: "null island is no place to be", fences: [circle()],
      steps: [
        at(0, north(10), 5), at(10, place(0, 0), 5), at(20, place(0.000001, -0.000002), 5),
        at(30, north(10), 5),
      ],
      gives: ["0 entered S first_fix at 0"]),
    FieldCase(
      id: "F11", title: "a hemisphere that flips for one fix is dropped",
      fences: [circle("S", place(-25, -57.5))],
      steps: (0..<6).map { at(Double($0) * 10, place(-25, $0 == 3 ? 57.5 : -57.50003), 5) },
      gives: ["0 entered S first_fix at 0"]),
    FieldCase(
      id: "G1", title: "ten fixes a second give one exit, after its 15 s", fences: [circle()],
      steps: (0...600).map { at(Double($0) / 10, north(180 + Double($0) * 0.4), 5) },
      gives: ["0 entered S first_fix at 0", "33.8 exited S exit_run at 18.8"]),
    FieldCase(
      id: "G1, thinned", title: "the same way at one fix a second", fences: [circle()],
      steps: (0...60).map { at(Double($0), north(180 + Double($0) * 4), 5) },
      gives: ["0 entered S first_fix at 0", "34 exited S exit_run at 19"]),
    FieldCase(
      id: "G9", title: "a single teleport is held and dropped", fences: [circle()],
      steps: (0..<6).map { at(Double($0) * 10, north($0 == 3 ? 30_000 : 10), 10) },
      gives: ["0 entered S first_fix at 0"]),
    FieldCase(
      id: "G11", title: "from one store into its neighbor",
      fences: [circle("A"), circle("B", place(48, 11.004032))],
      steps: [
        at(0, s, 8), at(60, north(0, east: 150), 8), at(120, north(0, east: 210), 8),
        at(180, north(0, east: 300), 8), at(200, north(0, east: 300), 8),
      ],
      gives: [
        "0 entered A first_fix at 0", "60 entered B confident_fix at 60",
        "200 exited A exit_run at 180",
      ]),
  ]
}
