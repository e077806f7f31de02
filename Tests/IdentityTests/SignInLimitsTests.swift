import Geo
import Persistence
import Testing

@testable import Identity

@Suite struct SignInLimitsTests {
  private func verdict(
    pair: Int = 0, secondsAgo: Double = 0, limitingSecondsAgo: Double? = nil, account: Int = 0
  ) -> SignInLimits.Verdict {
    SignInLimits.verdict(
      on: .init(
        ofPair: pair, lastOfPair: pair > 0 ? noon + -secondsAgo : nil, fromAddress: 0,
        limitingOfAddress: limitingSecondsAgo.map { noon + -$0 }, ofAccount: account), at: noon)
  }

  @Test(arguments: [
    (0, 0), (4, 0), (5, 30), (6, 60), (7, 120), (8, 240), (9, 480), (10, 900), (1000, 900),
  ])
  func `the wait of a pair doubles from the sixth attempt on`(attempts: Int, wait: Int) {
    #expect(
      verdict(pair: attempts)
        == (wait == 0 ? .allowed(delayMilliseconds: 0) : .refused(retryAfterSeconds: wait)))
    #expect(verdict(pair: attempts, secondsAgo: Double(wait)) == .allowed(delayMilliseconds: 0))
    if wait > 0 {
      #expect(
        verdict(pair: attempts, secondsAgo: Double(wait) - 0.001) == .refused(retryAfterSeconds: 1))
    }
  }

  @Test func `a clock that was set back makes nobody wait longer`() {
    #expect(verdict(pair: 5, secondsAgo: -3600) == .refused(retryAfterSeconds: 30))
  }

  @Test func `an address with too many attempts waits until enough of them are old`() {
    #expect(verdict(limitingSecondsAgo: 100) == .refused(retryAfterSeconds: 800))
    #expect(verdict(limitingSecondsAgo: 900) == .allowed(delayMilliseconds: 0))
  }

  @Test(arguments: [(9, 0), (10, 250), (11, 500), (12, 1000), (13, 2000), (100_000, 2000)])
  func `an account under attack from everywhere is slowed and never refused`(
    attempts: Int, delay: Int
  ) {
    #expect(verdict(account: attempts) == .allowed(delayMilliseconds: delay))
  }

  @Test func `all IPv6 addresses of one network count as one, and IPv4 is IPv4 in any form`() {
    let network = ClientAddress("2001:db8:1:2:3:4:5:6").network
    #expect(ClientAddress("2001:db8:1:2::1").network == network)
    #expect(ClientAddress("2001:db8:1:3::1").network != network)
    #expect(ClientAddress("::ffff:192.0.2.7").network == ClientAddress("192.0.2.7").network)
    #expect(ClientAddress("192.0.2.7").network != ClientAddress("192.0.2.8").network)
    #expect(ClientAddress("2001:db8:1:2::1").text == "2001:db8:1:2::1")
  }
}
