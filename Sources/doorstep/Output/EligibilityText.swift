import CommandLineArguments
import Geo
import Geofencing

/// Eligibility answers as people read them, with what to do where the answer is no.
enum EligibilityText {
  static func sentence(_ answer: Eligibility, store: String) -> String {
    let store = printable(store)
    let head = answer.isEligible ? "eligible at \(store)" : "not eligible at \(store)"
    return "\(head): \(explanation(answer))"
  }

  private static func explanation(_ answer: Eligibility) -> String {
    let place = place(answer)
    return switch answer.reason {
    case .inside: place
    case .outside:
      "\(place); \(meters((answer.distance?.meters ?? 0) - answer.radius.meters)) to go"
    case .nearEdge: "\(place), too near the edge to be sure; move closer and wait for a better fix"
    case .accuracyTooLow: "the position is too coarse; wait, go outside or allow precise location"
    case .fixTooOld: "the position is \(age(answer)) old; wait for a new one"
    case .fixFromFuture: "the position is \(age(answer)) ahead of the clock; set the clock"
    case .implausibleJump: "the position is an implausible jump; wait for the next one"
    case .simulated: "the position is simulated; turn the simulation off"
    case .notAssigned: "not assigned to this store"
    case .nullIsland: "0, 0 is no position but a receiver's default; wait for a fix"
    case .noFix: "there is no position; wait for a fix"
    case .invalidFix:
      "the position is wrong: " + answer.problems.map(\.rawValue).joined(separator: ", ")
    }
  }

  private static func place(_ answer: Eligibility) -> String {
    guard let distance = answer.distance else { return "position unknown" }
    let accuracy = answer.accuracy.map { "accuracy \(meters($0.meters))" } ?? "accuracy unknown"
    let confidence =
      answer.confidence.map { ", \(Int(($0 * 100).rounded(.down))) % sure to be inside" } ?? ""
    // Polygons have no center: their distance is to the edge, negative inside.
    if answer.radius.meters == 0 {
      return
        "\(meters(abs(distance.meters))) \(distance.meters <= 0 ? "inside" : "outside") the edge, "
        + accuracy + confidence
    }
    return "\(meters(distance.meters)) from the center, fence \(meters(answer.radius.meters)), "
      + accuracy + confidence
  }

  private static func meters(_ value: Double) -> String {
    value >= 10_000 ? "\(Int((value / 1000).rounded())) km" : "\(Int(value.rounded())) m"
  }

  private static func age(_ answer: Eligibility) -> String {
    "\(Int(abs(answer.fixAgeSeconds ?? 0).rounded())) s"
  }
}
