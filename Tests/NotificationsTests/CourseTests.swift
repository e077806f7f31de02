import Geo
import Geofencing
import TestSupport
import Testing

@testable import Notifications

@Suite struct CourseTests {
  private func delivery(
    _ id: String, attempts: Int = 0, giveUpAt: Timestamp = BackOff.machine.giveUpAt(from: noon)
  ) -> Delivery {
    let event = FenceEvent(
      kind: .entered, subject: SubjectID("D1"), fence: Fence.ID("S"), visit: nil, time: noon,
      confirmedAt: noon, rule: .twoFixes)
    return Delivery(
      id: id, event: StoredEvent(sequence: 1, event: event), attempts: attempts,
      giveUpAt: giveUpAt)
  }

  private func after(_ seconds: Double) -> Timestamp { noon.advanced(bySeconds: seconds) }

  @Test func `a refused delivery waits alone`() {
    var course = Course(backOff: .machine)
    let one = delivery("1", attempts: 3)
    #expect(course.take([one], atMost: 4, at: noon).begun == [one])
    course.note([(one, .refused("no"))], at: noon, jitter: { 0 })
    #expect(course.unsettled == [Settlement(id: "1", outcome: .retry(at: after(8), error: "no"))])
    // Not yet remembered, it still has its place.
    #expect(course.room(of: 4, at: noon) == 3)
    course.forgetSettled()
    #expect(course.room(of: 4, at: noon) == 4)
  }

  @Test
  func `an unreachable target rests, twice as long each time, and is tried with one delivery`() {
    var course = Course(backOff: .machine)
    var now = noon
    for wait in [1.0, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300] {
      let one = delivery("\(wait)")
      #expect(course.take([one], atMost: 1, at: now).begun == [one])
      #expect(wait == 1 || course.room(of: 4, at: now) == 0)
      course.note([(one, .unreachable("gone"))], at: now, jitter: { 0 })
      course.forgetSettled()
      let back = now.advanced(bySeconds: wait)
      #expect(course.room(of: 4, at: back.advanced(byMilliseconds: -1)) == 0)
      #expect(course.pauseLeft(at: back.advanced(byMilliseconds: -1)) == 1)
      #expect(course.room(of: 4, at: back) == 1)
      now = back
    }
    let last = delivery("last")
    _ = course.take([last], atMost: 1, at: now)
    course.note([(last, .delivered)], at: now, jitter: { 0 })
    course.forgetSettled()
    #expect(course.room(of: 4, at: now) == 4)
  }

  @Test func `a rest that was begun by a clock set back since is over`() {
    var course = Course(backOff: .machine)
    let one = delivery("1")
    _ = course.take([one], atMost: 1, at: noon)
    course.note([(one, .unreachable("gone"))], at: noon, jitter: { 0 })
    course.forgetSettled()
    #expect(course.room(of: 4, at: after(-298)) == 0)
    #expect(course.room(of: 4, at: after(-3600)) == 1)
  }

  @Test func `while the target is gone, what is past its time is given up untried`() {
    var course = Course(backOff: .machine)
    let one = delivery("1")
    _ = course.take([one], atMost: 1, at: noon)
    course.note([(one, .unreachable("gone"))], at: noon, jitter: { 0 })
    course.forgetSettled()
    let late = after(25 * 3600)
    let old = (0..<3).map { delivery("old\($0)", attempts: 1) }
    let new = delivery("new", attempts: 0)
    let (begun, dead) = course.take(old + [new], atMost: 1, at: late)
    #expect(begun == [new] && dead)
    #expect(
      course.unsettled
        == old.map { Settlement(id: $0.id, outcome: .dead(at: late, error: "gone")) })
  }

  @Test func `what is under way is not begun again`() {
    var course = Course(backOff: .machine)
    let all = (0..<5).map { delivery("\($0)") }
    #expect(course.take(all, atMost: 2, at: noon).begun == Array(all[0...1]))
    #expect(course.take(all, atMost: 2, at: noon).begun == Array(all[2...3]))
    course.note([(all[0], .delivered)], at: noon, jitter: { 0 })
    #expect(course.take(all, atMost: 2, at: noon).begun == [all[4]])
    course.forgetSettled()
    #expect(course.underWay == ["1", "2", "3", "4"])
  }
}
