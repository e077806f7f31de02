import Geo
import TestSupport
import Testing

@testable import Notifications

@Suite struct BackOffTests {
  @Test(
    arguments: [
      (1, 1000), (2, 2000), (3, 4000), (9, 256_000), (10, 300_000), (11, 300_000), (5000, 300_000),
    ] as [(Int, Int64)])
  func `a machine's wait doubles from a second to five minutes`(failures: Int, wait: Int64) {
    #expect(BackOff.machine.wait(after: failures, jitter: 0) == wait)
  }

  @Test(arguments: [(1, 1000), (6, 32_000), (7, 60_000), (8, 60_000)] as [(Int, Int64)])
  func `a person's wait doubles from a second to one minute`(failures: Int, wait: Int64) {
    #expect(BackOff.person.wait(after: failures, jitter: 0) == wait)
  }

  @Test func `jitter takes off up to half`() {
    #expect(BackOff.machine.wait(after: 3, jitter: 0.5) == 3000)
    #expect(BackOff.machine.wait(after: 3, jitter: 0.999_999) == 2001)
  }

  @Test(arguments: [
    (BackOff.machine, 24.0 * 3600), (BackOff.person, 15.0 * 60),
  ])
  func `the last attempt is at the end of its lifetime, and a failure there is final`(
    backOff: BackOff, seconds: Double
  ) throws {
    let end = backOff.giveUpAt(from: noon)
    #expect(end.seconds(since: noon) == seconds)
    var random = SeededGenerator(seed: 4)
    var now = noon
    var attempts = 1
    while let next = backOff.nextAttempt(
      after: attempts, at: now, giveUpAt: end, jitter: .random(in: 0..<1, using: &random))
    {
      #expect(next > now && next <= end)
      #expect(backOff.allowsAttempt(after: attempts, at: next, giveUpAt: end))
      now = next
      attempts += 1
    }
    #expect(now == end)
    #expect(!backOff.allowsAttempt(after: 1, at: end.advanced(byMilliseconds: 1), giveUpAt: end))
  }

  @Test
  func `what found no chance in its lifetime is tried once for a machine, never for a person`() {
    let late = noon.advanced(byMilliseconds: 1)
    #expect(BackOff.machine.allowsAttempt(after: 0, at: late, giveUpAt: noon))
    #expect(!BackOff.person.allowsAttempt(after: 0, at: late, giveUpAt: noon))
    #expect(BackOff.person.allowsAttempt(after: 0, at: noon, giveUpAt: noon))
  }
}
