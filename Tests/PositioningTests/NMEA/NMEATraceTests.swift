import Foundation
import Geo
import Positioning
import TestSupport
import Testing

/// Recordings of real receivers against what others made of them.
@Suite(.enabled(if: SharedFiles.areThere, "needs the shared recordings"))
struct NMEATraceTests {
  static let short =
    sharedNames(in: "traces/nmea", extensions: ["log", "nmea"])
    + sharedNames(in: "traces/gpl2-gpsbabel", extensions: ["nmea"])
    .filter { !$0.hasSuffix("utf16.nmea") }
  static let long = sharedNames(in: "traces/long", extensions: ["nmea"])

  @Test(arguments: short + long)
  func `each valid epoch gives its fix, and no other`(name: String) throws {
    let fixes = NMEADecoder.decodeAll(try sharedBytes(name)).decodedFixes
    let epochs = OracleEpoch.measurements(
      among: try OracleEpoch.epochs(of: name).filter(\.isValid))
    #expect(fixes.count == epochs.count)
    let wrong = zip(fixes, epochs).compactMap { fix, epoch in
      let differences = epoch.differences(from: fix)
      return differences.isEmpty ? nil : "\(differences) of \(epoch.time): \(fix)"
    }
    #expect(wrong.isEmpty, "\(wrong.count) of \(fixes.count), first \(wrong.prefix(5))")
  }

  @Test(arguments: short)
  func `each fix is the position of a valid sentence of its time`(name: String) throws {
    let sentences = try sharedLines(oracleName(of: name, "sentences"))
      .filter { $0["valid"] as? Bool == true }
    for fix in NMEADecoder.decodeAll(try sharedBytes(name)).fixes {
      let time = String(fix.time.description.dropFirst(11).dropLast())
      #expect(
        sentences.contains { sentence in
          // The finest form of the time may be in another sentence of the measurement.
          (sentence["time"] as? String)?.prefix(10) == time.prefix(10)
            && abs((sentence["lat"] as? Double ?? .nan) - fix.coordinate.latitude) <= 1e-9
            && abs((sentence["lon"] as? Double ?? .nan) - fix.coordinate.longitude) <= 1e-9
        }, "\(fix)")
    }
  }

  /// gpsd reports after each sentence, and the sentences of one time differ: by their digits, and in
  /// one recording of a ship by the way of a second, up to 2.9 m. So 3e-5 degrees are the same.
  @Test(arguments: short.filter { SharedFiles.path(oracleName(of: $0, "tpv")) != nil })
  func `each position that gpsd found is one of a fix`(name: String) throws {
    let fixes = NMEADecoder.decodeAll(try sharedBytes(name)).fixes
    // gpsd reports after each sentence: a GGA counts before the RMC that says there is no position.
    let void = try OracleEpoch.epochs(of: name).filter { !$0.isValid }
    let reports = try sharedLines(oracleName(of: name, "tpv")).filter {
      ($0["mode"] as? Int ?? 0) >= 2 && $0["lat"] != nil && $0["lon"] != nil
    }
    let strange = reports.filter { report in
      let latitude = report["lat"] as? Double ?? .nan
      let longitude = report["lon"] as? Double ?? .nan
      return !fixes.contains {
        abs($0.coordinate.latitude - latitude) <= 3e-5
          && abs($0.coordinate.longitude - longitude) <= 3e-5
      }
        && !void.contains {
          abs($0.latitude - latitude) <= 1e-6 && abs($0.longitude - longitude) <= 1e-6
        }
    }
    #expect(strange.isEmpty, "\(strange.count) of \(reports.count)")
  }

  @Test(arguments: sharedNames(in: "traces/synthetic", extensions: ["nmea"]))
  func `each true position gives its fix, and no other`(name: String) throws {
    let output = NMEADecoder.decodeAll(try sharedBytes(name))
    let truth = try sharedLines(oracleName(of: name, "truth"))
    let rows = truth.filter { $0["valid"] as? Bool == true }
    #expect(output.fixes.count == rows.count)
    for (fix, row) in zip(output.fixes, rows) {
      let time = try #require(row["time"] as? String)
      // The second 60 is no POSIX time: it is kept between its neighbors.
      let expected = time.contains(":60.") ? "2016-12-31T23:59:59.999Z" : time
      #expect(fix.time.description == expected)
      // The sentences have 7 decimals of a minute at most, the truth is what was put in.
      #expect(abs(fix.coordinate.latitude - (row["lat"] as? Double ?? .nan)) <= 1e-7)
      let east = fix.coordinate.longitude - (row["lon"] as? Double ?? .nan)
      #expect(abs(east.remainder(dividingBy: 360)) <= 1e-7)
    }
    let refused = truth.count - rows.count
    let estimated = truth.count { $0["quality"] as? Int == 6 }
    let simulated = truth.count { $0["quality"] as? Int == 8 }
    #expect(output.reasons.count { $0 == .estimated } == estimated)
    #expect(output.reasons.count { $0 == .simulated } == simulated)
    #expect(output.noFixes.count == refused - estimated - simulated)
  }

  @Test(arguments: sharedNames(in: "traces/not-nmea", extensions: ["log"]))
  func `a stream without NMEA gives no fix`(name: String) throws {
    let output = NMEADecoder.decodeAll(try sharedBytes(name))
    #expect(output.fixes.isEmpty && output.noFixes.isEmpty)
    #expect(!output.drops.isEmpty)
  }

  @Test func `a log saved as UTF-16 is refused once, by name`() throws {
    let output = NMEADecoder.decodeAll(try sharedBytes("traces/gpl2-gpsbabel/nmea-utf16.nmea"))
    #expect(output.reasons == [.wrongEncoding])
    #expect(output.count == 1)
  }

  @Test func `a simulator gives fixes where it is allowed to, and they say so`() throws {
    let bytes = try sharedBytes("traces/nmea/GPSmap-76S.log")
    let settings = NMEADecoder.Settings(acceptsSimulated: true)
    let fixes = NMEADecoder.decodeAll(bytes, settings: settings).fixes
    #expect(fixes.count == 12 && fixes.allSatisfy(\.isSimulated))
  }

  @Test func `GST gives the accuracy where there is one`() throws {
    let fixes = NMEADecoder.decodeAll(try sharedBytes("traces/nmea/gr8013-w.log")).fixes
    let expected = 1.51 * ((4.7 * 4.7 + 1.9 * 1.9) / 2).squareRoot()
    #expect(fixes.map(\.accuracy) == Array(repeating: .meters(expected), count: 3))
  }

  @Test(arguments: short)
  func `a live source gives the fixes that its recording gives`(name: String) throws {
    let bytes = try sharedBytes(name)
    let recorded = NMEADecoder.decodeAll(bytes).fixes
    let now = recorded.last?.time ?? newYear2026
    var decoder = NMEADecoder(mode: .live)
    var output: [Decoded] = []
    for start in stride(from: 0, to: bytes.count, by: 20) {
      bytes[start..<min(start + 20, bytes.count)].withUnsafeBytes {
        decoder.decode($0, receivedAt: now, into: &output)
      }
    }
    decoder.finish(into: &output)
    #expect(output.fixes == recorded)
  }

  @Test func `two receivers' logs joined give the fixes of both`() throws {
    let first = try sharedBytes("traces/nmea/quectel.log")
    let second = try sharedBytes("traces/nmea/gr8013-w.log")
    let both = NMEADecoder.decodeAll(first + second).fixes
    #expect(both == NMEADecoder.decodeAll(first).fixes + NMEADecoder.decodeAll(second).fixes)
  }
}
