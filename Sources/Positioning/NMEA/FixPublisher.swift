import Geo

/// Turns epochs into what the decoder gives: judged, dated, and never twice.
struct FixPublisher {
  private let settings: NMEADecoder.Settings
  private let recordedReference: Timestamp?
  private var dates: DateKeeper
  private var undated = UndatedFixes()
  private var recent = RecentFixes()
  /// What the last RMC of a valid epoch said, and its time of day.
  private var lastMotion: (time: TimeOfDay, motion: Motion)?

  init(mode: NMEADecoder.Mode, settings: NMEADecoder.Settings) {
    self.settings = settings
    switch mode {
    case .recorded(let reference):
      recordedReference = reference
      dates = DateKeeper(reference: .recorded)
    case .live:
      recordedReference = nil
      dates = DateKeeper(reference: .live)
    }
  }

  mutating func publish(_ epoch: Epoch, into output: inout [Decoded]) {
    guard let verdict = epoch.verdict, let place = epoch.position else { return }
    let instant = date(epoch, verdict, into: &output)
    switch verdict {
    case .valid:
      emitFix(of: epoch, at: instant, place: place, into: &output)
    case .simulated where settings.acceptsSimulated:
      emitFix(of: epoch, at: instant, place: place, into: &output)
    case .simulated:
      output.append(.dropped(Dropped(reason: .simulated, position: place)))
    case .estimated:
      output.append(.dropped(Dropped(reason: .estimated, position: place)))
    case .void:
      lastMotion = nil
      emitNoFix(at: epoch.time, instant, place: place, into: &output)
    }
  }

  /// Says that a fix that was given already is none: its receiver took it back.
  mutating func retract(
    at time: TimeOfDay?, place: InputPosition, receivedAt: Timestamp?, into output: inout [Decoded]
  ) {
    lastMotion = nil
    let instant = time.flatMap { dates.peek(at: $0, receivedAt: receivedAt) }
    emitNoFix(at: time, instant, place: place, into: &output)
  }

  /// Gives what was held back for the lack of a date.
  mutating func finish(into output: inout [Decoded]) {
    if undated.isEmpty { return }
    if let reference = dates.hint ?? recordedReference {
      dates.assume(undated.release(near: reference, into: &output))
    } else {
      undated.drop(into: &output)
    }
  }

  private mutating func emitFix(
    of epoch: Epoch, at instant: DateKeeper.Instant?, place: InputPosition,
    into output: inout [Decoded]
  ) {
    var instant = instant
    if epoch.time == nil, let receivedAt = epoch.receivedAt {
      instant = DateKeeper.Instant(time: receivedAt, origin: .received)
    }
    let motion = recentMotion(for: epoch)
    if let time = epoch.time, let own = epoch.motion { lastMotion = (time, own) }
    let unknownDay = Timestamp(millisecondsSince1970: Int64(epoch.time?.milliseconds ?? 0))
    guard
      let fix = epoch.fix(
        at: instant?.time ?? unknownDay, userRangeError: settings.userRangeError,
        lastMotion: motion)
    else { return }

    guard recent.insert(fix) else {
      output.append(.dropped(Dropped(reason: .duplicate, position: place)))
      return
    }
    if let instant {
      output.append(.fix(DecodedFix(fix: fix, timeOrigin: instant.origin)))
    } else if let time = epoch.time, dates.reference == .recorded {
      hold(.fix(DecodedFix(fix: fix)), time: time, place: place, into: &output)
    } else {
      output.append(
        .dropped(Dropped(reason: .timeMissing, position: place, detail: "no time in the sentence")))
    }
  }

  private mutating func emitNoFix(
    at time: TimeOfDay?, _ instant: DateKeeper.Instant?, place: InputPosition,
    into output: inout [Decoded]
  ) {
    let noFix = Decoded.noFix(NoFix(time: instant?.time))
    if undated.isEmpty {
      output.append(noFix)
    } else {
      hold(noFix, time: time, place: place, into: &output)
    }
  }

  private mutating func hold(
    _ decoded: Decoded, time: TimeOfDay?, place: InputPosition, into output: inout [Decoded]
  ) {
    undated.append(decoded, time: time, place: place)
    if undated.isFull { finish(into: &output) }
  }

  /// The instant of an epoch, as far as it is known; takes note of the dates in it.
  private mutating func date(
    _ epoch: Epoch, _ verdict: Epoch.Verdict, into output: inout [Decoded]
  ) -> DateKeeper.Instant? {
    let isSure =
      verdict == .valid || verdict == .estimated || settings.acceptsSimulated && verdict != .void
    let receivedAt = epoch.receivedAt
    if let date = epoch.date, let dateTime = date.time, let dateDay = date.day {
      _ = take(dateDay, dateTime, isSure: isSure, receivedAt: receivedAt, into: &output)
    }
    guard let time = epoch.time else { return nil }
    if let day = epoch.day {
      return take(day, time, isSure: isSure, receivedAt: receivedAt, into: &output)
    }
    return isSure
      ? dates.instant(of: time, receivedAt: receivedAt)
      : dates.peek(at: time, receivedAt: receivedAt)
  }

  private mutating func take(
    _ day: Int, _ time: TimeOfDay, isSure: Bool, receivedAt: Timestamp?,
    into output: inout [Decoded]
  ) -> DateKeeper.Instant {
    guard isSure else { return dates.take(hintedDay: day, time: time) }
    let instant = dates.take(day: day, time: time, receivedAt: receivedAt)
    undated.release(before: instant.time, into: &output)
    return instant
  }

  /// The motion that an RMC told at most a second before this epoch.
  private func recentMotion(for epoch: Epoch) -> Motion? {
    guard let time = epoch.time, let lastMotion else { return nil }
    let day = TimeOfDay.millisecondsOfDay
    let age = (time.milliseconds - lastMotion.time.milliseconds + day) % day
    return age <= 1000 ? lastMotion.motion : nil
  }
}
