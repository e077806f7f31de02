import Geo
import Geofencing
import TestSupport
import Testing

/// Eligibility is held to the independent model on random fixes near the fences' edges.
struct EligibilityDifferentialTests {
  @Test
  func `eligibility answers what the model answers`() {
    var random = SeededGenerator(seed: 7)
    var reasons: [String: Int] = [:]
    var differences = 0
    for seed in 0..<UInt64(LongTests.areOn ? 20_000 : 100) where differences < 10 {
      let history = RandomHistory(seed: seed)
      let set = try! FenceSet(history.fences)
      var lastCounted: Fix?
      for case .fixes(_, let fixes) in history.steps {
        let fix = fixes[0]
        // The rules name no speed to a fix of the same time or an older one.
        var fence = history.fences.randomElement(using: &random)!
        if Int.random(in: 0..<4, using: &random) == 0 { fence.settings.minimumConfidence = 0.8 }
        if isClose(fix, fence) { continue }
        let changed = try! FenceSet(history.fences.map { $0.id == fence.id ? fence : $0 })
        let age = [-61, -60.001, -60, 0, 5, 119.999, 120, 120.001, 900].randomElement(
          using: &random)!
        var model = ReferenceEligibility(
          fence: fence, fences: history.fences, lastCounted: lastCounted)
        model.isAssigned = Int.random(in: 0..<10, using: &random) > 0
        let expected = model.answer(fix: fix, ageSeconds: age)
        let found = (fence.settings.minimumConfidence > 0 ? changed : set).eligibility(
          at: fence.id, of: .fix(fix),
          in: Eligibility.Circumstances(
            now: fix.time.advanced(bySeconds: age), isAssigned: model.isAssigned,
            lastCounted: lastCounted.map {
              SubjectPresence.CountedFix(
                coordinate: $0.coordinate, time: $0.time, accuracy: $0.accuracy)
            }))!
        reasons[expected.reason, default: 0] += 1
        let isAlike =
          found.isEligible == expected.isEligible && found.reason.rawValue == expected.reason
          && found.verdict?.rawValue == expected.verdict
          && isAlike(found.confidence, expected.confidence, fence)
        if !isAlike {
          differences += 1
          Issue.record(
            """
            seed \(seed) \(fix) age \(age) assigned \(model.isAssigned) last \
            \(String(describing: lastCounted))
            engine \(found)
            model  \(expected)
            """)
        }
        if fix.accuracy.map({ $0.meters <= 100 }) ?? true { lastCounted = fix }
      }
    }
    let exercised = [
      "null_island", "fix_from_future", "fix_too_old", "simulated", "not_assigned",
      "accuracy_too_low", "implausible_jump", "near_edge", "outside", "inside",
    ]
    for reason in exercised { #expect(reasons[reason, default: 0] >= 5, "\(reason)") }
  }

  /// Whether the product's allowance of 1 mm could turn the answer round.
  private func isClose(_ fix: Fix, _ fence: Fence) -> Bool {
    let beyond =
      ModelGeodesy.distance(fix.coordinate, fence.area) - ModelGeodesy.radius(fence.area)
    return abs(beyond) < 0.0011 || abs(beyond - (fix.accuracy?.meters ?? 100)) < 0.0011
  }

  private func isAlike(_ a: Double?, _ b: Double?, _ fence: Fence) -> Bool {
    guard let a, let b else { return (a == nil) == (b == nil) }
    if case .circle = fence.area { return abs(a - b) < 1e-5 }
    return abs(a - b) < 3e-3
  }
}
