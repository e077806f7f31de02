import Geo
import Positioning
import Testing

/// The sentences of one measurement make one fix.
struct NMEAEpochTests {
  @Test func `the position is of GGA, else of RMC, GNS, GLL`() {
    let sentences = [
      "GPGLL,4800.0,N,01604.0,E,120000.00,A,A",
      "GNGNS,120000.00,4800.0,N,01603.0,E,AA,14,1.3,250.8,50.0,,,V",
      "GPRMC,120000.00,A,4800.0,N,01602.0,E,1.20,90.0,150625,,,A",
      "GPGGA,120000.00,4800.0,N,01601.0,E,1,09,0.90,180.1,M,43.0,M,,",
    ]
    for count in 1...4 {
      let fixes = NMEADecoder.decodeAll(Array(sentences.prefix(count))).fixes
      #expect(fixes.map(\.coordinate.longitude) == [16 + Double(5 - count) / 60])
      let reversed = NMEADecoder.decodeAll(sentences.prefix(count).reversed()).fixes
      #expect(reversed.map(\.coordinate) == fixes.map(\.coordinate))
    }
  }

  struct VoidSentence: CustomTestStringConvertible {
    var testDescription: String
    var sentence: String
  }

  @Test(arguments: [
    VoidSentence(
      testDescription: "status V", sentence: "GPRMC,120000,V,4812.3,N,01622.1,E,,,150625,,,A"),
    VoidSentence(
      testDescription: "mode N", sentence: "GPRMC,120000,A,4812.3,N,01622.1,E,,,150625,,,N"),
    VoidSentence(testDescription: "GLL V", sentence: "GPGLL,4812.3,N,01622.1,E,120000,V,A"),
    VoidSentence(testDescription: "GLL status N", sentence: "GPGLL,4812.3,N,01622.1,E,120000,N,V"),
    VoidSentence(
      testDescription: "GNS NN", sentence: "GNGNS,120000,4812.3,N,01622.1,E,NN,00,99.9,,,,"),
    VoidSentence(
      testDescription: "quality 0", sentence: "GPGGA,120000,4812.3,N,01622.1,E,0,0,,,M,,M,,"),
    VoidSentence(testDescription: "no coordinate", sentence: "GPRMC,120000,A,,,,,,,150625,,,A"),
    VoidSentence(testDescription: "0, 0", sentence: "GPGLL,0000.00,N,00000.00,E,120000,A,A"),
  ])
  func `any word against the position wins, wherever it stands`(void: VoidSentence) {
    for sentences in [[gga("120000"), void.sentence], [void.sentence, gga("120000")]] {
      let output = NMEADecoder.decodeAll(sentences)
      #expect(output.fixes.isEmpty)
      #expect(output.noFixes.count == 1)
    }
  }

  @Test func `an empty quality is no word: RMC decides`() {
    let silent = "GPGGA,120000,4812.3,N,01622.1,E,,02,17.5,,M,,M,,"
    #expect(NMEADecoder.decodeAll([silent]).fixes.isEmpty)
    #expect(NMEADecoder.decodeAll([silent, rmc("120000")]).fixes.count == 1)
    let void = "GPRMC,120000,V,4812.3,N,01622.1,E,,,150625"
    #expect(NMEADecoder.decodeAll([silent, void]).fixes.isEmpty)
  }

  @Test(arguments: [
    (["GPGGA,120000,4812.3,N,01622.1,E,8,09,0.9,1.0,M,,M,,"], Dropped.Reason.simulated),
    (["GPRMC,120000,V,4812.3,N,01622.1,E,,,150625,,,S"], .simulated),
    ([gga("120000"), "GPGLL,4812.3,N,01622.1,E,120000,V,S"], .simulated),
    (["GNGNS,120000,4812.3,N,01622.1,E,SS,9,0.9,,,,"], .simulated),
    (["GPGGA,120000,4812.3,N,01622.1,E,6,09,0.9,1.0,M,,M,,"], .estimated),
    (["GPRMC,120000,V,4812.3,N,01622.1,E,,,150625,,,E"], .estimated),
    ([gga("120000"), "GNGNS,120000,4812.3,N,01622.1,E,EN,9,0.9,,,,"], .estimated),
  ])
  func `simulated and estimated positions are named`(
    sentences: [String], reason: Dropped.Reason
  ) {
    let output = NMEADecoder.decodeAll(sentences)
    #expect(output.reasons == [reason] && output.fixes.isEmpty && output.noFixes.isEmpty)
    let settings = NMEADecoder.Settings(acceptsSimulated: true)
    let accepted = NMEADecoder.decodeAll(sentences, settings: settings).fixes
    #expect(accepted.map(\.isSimulated) == (reason == .simulated ? [true] : []))
  }

  @Test func `a constellation that is used outweighs one that is not`() {
    for modes in ["AN", "NA", "NNNA", "EA", "DN"] {
      let sentence = "GNGNS,120000,4812.3,N,01622.1,E,\(modes),9,0.9,,,,"
      #expect(NMEADecoder.decodeAll([sentence]).fixes.count == 1, "\(modes)")
    }
  }

  @Test(arguments: [
    ("1", "A", Fix.Source.gps), ("2", "A", .differentialGPS), ("3", "A", .gps),
    ("4", "A", .differentialGPS), ("5", "A", .differentialGPS), ("7", "A", .manual),
    ("9", "D", .differentialGPS), ("9", "A", .gps), ("9", "", .gps), ("", "R", .differentialGPS),
    ("", "P", .gps), ("", "F", .differentialGPS), ("", "", .gps),
  ])
  func `quality and mode tell the source`(quality: String, mode: String, source: Fix.Source) {
    let fixes = NMEADecoder.decodeAll([
      "GPGGA,120000,4812.3,N,01622.1,E,\(quality),09,0.9,1.0,M,,M,,",
      "GPRMC,120000,A,4812.3,N,01622.1,E,,,150625,,,\(mode)",
    ]).fixes
    #expect(fixes.map(\.source) == [source])
  }

  @Test func `the accuracy is of GST, else of HDOP, else unknown`() {
    let gst = "GNGST,120000.00,46,,,,3.0,4.0,5.3"
    let gsa = "GNGSA,A,3,17,28,30,13,19,07,11,15,01,51,,,1.56,0.75,1.37"
    let unused = "GNGSA,A,1,,,,,,,,,,,,,99.9,99.9,99.9"
    let gns = "GNGNS,120000.00,4812.3,N,01622.1,E,AA,14,1.3,250.8,50.0,,"
    let sigmas = 1.51 * (25.0 / 2).squareRoot()
    let table: [([String], Double?)] = [
      ([rmc("120000.00")], nil),
      ([rmc("120000.00"), gsa], 0.75 * 5),
      ([rmc("120000.00"), unused, gsa, unused], 0.75 * 5),
      ([gns], 1.3 * 5), ([gns, gsa], 0.75 * 5),
      ([gga("120000.00"), gsa], 0.9 * 5), ([gsa, gga("120000.00")], 0.9 * 5),
      ([gga("120000.00"), gst], sigmas), ([gst, gga("120000.00")], sigmas),
      ([gga("120000.00"), "GNGST,120000.00,46,,,,,,"], 0.9 * 5),
      ([gga("120000.00"), "GNGST,120000.00,46,,,,0.0,0.0,"], 0.9 * 5),
      ([gga("120000.00"), "GNGST,115959.00,46,,,,3.0,4.0,5.3"], 0.9 * 5),
    ]
    for (sentences, expected) in table {
      let fixes = NMEADecoder.decodeAll(sentences).fixes
      #expect(fixes.map(\.accuracy?.meters) == [expected], "\(sentences)")
    }
    let settings = NMEADecoder.Settings(userRangeError: .meters(3))
    let fixes = NMEADecoder.decodeAll([gga("120000.00")], settings: settings).fixes
    #expect(fixes.first?.accuracy?.meters == 0.9 * 3)
  }

  @Test func `speed and course are of RMC, else of VTG`() {
    let vtg = "GPVTG,91.0,T,,M,12.0,N,22.2,K,A"
    let table: [([String], Double?, Double?)] = [
      ([gga("120000")], nil, nil),
      ([gga("120000"), vtg], 12, 91),
      ([gga("120000"), "GPVTG,91.0,T,,M,,N,18.52,K,A"], 10, 91),
      ([gga("120000"), "GPVTG,091.0,090.0,010.0,018.5"], 10, 91),
      ([gga("120000"), "GPVTG,,T,,M,,N,,K,N"], nil, nil),
      ([gga("120000"), vtg, rmc("120000")], 1.2, 90),
      ([gga("120000"), rmc("120000"), vtg], 1.2, 90),
      ([gga("120000"), "GPRMC,120000,A,4812.3,N,01622.1,E,X.138,-3,150625"], nil, nil),
      ([gga("120000"), "GPRMC,120000,A,4812.3,N,01622.1,E,,,150625", vtg], 12, 91),
    ]
    for (sentences, knots, course) in table {
      let fix = NMEADecoder.decodeAll(sentences).fixes.first
      #expect((fix?.speed?.knots.rounded(toDigits: 9)) == knots)
      #expect(fix?.course?.degrees == course, "\(sentences)")
    }
  }

  @Test func `an RMC gives its speed to epochs without one for a second, and no longer`() {
    let fixes = NMEADecoder.decodeAll([
      gga("115959.90"), rmc("120000.00"), gga("120000.10"), gga("120001.00"), gga("120001.01"),
    ]).fixes
    #expect(fixes.map { $0.speed != nil } == [false, true, true, true, false])
    // Not after the receiver lost the sky.
    let lost = NMEADecoder.decodeAll([
      rmc("120000.00"), "GNRMC,120000.50,V,,,,,,,150625,,,N", gga("120000.60"),
    ]).fixes
    #expect(lost.map { $0.speed != nil } == [true, false])
  }

  @Test func `a time with fewer digits is of the same measurement`() {
    let fixes = NMEADecoder.decodeAll([
      "GPGLL,4812.3,N,01622.1,E,120824.758,A", gga("120824.76"), rmc("120824"),
      "GPGLL,4812.3,N,01622.1,E,120825.758,A", gga("120825.75"), rmc("120825.8"),
    ]).fixes
    #expect(
      fixes.map(\.time.description) == ["2025-06-15T12:08:24.758Z", "2025-06-15T12:08:25.758Z"])
    let apart = NMEADecoder.decodeAll([gga("120824.50"), rmc("120825"), gga("120825.00")]).fixes
    #expect(apart.count == 2)
  }

  @Test func `the same time again is no second fix`() {
    let output = NMEADecoder.decodeAll([rmc("120000"), rmc("120000"), rmc("120000")])
    #expect(output.fixes.count == 1 && output.reasons == [.duplicate, .duplicate])
    let mixed = NMEADecoder.decodeAll([rmc("120000"), rmc("120001"), gga("120000"), gga("120001")])
    #expect(mixed.fixes.count == 2 && mixed.reasons == [.duplicate, .duplicate])
    let talkers = NMEADecoder.decodeAll([gga("120000", talker: "GP"), gga("120000", talker: "GA")])
    #expect(talkers.fixes.count == 1 && talkers.reasons.isEmpty)
  }

  @Test func `another place at a time that was there is a fix of its own`() {
    let fixes = NMEADecoder.decodeAll([
      rmc("120000"), rmc("120001"), gga("120000", latitude: "4812.40000"),
    ]).fixes
    #expect(fixes.count == 3)
  }

  @Test func `two receivers on one line come out in order of arrival, or one of them`() throws {
    let lines = [
      "GPRMC,092211.00,A,5759.09700,N,01144.34344,E,5.257,28.27,200725,,,A",
      "IIRMC,092210,A,5759.095,N,01144.342,E,5.5,31.1,200725,0.0,E,A",
      "GPRMC,092212.00,A,5759.09900,N,01144.34544,E,5.257,28.27,200725,,,A",
      "IIRMC,092211,A,5759.093,N,01144.340,E,5.5,31.1,200725,0.0,E,A",
    ]
    let seconds = NMEADecoder.decodeAll(lines).fixes.map {
      $0.time.description.dropLast(5).suffix(2)
    }
    #expect(seconds == ["11", "10", "12", "11"])
    let talker: NMEATalker = try #require(NMEATalker("GP"))
    let settings = NMEADecoder.Settings(talker: talker)
    let filtered = NMEADecoder.decodeAll(lines, settings: settings)
    #expect(filtered.fixes.count == 2 && filtered.reasons == [.unsupported, .unsupported])
  }

  @Test func `a sentence without a time goes with the measurement around it`() {
    let gll = "GPGLL,4812.3,N,01622.1,E"
    #expect(NMEADecoder.decodeAll([rmc("120000"), gll, rmc("120001"), gll]).fixes.count == 2)
    #expect(NMEADecoder.decodeAll([gll]).reasons == [.timeMissing])
    let void = "GPRMC,,V,,,,,,,,,,N"
    let output = NMEADecoder.decodeAll([
      void, "GPGGA,,,,,,0,00,99.99,,,,,,", void, rmc("120000"), void,
    ])
    #expect(output.noFixes.count == 3 && output.fixes.count == 1)
  }
}

extension Double {
  fileprivate func rounded(toDigits digits: Int) -> Double {
    let scale = (0..<digits).reduce(1.0) { scale, _ in scale * 10 }
    return (self * scale).rounded() / scale
  }
}
