import Geo
import Positioning
import Testing

/// Which day a time of day belongs to.
struct NMEADateTests {
  private func times(_ bodies: [String], mode: NMEADecoder.Mode = .recorded(reference: nil))
    -> [String]
  {
    NMEADecoder.decodeAll(bodies, mode: mode).decodedFixes.map {
      "\($0.fix.time) \($0.timeOrigin.rawValue)"
    }
  }

  @Test func `a date is carried over midnight and over new year`() {
    #expect(
      times([rmc("235958", date: "311225"), gga("235959"), gga("000000"), gga("000001")]) == [
        "2025-12-31T23:59:58.000Z reported", "2025-12-31T23:59:59.000Z date_carried",
        "2026-01-01T00:00:00.000Z date_carried", "2026-01-01T00:00:01.000Z date_carried",
      ])
  }

  @Test func `a date that follows is filled back over midnight`() {
    #expect(
      times([gga("235958"), gga("235959"), gga("000000"), rmc("000001", date: "010126")]) == [
        "2025-12-31T23:59:58.000Z date_carried", "2025-12-31T23:59:59.000Z date_carried",
        "2026-01-01T00:00:00.000Z date_carried", "2026-01-01T00:00:01.000Z reported",
      ])
  }

  @Test func `a recording without dates starts nearest to its reference and counts on`() {
    let mode = NMEADecoder.Mode.recorded(reference: timestamp("2025-06-15T02:00:00Z"))
    let bodies = [
      gga("180000"), gga("235959"), gga("000000"), gga("110000"), gga("220000"), gga("030000"),
    ]
    #expect(
      times(bodies, mode: mode) == [
        "2025-06-14T18:00:00.000Z date_assumed", "2025-06-14T23:59:59.000Z date_assumed",
        "2025-06-15T00:00:00.000Z date_assumed", "2025-06-15T11:00:00.000Z date_assumed",
        "2025-06-15T22:00:00.000Z date_assumed", "2025-06-16T03:00:00.000Z date_assumed",
      ])
    let output = NMEADecoder.decodeAll([gga("180000")], mode: .recorded(reference: nil))
    #expect(output.reasons == [.timeMissing])
  }

  @Test func `what is held back for a date is bounded`() {
    var decoder = NMEADecoder(mode: .recorded(reference: newYear2026))
    var given = 0
    for index in 0..<9000 {
      let second = index % 60
      let minute = index / 60 % 60
      let time = [10 + index / 3600, minute, second].map { "\($0 < 10 ? "0" : "")\($0)" }.joined()
      given += decoder.decode(sentence(gga(time))).fixes.count
      #expect(index - given <= 4097)
    }
    var output: [Decoded] = []
    decoder.finish(into: &output)
    #expect(given + output.fixes.count == 9000)
  }

  @Test func `no fix is given out of order while fixes are held back`() {
    let output = NMEADecoder.decodeAll([
      gga("120000"), "GPGGA,120001,,,,,0,00,,,M,,M,,", gga("120002"), rmc("120003"),
    ])
    #expect(output.count == 4 && output.noFixes.count == 1)
    #expect(output[1] == .noFix(NoFix(time: timestamp("2025-06-15T12:00:01Z"))))
  }

  @Test func `ZDA gives the date before, after, a second off, and with two digits`() {
    for zda in ["GPZDA,120000,15,06,2025,00,00", "GPZDA,120000,15,06,25,00,00"] {
      #expect(times([gga("120000"), zda]) == ["2025-06-15T12:00:00.000Z reported"])
      #expect(times([zda, gga("120000.379")]) == ["2025-06-15T12:00:00.379Z reported"])
    }
    let later = "GPZDA,000001,15,06,2025,00,00"
    #expect(times([gga("235959"), later]) == ["2025-06-14T23:59:59.000Z date_carried"])
    #expect(
      times([later, gga("235959"), gga("000000")]) == [
        "2025-06-14T23:59:59.000Z date_carried", "2025-06-15T00:00:00.000Z date_carried",
      ])
  }

  @Test func `a date of a receiver without a position is only a hint`() {
    let void = "GPRMC,120000,V,,,,,,,060180,,,N"
    #expect(
      times([void, gga("120001"), rmc("120002")]) == [
        "2025-06-15T12:00:01.000Z date_carried", "2025-06-15T12:00:02.000Z reported",
      ])
    #expect(
      times([rmc("115959"), void, gga("120001")]) == [
        "2025-06-15T11:59:59.000Z reported", "2025-06-15T12:00:01.000Z date_carried",
      ])
    #expect(times([void, gga("120001")]) == ["1980-01-06T12:00:01.000Z date_assumed"])
  }

  @Test(arguments: [
    ("010180", "1980-01-01"), ("311279", "2079-12-31"), ("290224", "2024-02-29"),
    ("15062025", "2025-06-15"), ("31121999", "1999-12-31"),
  ])
  func `dates have two digits of year from 1980, or four`(date: String, day: String) {
    #expect(times([rmc("120000", date: date)]) == ["\(day)T12:00:00.000Z reported"])
  }

  @Test(arguments: [
    "2208-1", "290223", "001225", "321225", "151325", "15062", "1506255", "15061979", "", "aabbcc",
  ])
  func `a date that is none leaves the position usable`(date: String) {
    #expect(
      times([rmc("120000", date: date), rmc("120001")]) == [
        "2025-06-15T12:00:00.000Z date_carried", "2025-06-15T12:00:01.000Z reported",
      ])
  }

  @Test func `the leap second stays between its neighbors`() {
    let bodies = [
      rmc("235959.00", date: "311216"), rmc("235960.00", date: "311216"),
      rmc("000000.00", date: "010117"),
    ]
    #expect(
      times(bodies) == [
        "2016-12-31T23:59:59.000Z reported", "2016-12-31T23:59:59.999Z reported",
        "2017-01-01T00:00:00.000Z reported",
      ])
  }

  @Test(arguments: [
    ("120000", "12:00:00.000"), ("120000.", "12:00:00.000"), ("120000.1", "12:00:00.100"),
    ("120000.123456789", "12:00:00.123"), ("235959.9999", "23:59:59.999"),
  ])
  func `a fraction has any number of digits and is cut to milliseconds`(
    field: String, time: String
  ) {
    #expect(times([rmc(field)]) == ["2025-06-15T\(time)Z reported"])
  }

  @Test(arguments: [
    "12000", "1200000", "240000", "126000", "120061", "12:00:00", "-20000", "120000.x",
  ])
  func `a time that is none is malformed`(field: String) {
    #expect(NMEADecoder.decodeAll([rmc(field)]).reasons == [.malformed])
  }

  @Test func `a time that goes back a little is kept`() {
    #expect(times([rmc("120005"), rmc("120003"), rmc("120004")]).count == 3)
  }

  @Test func `a recording keeps dates of whole rollovers ago`() {
    #expect(times([rmc("120000", date: "291005")]) == ["2005-10-29T12:00:00.000Z reported"])
  }

  private func live(_ body: String, at now: String) -> String? {
    var decoder = NMEADecoder(mode: .live)
    let output =
      decoder.decode(sentence(body), at: timestamp(now)) + decoder.flush()
    return output.decodedFixes.first.map { "\($0.fix.time) \($0.timeOrigin.rawValue)" }
  }

  @Test func `live, a date of whole rollovers ago is repaired within two days`() {
    let repaired = "2025-06-14T12:00:00.000Z rollover_repaired"
    let kept = "2005-10-29T12:00:00.000Z reported"
    let body = rmc("120000", date: "291005")
    #expect(live(body, at: "2025-06-14T12:00:01Z") == repaired)
    #expect(live(body, at: "2025-06-16T12:00:00Z") == repaired)
    #expect(live(body, at: "2025-06-16T12:00:00.001Z") == kept)
    #expect(live(body, at: "2025-06-12T12:00:00Z") == repaired)
    #expect(live(body, at: "2025-06-12T11:59:59.999Z") == kept)
    // Two rollovers.
    #expect(
      live(rmc("120000", date: "291005"), at: "2045-01-28T12:00:00Z")
        == "2045-01-28T12:00:00.000Z rollover_repaired")
    #expect(live(rmc("120000"), at: "2025-06-15T12:00:00Z") == "2025-06-15T12:00:00.000Z reported")
  }

  @Test func `live, a time without a date is of the nearest day, not of today`() {
    #expect(
      live(gga("235959"), at: "2025-06-15T00:00:01Z") == "2025-06-14T23:59:59.000Z date_assumed")
    #expect(
      live(gga("000001"), at: "2025-06-14T23:59:59Z") == "2025-06-15T00:00:01.000Z date_assumed")
    #expect(
      live(gga("120000"), at: "2025-06-15T00:00:01Z") == "2025-06-15T12:00:00.000Z date_assumed")
    #expect(
      live(gga("120001"), at: "2025-06-15T00:00:00Z") == "2025-06-14T12:00:01.000Z date_assumed")
  }

  @Test func `live, a date is carried on by the clock over a long silence`() {
    var decoder = NMEADecoder(mode: .live)
    _ = decoder.decode(sentence(rmc("120000")), at: timestamp("2025-06-15T12:00:00Z"))
    _ = decoder.decode(sentence(gga("110000")), at: timestamp("2025-06-18T11:00:00Z"))
    #expect(decoder.flush().fixes.map(\.time) == [timestamp("2025-06-18T11:00:00Z")])
  }

  @Test func `a phone's log line tells when it was received`() {
    let lines = [0, 1].map { second in
      "NMEA," + bareSentence(gga("12000\(second)"))
        + ",\(1_750_000_000_123 + second * 1000)\r\n"
    }
    let given = NMEADecoder.decodeAll(lines.joined().bytes, mode: .recorded(reference: nil))
    #expect(
      given.decodedFixes.map { "\($0.fix.time) \($0.timeOrigin.rawValue)" } == [
        "2025-06-15T12:00:00.000Z date_assumed", "2025-06-15T12:00:01.000Z date_assumed",
      ])
  }
}
