import Geo
import Positioning
import Testing

/// A live source gives each fix as early as it can.
struct NMEALiveTests {
  private let now = timestamp("2025-06-15T12:00:00.300Z")

  @Test func `a fix waits for silence until the source's pattern is known`() {
    var decoder = NMEADecoder(mode: .live)
    #expect(
      decoder.decode(sentence(rmc("120000.00")) + sentence(gga("120000.00")), at: now).isEmpty)
    #expect(decoder.flush().fixes.count == 1)
    #expect(decoder.flush().isEmpty)
    #expect(decoder.decode(sentence(rmc("120001.00")), at: now).isEmpty)
    #expect(decoder.decode(sentence(gga("120001.00")), at: now).fixes.count == 1)
  }

  @Test func `a fix is given with the last byte of its last checksum`() {
    var decoder = NMEADecoder(mode: .live)
    for second in 0..<5 {
      let texts = [
        rmc("12000\(second).00"), gga("12000\(second).00"), "GNGST,12000\(second).00,46,,,,3,4,5",
      ]
      let text = texts.map(bareSentence).joined(separator: "\r\n")
      let before = decoder.decode(text, at: now)
      #expect(before.fixes.count == (second == 1 ? 2 : second == 0 ? 0 : 1))
      #expect(before.fixes.allSatisfy { $0.accuracy?.meters != 4.5 })
      #expect(decoder.decode("\r\n", at: now).isEmpty)
    }
  }

  @Test func `sentences that come once a second delay no other epoch, and none is cut short`() {
    var decoder = NMEADecoder(mode: .live)
    var fixes: [Fix] = []
    for tenth in 0..<60 {
      let time = "1200\(tenth / 10 < 10 ? "0" : "")\(tenth / 10).\(tenth % 10)0"
      var given = decoder.decode(sentence(gga(time)), at: now).fixes
      if tenth % 10 == 0 { given += decoder.decode(sentence(rmc(time)), at: now).fixes }
      if tenth > 10 {
        #expect(
          given.map { $0.time.description.dropFirst(11).dropLast(2) }.first
            .map { $0.filter(\.isNumber) } == time.filter(\.isNumber), "\(time)")
      }
      fixes += given
    }
    #expect(fixes.count == 60)
    // Each full second has its RMC's speed, and the nine after it too.
    #expect(fixes.allSatisfy { $0.speed != nil })
  }

  @Test func `a sentence that comes late is no second fix, and is waited for afterwards`() {
    var decoder = NMEADecoder(mode: .live)
    _ = decoder.decode(sentence(rmc("120000.00")), at: now)
    #expect(decoder.flush().fixes.count == 1)
    #expect(decoder.decode(sentence(gga("120000.00")), at: now).isEmpty)
    #expect(decoder.flush().isEmpty)
    #expect(decoder.decode(sentence(rmc("120001.00")), at: now).isEmpty)
    let fixes = decoder.decode(sentence(gga("120001.00")), at: now).fixes
    #expect(fixes.map(\.altitude?.meters) == [180.1])
  }

  @Test func `a late word against a fix is told`() {
    var decoder = NMEADecoder(mode: .live)
    _ = decoder.decode(sentence(gga("120000.00")), at: now)
    #expect(decoder.flush().fixes.count == 1)
    let output = decoder.decode(sentence("GNRMC,120000.00,V,,,,,,,150625,,,N"), at: now)
    #expect(output.noFixes.map(\.time) == [timestamp("2025-06-15T12:00:00.000Z")])
    #expect(decoder.flush().isEmpty)
  }

  @Test func `the last epoch again is a duplicate`() {
    var decoder = NMEADecoder(mode: .live)
    _ = decoder.decode(sentence(rmc("120000.00")), at: now)
    _ = decoder.flush()
    for _ in 0..<3 {
      #expect(decoder.decode(sentence(rmc("120000.00")), at: now).reasons == [.duplicate])
      #expect(decoder.flush().isEmpty)
    }
  }

  @Test func `a pattern that no longer comes is forgotten`() {
    var decoder = NMEADecoder(mode: .live)
    for second in 0..<3 {
      _ = decoder.decode(sentence(rmc("12000\(second).00")) + sentence(gga("12000\(second).00")))
    }
    var delays = 0
    for second in 10..<40 {
      let fixes = decoder.decode(sentence(rmc("1200\(second).00")), at: now).fixes
      if fixes.last?.time != timestamp("2025-06-15T12:00:\(second).000Z") { delays += 1 }
    }
    #expect((8...12).contains(delays))
  }

  @Test func `a position without a time is of the moment of its reception`() {
    var decoder = NMEADecoder(mode: .live)
    _ = decoder.decode(sentence("GPGLL,4812.3,N,01622.1,E"), at: now)
    let given = decoder.flush().decodedFixes
    #expect(given.map(\.fix.time) == [now] && given.map(\.timeOrigin) == [.received])
  }
}
