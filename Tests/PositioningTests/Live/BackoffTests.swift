import Testing

@testable import Positioning

struct BackoffTests {
  @Test func `waits double from half a second to ten, and begin again after a success`() {
    var backoff = Backoff(first: .milliseconds(500), limit: .seconds(10))
    let waits = (0..<7).map { _ in backoff.next(jitter: 0) }
    #expect(waits == [0.5, 1, 2, 4, 8, 10, 10].map(Duration.seconds))
    backoff.reset()
    #expect(backoff.next(jitter: 0) == .milliseconds(500))
  }

  @Test func `chance takes off at most a quarter`() {
    var backoff = Backoff(first: .seconds(8), limit: .seconds(8))
    #expect(backoff.next(jitter: 0.5) == .seconds(7))
    #expect(backoff.next(jitter: 0.999_999) > .seconds(6))
  }
}
