import Geo
import Positioning
import Testing

/// Sentences are found in whatever stands around them.
struct NMEAFramingTests {
  private let good = bareSentence(rmc("120000"))
  private let next = bareSentence(rmc("120001"))

  private func decode(_ text: String, requiresChecksum: Bool = false) -> [Decoded] {
    NMEADecoder.decodeAll(
      text.bytes, settings: NMEADecoder.Settings(requiresChecksum: requiresChecksum))
  }

  @Test(arguments: ["\r\n", "\n", "\r", "\r\r\n", "\n\n\n", "", " ", "\0\0", "\t"])
  func `any line end, or none, ends a sentence`(end: String) {
    #expect(decode(good + end + next + end).fixes.count == 2)
  }

  @Test(arguments: [
    "$", "$$$", "\\g:1-2-1234,s:r3669961,c:1120959341*57\\", "2025-06-15 12:00:00.123 ", "NMEA,",
    "$GPGSV,3,3,12,20,", "$GNRMC,120", "!AIVDM,1,1,,B,1", "\u{1}\u{2}\u{ff}", "Hello! ", "*", "*4",
    "$GPTXT,01*", "# ", "#", "\u{feff}",
  ])
  func `what stands before a sentence on its line does not hide it, but a comment sign`(
    prefix: String
  ) {
    #expect(decode("\(prefix)\(good)\r\n").fixes.count == (prefix.hasPrefix("#") ? 0 : 1))
    #expect(decode(" \(prefix)\(good)\r\n").fixes.count == 1)
  }

  @Test(arguments: [",1750000000123", "garbage", "*43", "\u{1}\u{2}", "$", "\0\0\0", "0,*4E", "!"])
  func `what stands after a sentence does not change it`(suffix: String) {
    #expect(decode("\(good)\(suffix)\r\n\(next)\r\n").fixes.count == 2)
  }

  @Test func `binary between sentences is passed over and told once`() {
    // UBX NAV-PVT's start, a $ and a * within, RTCM's preamble.
    let binary: [UInt8] = [
      0xb5, 0x62, 0x01, 0x07, 0x24, 0x47, 0x00, 0x2a, 0x34, 0x0a, 0x23, 0xd3, 0,
    ]
    let bytes = good.bytes + binary + next.bytes + binary + binary
    let output = NMEADecoder.decodeAll(bytes)
    #expect(output.fixes.count == 2)
    #expect(output.reasons == [.binary, .binary])
    let first = good.utf8.count
    let second = first + binary.count + next.utf8.count
    #expect(output.drops.map(\.position.byteOffset) == [first, second])
  }

  @Test func `a sentence that was damaged is named, and where it stands`() throws {
    let wrong = good.dropLast(2) + "00"
    let text = [
      "# a comment with $GPRMC,1*00 in it", good, String(wrong), "  \(wrong.dropLast(2))3)",
      "$GPRMC,1200", "just text", bareSentence("GPXYZ,1"),
      "$GPGSV,3,1,\u{7}11", next,
    ].joined(separator: "\r\n")
    let output = decode(text + "\r\n")
    #expect(output.fixes.count == 2)
    let expected: [(Dropped.Reason, Int, Int)] = [
      (.checksumWrong, 3, 1), (.checksumMalformed, 4, 3), (.checksumMissing, 5, 1),
      (.malformed, 6, 1), (.unsupported, 7, 1), (.truncated, 8, 1), (.binary, 8, 12),
    ]
    #expect(output.drops.map(\.reason) == expected.map(\.0))
    #expect(output.drops.map(\.position.line) == expected.map(\.1))
    #expect(output.drops.map(\.position.column) == expected.map(\.2))
    for dropped in output.drops {
      let line = text.split(separator: "\r\n")[dropped.position.line - 1]
      let rest = text.utf8.dropFirst(dropped.position.byteOffset)
      #expect(rest.starts(with: line.utf8.dropFirst(dropped.position.column - 1)))
    }
    #expect(output.drops[0].detail == "\(good.suffix(2)), not 00")
  }

  @Test func `lines count by carriage returns where there are no line feeds`() {
    let output = decode("$GPXYZ,1\r$GPXYZ,1\r\rtext\r\(good)\r")
    #expect(output.drops.map(\.position.line) == [1, 2, 4])
  }

  @Test func `checksums may be in lower case`() {
    let body = rmc("120000").replacing("1.20", with: "1.22")
    let text = bareSentence(body)
    #expect(text.suffix(2) != text.suffix(2).lowercased())
    let lower = text.dropLast(2) + text.suffix(2).lowercased()
    #expect(decode(String(lower)).fixes.count == 1)
  }

  @Test func `sentences without checksums count until the stream shows one`() {
    let bare = ["$\(rmc("120000"))", "$\(rmc("120001"))"].joined(separator: "\r\n") + "\r\n"
    #expect(decode(bare).fixes.count == 2)
    #expect(decode(bare, requiresChecksum: true).reasons == [.checksumMissing, .checksumMissing])
    let other = sentence("GPTXT,1")
    #expect(decode(bare + other + bare).reasons.filter { $0 == .checksumMissing }.count == 2)
    // A wrong one shows that the stream has them, too.
    #expect(decode("$GPTXT,1*00\r\n" + bare).fixes.isEmpty)
    // The input's last line may be cut.
    #expect(decode("$\(rmc("120000"))").reasons == [.truncated])
  }

  @Test func `a line without end is left at 1024 bytes, and the next sentence found`() {
    let filler = String(repeating: "A", count: 3000)
    let output = decode("$GPTXT,\(filler)\(good)\r\n\(next)")
    #expect(output.fixes.count == 2 && output.reasons == [.lineTooLong])
    let fitting = "GPTXT," + String(repeating: "A", count: 1017)
    #expect(decode(sentence(fitting)).reasons == [.unsupported])
    #expect(decode(sentence(fitting + "A")).reasons == [.lineTooLong])
  }

  @Test(arguments: ["PMTK001,0,3", "PQVERNO,1,X", "PGRMT,1", "PTNL,GGK,1", "PX", "PXRMC,120000,A"])
  func `proprietary sentences are passed over and counted`(body: String) {
    let output = decode(sentence(body) + good)
    #expect(output.reasons == [.proprietary] && output.fixes.count == 1)
    #expect(output.drops.first?.detail == "")
  }

  @Test(arguments: ["GPHDT,,T", "GP", "", "GPRMCX,1", "RMC,1", "SDDBT,1,f", "EIGPQ,RMC", ",,,"])
  func `sentences of no use are passed over and counted`(body: String) {
    #expect(decode(sentence(body) + good).reasons == [.unsupported])
  }

  @Test func `satellites in view and suspected faults are known and need no telling`() {
    let output = decode(
      sentence("GPGSV,1,1,01,04,07,250,09")
        + sentence("GNGBS,181141.00,4.7,1.9,5.3,87,,-54902.0,57.5"))
    #expect(output.isEmpty)
  }

  @Test(arguments: [
    "GPRMC,181536.000,A,5936.79K,D", "GPGGA,120000,4812.3,N,01622.1,E,1", "GPGLL,4812.3,N,01622.1",
    "GNGNS,120000,4812.3,N,01622.1,E,AA", "GPGSA,A,3,1,2,3", "GPVTG,1,T,2", "GPGST,120000,1",
    "GPZDA,120000,15",
  ])
  func `a sentence with too few fields changes nothing, although its checksum is right`(
    body: String
  ) {
    #expect(decode(sentence(body)).reasons == [.tooFewFields])
    #expect(decode(sentence(body) + good).fixes.count == 1)
  }

  @Test func `UTF-16 is refused with or without its mark, in either order`() {
    for text in [good, "# comment\r\n\(good)"] {
      let little = text.utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
      let big = text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
      for bytes in [little, big, [0xff, 0xfe] + little, [0xfe, 0xff] + big] {
        let output = NMEADecoder.decodeAll(bytes + bytes)
        #expect(output.reasons == [.wrongEncoding] && output.count == 1)
        #expect(output.drops.first?.position == InputPosition())
      }
    }
    #expect(NMEADecoder.decodeAll([0xff, 0xfe, 0x24, 0x24] + good.bytes).fixes.count == 1)
    #expect(NMEADecoder.decodeAll([0, 0] + good.bytes).fixes.count == 1)
    #expect(NMEADecoder.decodeAll([UInt8]()).isEmpty)
  }
}
