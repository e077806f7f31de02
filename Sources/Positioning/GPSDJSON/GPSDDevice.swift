import Geo

/// What gpsd said of one receiver, from which its fixes are made.
///
/// gpsd reports an epoch again and again while its sentences come in, so a report is held until the
/// next one is of another time, or the state is another.
struct GPSDDevice: Sendable {
  /// The device path; nil where gpsd names none.
  let subject: SubjectID?
  private var pending: GPSDReport?
  /// That of a satellite report on either side of the pending one, depending on where gpsd ends an
  /// epoch: the one before, unless only the one after is what `eph` was made of.
  private var pendingHDOP: Double?
  private var sigmas: Sigmas?
  private var precision: Precision?
  private var lastGiven: Given?

  private struct Sigmas {
    let accuracy: Distance
    let time: Timestamp?
  }

  private struct Precision {
    let hdop: Double
    /// Its own, or else that of the first position after it.
    var time: Timestamp?
  }

  /// A satellite report may lag behind the positions, but not by more.
  private static let longestLagInSeconds = 10.0

  /// What was given last, so that a state is not told twice.
  private enum Given: Equatable {
    case fix(Timestamp)
    case noFix(Timestamp?)
  }

  init(subject: SubjectID?) { self.subject = subject }

  mutating func receive(
    _ reading: GPSDReportReading, at position: InputPosition, userRangeError: Distance,
    into output: inout [Decoded]
  ) {
    switch reading {
    case .report(let report):
      if let pending, !pending.isImproved(by: report) {
        flush(userRangeError: userRangeError, into: &output)
      }
      if pending == nil, lastGiven == .fix(report.time) {
        let dropped = Dropped(reason: .duplicate, position: position)
        return output.append(.dropped(dropped))
      }
      pending = report
      pendingHDOP = recentHDOP(at: report.time)
    case .noFix(let time):
      flush(userRangeError: userRangeError, into: &output)
      guard lastGiven != .noFix(time) else { return }
      lastGiven = .noFix(time)
      output.append(.noFix(NoFix(subject: subject, time: time)))
    case .dropped(let reason, let detail):
      output.append(.dropped(Dropped(reason: reason, position: position, detail: detail)))
    }
  }

  mutating func receive(hdop: Double, time: Timestamp?) {
    precision = Precision(hdop: hdop, time: time)
    guard let pending else { return }
    let isBetter = pending.wasMade(ofHDOP: hdop) && !pending.wasMade(ofHDOP: pendingHDOP ?? 0)
    if pendingHDOP == nil || isBetter { pendingHDOP = recentHDOP(at: pending.time) ?? pendingHDOP }
  }

  private mutating func recentHDOP(at now: Timestamp) -> Double? {
    guard let precision else { return nil }
    let time = precision.time ?? now
    self.precision?.time = time
    let lag = abs(now.seconds(since: time))
    return lag <= GPSDDevice.longestLagInSeconds ? precision.hdop : nil
  }

  /// Takes the one-sigma errors of gpsd's GST; they may come before the report of their epoch, while
  /// that of the last epoch is still held.
  mutating func receive(
    sigmaLatitudeInMeters: Double, sigmaLongitudeInMeters: Double, time: Timestamp?,
    userRangeError: Distance, into output: inout [Decoded]
  ) {
    guard
      let accuracy = HorizontalAccuracy.fromSigmas(
        latitude: sigmaLatitudeInMeters, longitude: sigmaLongitudeInMeters)
    else { return }
    let time = time ?? pending?.time
    if let pending, pending.timeOrigin == .reported, pending.time != time {
      flush(userRangeError: userRangeError, into: &output)
    }
    sigmas = Sigmas(accuracy: accuracy, time: time)
  }

  /// Gives the fix that is held.
  mutating func flush(userRangeError: Distance, into output: inout [Decoded]) {
    guard let report = pending else { return }
    pending = nil
    lastGiven = .fix(report.time)
    let fix = Fix(
      coordinate: report.coordinate, time: report.time,
      accuracy: accuracy(of: report, userRangeError: userRangeError), speed: report.speed,
      course: report.course, altitude: report.altitude, source: report.source,
      isSimulated: report.isSimulated)
    output.append(
      .fix(DecodedFix(subject: subject, fix: fix, timeOrigin: report.timeOrigin)))
  }

  private func accuracy(of report: GPSDReport, userRangeError: Distance) -> Distance? {
    if let sigmas, sigmas.time == report.time { return sigmas.accuracy }
    if let pendingHDOP,
      let accuracy = HorizontalAccuracy.fromHDOP(pendingHDOP, userRangeError: userRangeError)
    {
      return accuracy
    }
    return report.horizontalErrorInMeters.flatMap {
      HorizontalAccuracy.fromEPH($0, userRangeError: userRangeError)
    }
  }
}

extension GPSDReport {
  /// Whether another report is of the same epoch: of the same time, or the one without a time of its
  /// own told again with it.
  fileprivate func isImproved(by report: GPSDReport) -> Bool {
    if report.time == time { return report.timeOrigin == timeOrigin }
    return timeOrigin == .received && report.timeOrigin == .reported
      && report.coordinate == coordinate
  }

  /// Whether `eph` is this HDOP times gpsd's 19 m, or times 4.75 m with differential corrections.
  fileprivate func wasMade(ofHDOP hdop: Double) -> Bool {
    guard let horizontalErrorInMeters else { return false }
    return [19, 4.75].contains { abs(horizontalErrorInMeters - hdop * $0) < 0.01 }
  }
}
