import Geo
import Geofencing

/// The clock's question once more, written plainly from the rules: one fix, one fence, no memory
/// but the last counted fix.
struct ReferenceEligibility {
  struct Answer: Equatable {
    var isEligible = false
    /// Nil where the fix was refused.
    var verdict: String?
    var reason: String
    /// Nil where there is no position to judge.
    var confidence: Double?
  }

  var fence: Fence
  /// All fences, for null island.
  var fences: [Fence]
  var isAssigned = true
  var allowsSimulated = false
  var lastCounted: Fix?

  /// `fix` is nil where the source has no position, or gave one that is invalid.
  func answer(fix: Fix?, isInvalid: Bool = false, ageSeconds: Double) -> Answer {
    if isInvalid { return Answer(reason: "invalid_fix") }
    guard let fix else { return Answer(reason: "no_fix") }
    let isNullIsland =
      abs(fix.coordinate.latitude) <= 0.001 && abs(fix.coordinate.longitude) <= 0.001
      && !fences.contains {
        ModelGeodesy.distance(fix.coordinate, $0.area) <= ModelGeodesy.radius($0.area)
      }
    if isNullIsland { return Answer(reason: "null_island") }
    if ageSeconds < -60 { return Answer(reason: "fix_from_future") }

    let accuracy = fix.accuracy?.meters ?? 100
    let distance = ModelGeodesy.distance(fix.coordinate, fence.area)
    let radius = ModelGeodesy.radius(fence.area)
    let confidence = ModelProbability.inside(
      fence.area, at: fix.coordinate, accuracy: accuracy)
    func uncertain(_ reason: String) -> Answer {
      Answer(verdict: "uncertain", reason: reason, confidence: confidence)
    }
    let byPosition: Answer
    if accuracy > 100 {
      byPosition = uncertain("accuracy_too_low")
    } else if let lastCounted, isJump(from: lastCounted, to: fix) {
      byPosition = uncertain("implausible_jump")
    } else if distance - accuracy > radius {
      byPosition = Answer(verdict: "outside", reason: "outside", confidence: confidence)
    } else if distance > radius || confidence < fence.settings.minimumConfidence {
      byPosition = uncertain("near_edge")
    } else {
      byPosition = Answer(
        isEligible: true, verdict: "inside", reason: "inside", confidence: confidence)
    }
    if ageSeconds > 120 { return uncertain("fix_too_old") }
    if fix.isSimulated && !allowsSimulated { return uncertain("simulated") }
    guard isAssigned else {
      return Answer(verdict: byPosition.verdict, reason: "not_assigned", confidence: confidence)
    }
    return byPosition
  }

  private func isJump(from a: Fix, to b: Fix) -> Bool {
    let accuracies = (a.accuracy?.meters ?? 100) + (b.accuracy?.meters ?? 100)
    return ModelGeodesy.meters(a.coordinate, b.coordinate) - accuracies
      > 70 * abs(b.time.seconds(since: a.time))
  }
}
