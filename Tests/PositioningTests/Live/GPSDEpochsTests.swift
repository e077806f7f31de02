import Geo
import Testing

@testable import Positioning

struct GPSDEpochsTests {
  private let start = ContinuousClock.now
  private let received = Timestamp(millisecondsSince1970: 1_800_000_000_000)
  private let t0 = Timestamp(millisecondsSince1970: 1_799_999_999_000)
  private let t1 = Timestamp(millisecondsSince1970: 1_800_000_000_000)

  private func epochs() -> GPSDEpochs {
    GPSDEpochs(patience: .milliseconds(200), userRangeError: .meters(5))
  }

  private func position(
    _ time: Timestamp?, latitude: Double? = 48.2, mode: Int32 = 3, device: String = "/dev/a",
    _ change: (inout GPSDMessage.Position) -> Void = { _ in }
  ) -> GPSDMessage {
    var position = GPSDMessage.Position(
      device: device, time: time, mode: mode, latitude: mode > 1 ? latitude : nil,
      longitude: mode > 1 ? latitude.map { $0 / 3 } : nil)
    change(&position)
    return .position(position)
  }

  private func take(
    _ epochs: inout GPSDEpochs, _ message: GPSDMessage, atMillisecond milliseconds: Int = 0
  ) -> [Decoded] {
    epochs.take(message, at: start + .milliseconds(milliseconds), receivedAt: received).map(\.0)
  }

  private func fix(_ decoded: [Decoded]) -> DecodedFix? {
    if decoded.count == 1, case .fix(let fix) = decoded[0] { fix } else { nil }
  }

  @Test func `the last report of an epoch is its fix, given when the next epoch begins`() {
    var epochs = epochs()
    #expect(take(&epochs, position(t0)).isEmpty)
    #expect(take(&epochs, position(t0) { $0.speed = 1.5 }).isEmpty)
    let given = fix(take(&epochs, position(t1)))
    #expect(given?.fix.time == t0)
    #expect(given?.fix.speed == .metersPerSecond(1.5))
    #expect(given?.subject == SubjectID("/dev/a"))
  }

  @Test func `an epoch that nothing improves is given after 200 ms, and not once more`() {
    var epochs = epochs()
    _ = take(&epochs, position(t0))
    #expect(epochs.nextDue == start + .milliseconds(200))
    #expect(epochs.completeDue(at: start + .milliseconds(199)).isEmpty)
    #expect(epochs.completeDue(at: start + .milliseconds(200)).count == 1)
    #expect(take(&epochs, position(t0), atMillisecond: 300).isEmpty)
    #expect(epochs.nextDue == nil)
    #expect(epochs.completeAll().isEmpty)
  }

  @Test func `reports before the date is known belong to the first one with a time`() {
    var epochs = epochs()
    #expect(take(&epochs, position(nil, latitude: 48.200_001)).isEmpty)
    #expect(take(&epochs, position(t0)).isEmpty)
    let all = epochs.completeAll().map(\.0)
    #expect(fix(all)?.fix.time == t0)
    #expect(fix(all)?.timeOrigin == .reported)
  }

  @Test func `a fix without any time has that of its reception`() {
    var epochs = epochs()
    _ = take(&epochs, position(nil))
    let given = fix(epochs.completeDue(at: start + .milliseconds(200)).map(\.0))
    #expect(given?.fix.time == received)
    #expect(given?.timeOrigin == .received)
  }

  @Test func `two positions without time are two fixes`() {
    var epochs = epochs()
    _ = take(&epochs, position(nil, latitude: 48.2))
    #expect(fix(take(&epochs, position(nil, latitude: 48.3))) != nil)
    #expect(epochs.completeAll().count == 1)
  }

  @Test func `two devices are kept apart`() {
    var epochs = epochs()
    #expect(take(&epochs, position(t0, device: "/dev/a")).isEmpty)
    #expect(take(&epochs, position(t1, latitude: 52.5, device: "/dev/b")).isEmpty)
    let subjects = epochs.completeAll().map { decoded, _ -> SubjectID? in
      if case .fix(let fix) = decoded { fix.subject } else { nil }
    }
    #expect(subjects == [SubjectID("/dev/a"), SubjectID("/dev/b")])
  }

  @Test(arguments: [
    ("a GST of the epoch", true, 0, 1.51 * (12.5 as Double).squareRoot()),
    ("no GST, a SKY 9.999 s ago", false, 9999, 0.9 * 5),
    ("no GST, a SKY 10 s ago", false, 10_000, 19.0 / 3.8),
  ])
  func `accuracy is that of the best report`(
    name: String, hasErrors: Bool, age: Int, expected: Double
  ) throws {
    var epochs = epochs()
    _ = take(&epochs, .dilution(device: "/dev/a", horizontal: 0.9))
    // Of another epoch and of another device: neither says anything about this fix.
    _ = take(&epochs, .errors(device: "/dev/a", time: t0, north: 9, east: 9))
    _ = take(&epochs, .errors(device: "/dev/b", time: t1, north: 9, east: 9))
    if hasErrors { _ = take(&epochs, .errors(device: "/dev/a", time: t1, north: 3, east: 4)) }
    _ = take(&epochs, position(t1) { $0.horizontalError = 19 }, atMillisecond: age)
    let accuracy = try #require(fix(epochs.completeAll().map(\.0))?.fix.accuracy)
    #expect(abs(accuracy.meters - expected) < 1e-9, "\(name)")
  }

  @Test func `a GST of the next epoch ends the one that is held`() {
    var epochs = epochs()
    _ = take(&epochs, position(t0))
    #expect(
      fix(take(&epochs, .errors(device: "/dev/a", time: t1, north: 1, east: 1)))?.fix.time == t0)
  }

  @Test func `mode 1 and exactly 0, 0 are no fix, told once an epoch`() {
    var epochs = epochs()
    _ = take(&epochs, position(t0, mode: 1))
    _ = take(&epochs, position(t0, mode: 1))
    let none = Decoded.noFix(NoFix(subject: SubjectID("/dev/a"), time: t0))
    #expect(take(&epochs, position(t1, latitude: 0)) == [none])
    #expect(
      epochs.completeAll().map(\.0) == [.noFix(NoFix(subject: SubjectID("/dev/a"), time: t1))])
  }

  @Test func `a fix that was given stays one, though its epoch ends without`() {
    var epochs = epochs()
    let none = Decoded.noFix(NoFix(subject: SubjectID("/dev/a"), time: t0))
    _ = take(&epochs, position(t0))
    #expect(fix(take(&epochs, position(t0, mode: 1))) != nil)
    #expect(take(&epochs, position(t0)).isEmpty)
    #expect(take(&epochs, position(t1)) == [none])
    #expect(fix(epochs.completeAll().map(\.0)) != nil)
  }

  @Test func `an epoch that begins without a fix may end with one`() {
    var epochs = epochs()
    _ = take(&epochs, position(t0, mode: 1))
    _ = take(&epochs, position(t0))
    #expect(fix(epochs.completeAll().map(\.0)) != nil)
  }

  @Test func `a mode without coordinates says nothing`() {
    var epochs = epochs()
    #expect(take(&epochs, position(t0, latitude: nil)).isEmpty)
    #expect(epochs.completeAll().isEmpty)
  }

  @Test(arguments: [
    (GPSDMessage.Status.unknown, Fix.Source.gps), (.plain, .gps), (.differential, .differentialGPS),
    (.realTimeKinematicFixed, .differentialGPS), (.realTimeKinematicFloat, .differentialGPS),
    (.satellitesAndDeadReckoning, .gps), (.surveyed, .manual), (.simulated, .gps), (.precise, .gps),
  ])
  func `the status says where a position came from`(
    status: GPSDMessage.Status, source: Fix.Source
  ) {
    var epochs = epochs()
    _ = take(&epochs, position(t0) { $0.status = status })
    let given = fix(epochs.completeAll().map(\.0))
    #expect(given?.fix.source == source)
    #expect(given?.fix.isSimulated == (status == .simulated))
  }

  @Test func `dead reckoning alone and what is out of range are dropped by name`() {
    var epochs = epochs()
    _ = take(&epochs, position(t0) { $0.status = .deadReckoning })
    let estimated = take(&epochs, position(t1, latitude: 360))
    let invalid = epochs.completeAll().map(\.0)
    let reasons = (estimated + invalid).map { decoded -> Dropped.Reason? in
      if case .dropped(let dropped) = decoded { dropped.reason } else { nil }
    }
    #expect(reasons == [.estimated, .invalidFix])
  }

  @Test func `a device that is gone gives what it held`() {
    var epochs = epochs()
    _ = take(&epochs, position(t0))
    #expect(fix(take(&epochs, .deviceGone("/dev/a"))) != nil)
    #expect(take(&epochs, .deviceGone("/dev/a")).isEmpty)
  }
}
