import Geo
import Testing

@testable import Geofencing

@Suite struct EligibilityTests {
  static func judge(
    north: Double, accuracy: Double? = 8, ageSeconds: Double = 5, isSimulated: Bool = false,
    isAssigned: Bool = true, lastCounted: Fix? = nil, sentAtSkew: Double? = nil,
    minimumConfidence: Double = 0
  ) -> Eligibility {
    let fences = try! FenceSet([Ground.fence { $0.minimumConfidence = minimumConfidence }])
    let fix = Ground.fix(at: 0, north: north, accuracy: accuracy, isSimulated: isSimulated)
    let now = Ground.start.advanced(bySeconds: ageSeconds)
    return fences.eligibility(
      at: "S", of: .fix(fix),
      in: .init(
        now: now.advanced(bySeconds: -(sentAtSkew ?? 0)), sentAt: sentAtSkew.map { _ in now },
        isAssigned: isAssigned,
        lastCounted: lastCounted.map { SubjectPresence.CountedFix($0) }))!
  }

  @Test func `the edge itself is inside, and a centimeter beyond is uncertain`() {
    #expect(EligibilityTests.judge(north: 199.99).reason == .inside)
    let beyond = EligibilityTests.judge(north: 200.01)
    #expect(beyond.reason == .nearEdge)
    #expect(beyond.verdict == .uncertain)
    #expect(!beyond.isEligible)
  }

  @Test func `outside is certain only where the accuracy does not reach the fence`() {
    #expect(EligibilityTests.judge(north: 207.99).verdict == .uncertain)
    #expect(EligibilityTests.judge(north: 208.01).verdict == .outside)
  }

  @Test func `a fix is fresh for 120 seconds and no longer`() {
    #expect(EligibilityTests.judge(north: 0, ageSeconds: 120).isEligible)
    let old = EligibilityTests.judge(north: 0, ageSeconds: 120.001)
    #expect(old.reason == .fixTooOld)
    #expect(old.verdict == .uncertain)
    #expect(old.fixAgeSeconds == 120.001)
  }

  @Test func `a fix may be a minute ahead of the clock and no more`() {
    #expect(EligibilityTests.judge(north: 0, ageSeconds: -60).isEligible)
    let early = EligibilityTests.judge(north: 0, ageSeconds: -60.001)
    #expect(early.reason == .fixFromFuture)
    #expect(early.verdict == nil)
    #expect(early.distance == nil)
  }

  @Test func `a coarse fix is uncertain however far`() {
    #expect(EligibilityTests.judge(north: 0, accuracy: 100).isEligible)
    for north in [0.0, 5000] {
      let coarse = EligibilityTests.judge(north: north, accuracy: 100.01)
      #expect(coarse.reason == .accuracyTooLow)
      #expect(coarse.verdict == .uncertain)
    }
  }

  @Test func `unknown accuracy counts as a hundred meters and is told as unknown`() {
    let inside = EligibilityTests.judge(north: 100, accuracy: nil)
    #expect(inside.isEligible)
    #expect(inside.accuracy == nil)
    #expect(inside.confidence == EligibilityTests.judge(north: 100, accuracy: 100).confidence)
    #expect(EligibilityTests.judge(north: 299, accuracy: nil).reason == .nearEdge)
    #expect(EligibilityTests.judge(north: 301, accuracy: nil).reason == .outside)
  }

  @Test func `a simulated fix is never eligible`() {
    let simulated = EligibilityTests.judge(north: 0, isSimulated: true)
    #expect(simulated.reason == .simulated)
    #expect(!simulated.isEligible)
  }

  @Test func `who is not assigned learns where they are, but may not clock in`() {
    let inside = EligibilityTests.judge(north: 0, isAssigned: false)
    #expect(inside.reason == .notAssigned)
    #expect(inside.verdict == .inside)
    #expect(!inside.isEligible)
    #expect(EligibilityTests.judge(north: 900, isAssigned: false).verdict == .outside)
  }

  @Test func `a jump from the last counted position is uncertain`() {
    let far = Ground.fix(at: -10, north: 30_000)
    #expect(EligibilityTests.judge(north: 0, lastCounted: far).reason == .implausibleJump)
    // 700 m and both accuracies in ten seconds are plausible, a little more is not.
    let near = Ground.fix(at: -10, north: 715.9)
    #expect(EligibilityTests.judge(north: 0, lastCounted: near).isEligible)
    let beyond = Ground.fix(at: -10, north: 716.1)
    #expect(EligibilityTests.judge(north: 0, lastCounted: beyond).reason == .implausibleJump)
  }

  @Test func `a store can ask for more confidence`() {
    let fix = EligibilityTests.judge(north: 195)
    #expect(fix.isEligible)
    let confidence = fix.confidence!
    #expect(EligibilityTests.judge(north: 195, minimumConfidence: confidence).isEligible)
    let strict = EligibilityTests.judge(north: 195, minimumConfidence: confidence + 1e-6)
    #expect(strict.reason == .nearEdge)
    #expect(strict.verdict == .uncertain)
  }

  @Test func `a wrong clock cancels where the client tells its time, and its skew is reported`() {
    let skewed = EligibilityTests.judge(north: 0, ageSeconds: 5, sentAtSkew: 2820)
    #expect(skewed.isEligible)
    #expect(skewed.fixAgeSeconds == 5)
    #expect(skewed.clockSkewSeconds == 2820)
    #expect(EligibilityTests.judge(north: 0, ageSeconds: -2820).reason == .fixFromFuture)
  }

  @Test func `what is refused has no verdict, and what is unknown is null`() {
    let fences = try! FenceSet([Ground.fence()])
    let refused = fences.eligibility(
      at: "S", of: .invalid([.latitudeOutOfRange, .longitudeMissing]),
      in: .init(now: Ground.start))!
    #expect(refused.reason == .invalidFix)
    #expect(refused.problems == [.latitudeOutOfRange, .longitudeMissing])
    #expect(refused.verdict == nil)
    #expect(refused.fixAgeSeconds == nil)
    let none = fences.eligibility(at: "S", of: .noFix, in: .init(now: Ground.start))!
    #expect(none.reason == .noFix)
    #expect(none.confidence == nil)
    let island = Fix(
      coordinate: Coordinate(latitude: 0.001, longitude: -0.001)!, time: Ground.start)
    let nowhere = fences.eligibility(at: "S", of: .fix(island), in: .init(now: Ground.start))!
    #expect(nowhere.reason == .nullIsland)
    #expect(nowhere.verdict == nil)
    #expect(fences.eligibility(at: "none", of: .noFix, in: .init(now: Ground.start)) == nil)
  }
}
