import Geo
import Testing

@testable import Geofencing

@Suite struct EmployeePresenceTests {
  func event(_ kind: FenceEvent.Kind, _ visit: UInt64, late: Bool = false) -> FenceEvent {
    FenceEvent(
      kind: kind, subject: "D", fence: "S", visit: VisitID(high: 0, low: visit),
      time: Ground.start, confirmedAt: Ground.start, rule: .twoFixes, isLate: late)
  }

  @Test func `two devices have one arrival at the first and one departure at the last`() {
    var employee = EmployeePresence()
    let first = VisitID(high: 0, low: 1)
    #expect(employee.receive(event(.entered, 1)) == .arrived("S", visit: first))
    #expect(employee.receive(event(.entered, 2)) == nil)
    #expect(employee.receive(event(.exited, 1)) == nil)
    #expect(employee.receive(event(.presenceExpired, 2)) == .departed("S", visit: first))
  }

  @Test func `a device that comes back after a silence is no new arrival`() {
    var employee = EmployeePresence()
    let first = VisitID(high: 0, low: 1)
    _ = employee.receive(event(.entered, 1))
    #expect(employee.receive(event(.presenceExpired, 1)) == .departed("S", visit: first))
    #expect(employee.receive(event(.presenceResumed, 1)) == nil)
    #expect(employee.receive(event(.exited, 1)) == .departed("S", visit: first))
    #expect(employee.receive(event(.entered, 3)) == .arrived("S", visit: VisitID(high: 0, low: 3)))
  }

  @Test func `an exit of a visit that expired, and late events, tell nothing`() {
    var employee = EmployeePresence()
    _ = employee.receive(event(.entered, 1))
    _ = employee.receive(event(.presenceExpired, 1))
    #expect(employee.receive(event(.exited, 1)) == nil)
    #expect(employee.receive(event(.entered, 9, late: true)) == nil)
  }
}
