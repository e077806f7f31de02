import Foundation
import Geo
import TestSupport
import Testing

@testable import Positioning

/// The sample that ships, `samples/commute.nmea`.
struct SampleTests {
  private static let path = SharedFiles.checkout.appending(path: "samples/commute.nmea")

  private func simulated() throws -> [UInt8] {
    let writer = NMEAWriter()
    var bytes: [UInt8] = []
    for fix in Scenario.commute.simulation(seed: 1).fixes { try writer.write(fix, to: &bytes) }
    return bytes
  }

  @Test func `it is what the simulator makes of seed 1`() throws {
    let shipped = try Array(Data(contentsOf: SampleTests.path))
    // Made anew by: doorstep simulate commute --seed 1 > samples/commute.nmea
    #expect(try simulated() == shipped)
  }

  @Test func `it is small enough to ship`() throws {
    #expect(try Data(contentsOf: SampleTests.path).count < 400_000)
  }

  @Test func `it gives back every fix of the simulation, at its place and time`() throws {
    var decoder = NMEADecoder(mode: .recorded(reference: nil))
    var decoded: [Decoded] = []
    try simulated().withUnsafeBytes { decoder.decode($0, into: &decoded) }
    decoder.finish(into: &decoded)
    let fixes = decoded.compactMap { result -> Fix? in
      guard case .fix(let found) = result else { return nil }
      return found.fix
    }
    let simulated = Array(Scenario.commute.simulation(seed: 1).fixes)
    #expect(fixes.count == simulated.count && decoded.count == fixes.count)
    var farthest = 0.0
    var leastSure = 0.0
    for (fix, original) in zip(fixes, simulated) {
      #expect(fix.time == original.time)
      farthest = max(farthest, fix.coordinate.distance(to: original.coordinate).meters)
      let accuracies = try (#require(fix.accuracy), #require(original.accuracy))
      leastSure = max(leastSure, abs(accuracies.0.meters - accuracies.1.meters))
    }
    #expect(farthest < 0.001)
    #expect(leastSure < 0.01)
  }
}
