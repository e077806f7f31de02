import Geo

/// Makes one fix of each epoch of each device out of gpsd's reports.
///
/// gpsd reports after every sentence until it has learnt which one ends a receiver's cycle, so that
/// an epoch is up to ten reports, each with more in it than the one before, and the first ones
/// often without time. The last report of an epoch is taken, as soon as one of another epoch comes
/// or none has come for a moment; that a fix was lost after it was given undoes no fix.
struct GPSDEpochs {
  private struct Epoch {
    var position: GPSDMessage.Position
    var began: ContinuousClock.Instant
    var lastReport: ContinuousClock.Instant
    var receivedAt: Timestamp
  }

  private struct Device {
    var pending: Epoch?
    var errors: (time: Timestamp?, accuracy: Distance)?
    var dilution: (horizontal: Double, at: ContinuousClock.Instant)?
    var lastFixTime: Timestamp?
    var lastNoFixTime: Timestamp?
  }

  /// A dilution of precision that is older than this says nothing about the fix.
  private static let longestUseOfDilution = Duration.seconds(10)

  private let patience: Duration
  private let userRangeError: Distance
  private var devices: [String: Device] = [:]

  /// Epochs end when no report has improved them for `patience`; one of HDOP is `userRangeError`.
  init(patience: Duration, userRangeError: Distance) {
    self.patience = patience
    self.userRangeError = userRangeError
  }

  /// Takes the next report; what it completes comes with the time at which its epoch was received.
  mutating func take(
    _ message: GPSDMessage, at instant: ContinuousClock.Instant, receivedAt: Timestamp
  ) -> [(Decoded, Timestamp)] {
    switch message {
    case .position(let position):
      return take(position, at: instant, receivedAt: receivedAt)
    case .errors(let name, let time, let north, let east):
      var completed: [(Decoded, Timestamp)] = []
      if let time, let pending = devices[name]?.pending, pending.position.time != time {
        completed = complete(name)
      }
      devices[name, default: Device()].errors = HorizontalAccuracy.fromSigmas(
        latitude: north, longitude: east
      ).map { (time, $0) }
      return completed
    case .dilution(let name, let horizontal):
      devices[name, default: Device()].dilution = (horizontal, instant)
      return []
    case .deviceGone(let name):
      let completed = complete(name)
      devices[name] = nil
      return completed
    case .devices, .version, .refused:
      return []
    }
  }

  /// The moment at which `completeDue` has something to give; nil where nothing is held.
  var nextDue: ContinuousClock.Instant? {
    devices.values.compactMap { $0.pending.map(due) }.min()
  }

  /// Completes the epochs that nothing has improved for the patience given.
  mutating func completeDue(at instant: ContinuousClock.Instant) -> [(Decoded, Timestamp)] {
    let names = devices.filter { $0.value.pending.map { due($0) <= instant } ?? false }.keys
    return names.sorted().flatMap { complete($0) }
  }

  /// Completes every epoch that is held, as at the end of a connection.
  mutating func completeAll() -> [(Decoded, Timestamp)] {
    devices.keys.sorted().flatMap { complete($0) }
  }

  /// An epoch without time can't be told from the next one, so it is not held any longer for that.
  private func due(_ epoch: Epoch) -> ContinuousClock.Instant {
    (epoch.position.time == nil ? epoch.began : epoch.lastReport) + patience
  }

  private mutating func take(
    _ position: GPSDMessage.Position, at instant: ContinuousClock.Instant, receivedAt: Timestamp
  ) -> [(Decoded, Timestamp)] {
    // Neither a position nor the word that there is none: gpsd drops what is out of range.
    guard position.mode == 1 || (position.latitude != nil && position.longitude != nil) else {
      return []
    }
    let name = position.device
    if let time = position.time, position.mode > 1, time == devices[name]?.lastFixTime {
      return []
    }
    var completed: [(Decoded, Timestamp)] = []
    var began = instant
    if let pending = devices[name]?.pending {
      if improves(position, pending.position) {
        began = pending.began
      } else {
        completed = complete(name)
      }
    }
    devices[name, default: Device()].pending = Epoch(
      position: position, began: began, lastReport: instant, receivedAt: receivedAt)
    return completed
  }

  /// Whether `new` is of the same epoch as `old`.
  private func improves(_ new: GPSDMessage.Position, _ old: GPSDMessage.Position) -> Bool {
    // That the fix was lost is another report: a position that was given stays one.
    if old.time != nil { return new.time == old.time && (new.mode > 1 || old.mode == 1) }
    // Without time: the first reports of an epoch, before its date is known.
    return new.time != nil || new.mode == 1
      || (new.latitude == old.latitude && new.longitude == old.longitude)
  }

  private mutating func complete(_ name: String) -> [(Decoded, Timestamp)] {
    guard var device = devices[name], let epoch = device.pending else { return [] }
    device.pending = nil
    defer { devices[name] = device }
    let position = epoch.position
    let subject = name.isEmpty ? nil : SubjectID(name)
    guard position.mode > 1, !(position.latitude == 0 && position.longitude == 0) else {
      if let time = position.time {
        if time == device.lastNoFixTime { return [] }
        device.lastNoFixTime = time
      }
      return [(.noFix(NoFix(subject: subject, time: position.time)), epoch.receivedAt)]
    }
    if let time = position.time { device.lastFixTime = time }
    return [(decode(epoch, of: device, subject: subject), epoch.receivedAt)]
  }

  private func decode(_ epoch: Epoch, of device: Device, subject: SubjectID?) -> Decoded {
    let position = epoch.position
    func dropped(_ reason: Dropped.Reason) -> Decoded {
      .dropped(Dropped(reason: reason, position: InputPosition(), detail: position.device))
    }
    guard position.status != .deadReckoning else { return dropped(.estimated) }
    guard let latitude = position.latitude, let longitude = position.longitude,
      let coordinate = Coordinate(latitude: latitude, longitude: longitude)
    else { return dropped(.invalidFix) }
    let fix = Fix(
      coordinate: coordinate, time: position.time ?? epoch.receivedAt,
      accuracy: accuracy(of: epoch, device),
      speed: position.speed.flatMap { $0 >= 0 ? .metersPerSecond($0) : nil },
      course: position.track.flatMap(Bearing.init(degrees:)),
      altitude: position.mode == 3 ? position.altitude.map(Distance.meters) : nil,
      source: position.status.source, isSimulated: position.status == .simulated)
    return .fix(
      DecodedFix(
        subject: subject, fix: fix, timeOrigin: position.time == nil ? .received : .reported))
  }

  /// The 68 % radius by the best of what the device reported.
  private func accuracy(of epoch: Epoch, _ device: Device) -> Distance? {
    if let errors = device.errors, errors.time == epoch.position.time { return errors.accuracy }
    if let dilution = device.dilution,
      epoch.lastReport - dilution.at < Self.longestUseOfDilution,
      let accuracy = HorizontalAccuracy.fromHDOP(
        dilution.horizontal, userRangeError: userRangeError)
    {
      return accuracy
    }
    return epoch.position.horizontalError.flatMap {
      HorizontalAccuracy.fromEPH($0, userRangeError: userRangeError)
    }
  }
}

extension GPSDMessage.Status {
  fileprivate var source: Fix.Source {
    switch self {
    case .differential, .realTimeKinematicFixed, .realTimeKinematicFloat: .differentialGPS
    case .surveyed: .manual
    default: .gps
    }
  }
}
