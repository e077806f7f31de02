import Geo
import Persistence
import TestSupport
import Testing

@testable import TimeClock

@Suite struct ClockStateTests {
  private let later = noon.advanced(bySeconds: 60)

  @Test func `every state allows what it allows and nothing else`() {
    let states: [(ClockState, allowed: [Punch.Kind])] = [
      (.notClockedIn, [.clockIn]),
      (.clockedIn(since: noon), [.clockOut, .breakStart]),
      (.onBreak(since: later, clockedInSince: noon), [.clockOut, .breakEnd]),
    ]
    for (state, allowed) in states {
      let found = Punch.Kind.allCases.filter { state.following($0, at: later) != nil }
      #expect(found == allowed, "\(state)")
    }
  }

  @Test func `a clock-out is forgotten after more than 16 hours, not at 16`() {
    let state = ClockState.clockedIn(since: noon)
    let limit = noon.advanced(bySeconds: 16 * 3600)
    #expect(!state.isMissingOut(at: limit))
    #expect(state.following(.clockIn, at: limit) == nil)
    let after = limit.advanced(byMilliseconds: 1)
    #expect(state.isMissingOut(at: after))
    #expect(state.following(.clockIn, at: after) == .clockedIn(since: after))
    #expect(state.following(.clockOut, at: after) == .notClockedIn)
  }

  @Test func `on the day after a forgotten clock-out, coming is a clock-in`() {
    let state = ClockState.clockedIn(since: ClockFixture.time("2026-03-02T09:00:00-05:00"))
    #expect(state.nextKind(at: ClockFixture.time("2026-03-02T17:05:00-05:00")) == .clockOut)
    #expect(state.nextKind(at: ClockFixture.time("2026-03-03T09:05:00-05:00")) == .clockIn)
    #expect(ClockState.notClockedIn.nextKind(at: noon) == .clockIn)
    #expect(
      ClockState.onBreak(since: later, clockedInSince: noon).nextKind(at: later) == .breakEnd)
  }

  /// The state by a plain look back over all punches.
  private func model(_ punches: [(kind: Punch.Kind, time: Timestamp)]) -> ClockState {
    let lastIn = punches.lastIndex { $0.kind == .clockIn }
    let lastOut = punches.lastIndex { $0.kind == .clockOut }
    guard let lastIn, lastOut ?? -1 < lastIn else { return .notClockedIn }
    let since = punches[lastIn].time
    guard let last = punches.last, last.kind == .breakStart else { return .clockedIn(since: since) }
    return .onBreak(since: last.time, clockedInSince: since)
  }

  @Test(arguments: 1...40)
  func `random attempts are decided as a plain model decides them`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var now = noon
    var history = ClockHistory()
    var taken: [(kind: Punch.Kind, time: Timestamp)] = []
    var outcomes: [String: Int] = [:]
    for _ in 0..<60 {
      let step = [1, 59, 60, 61, 3600, 8 * 3600, 16 * 3600, 17 * 3600].randomElement(
        using: &random)!
      now = now.advanced(bySeconds: Double(step))
      let kind = Punch.Kind.allCases.randomElement(using: &random)!
      let isInside = Int.random(in: 0..<5, using: &random) > 0
      let policy = ClockRules.OutsidePolicy.allCases.randomElement(using: &random)!
      let reason = Bool.random(using: &random) ? "forgot" : nil

      let state = model(taken)
      let isLong = state.clockedInSince.map { now.seconds(since: $0) > 57_600 } ?? false
      let allowed: [Punch.Kind] =
        switch state {
        case .notClockedIn: [.clockIn]
        case .clockedIn: [.breakStart, .clockOut] + (isLong ? [.clockIn] : [])
        case .onBreak: [.breakEnd, .clockOut] + (isLong ? [.clockIn] : [])
        }
      let mayBeOutside =
        kind != .clockIn && (policy == .flag || policy == .withReason && reason != nil)
      let expected =
        taken.contains { $0.kind == kind && now.seconds(since: $0.time) <= 60 }
        ? "DUPLICATE_PUNCH"
        : !allowed.contains(kind)
          ? "CONFLICT" : isInside || mayBeOutside ? "taken" : "OUTSIDE_GEOFENCE"

      let place = ClockFixture.report(
        at: isInside ? ClockFixture.center : ClockFixture.north250, now: now)
      var found = "taken"
      do throws(PunchRefusal) {
        let punch = try ClockRules(clockOutOutside: policy).judge(
          ClockFixture.attempt(kind, reason: reason), at: place, after: history)
        #expect(punch.isOutside == !isInside)
        taken.append((kind, now))
        history.punches.append(
          StoredPunch(id: taken.count, sequence: taken.count, punch: punch))
      } catch {
        found = error.code
      }
      #expect(found == expected, "\(kind) at \(now) after \(taken)")
      #expect(history.state == model(taken))
      outcomes[found, default: 0] += 1
    }
    #expect(outcomes.count >= 3)
  }

  @Test
  func `which clock-outs are forgotten follows from the time, and asking twice changes nothing`()
    throws
  {
    let folder = try TemporaryFolder()
    let punches = PunchRepository(database: try Database(path: folder.path("doorstep.db")))
    for (employment, hour) in [(1, 0.0), (2, 40), (3, 0)] {
      let time = noon.advanced(bySeconds: hour * 3600)
      _ = try punches.append(
        Punch(
          kind: .clockIn, employment: employment, user: employment, store: ClockFixture.ou00,
          time: time), after: 0)
    }
    _ = try punches.append(
      Punch(kind: .clockOut, employment: 3, user: 3, store: ClockFixture.ou00, time: later),
      after: 1)
    let twoDaysLater = noon.advanced(bySeconds: 49 * 3600)
    for _ in 0..<2 {
      let open = try punches.openShifts()
      #expect(open.map(\.employment) == [1, 2])
      #expect(missingOuts(among: open, at: twoDaysLater).map(\.employment) == [1])
    }
  }
}
