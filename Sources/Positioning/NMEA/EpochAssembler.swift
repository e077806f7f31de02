import Geo

/// Puts the sentences of one measurement together.
///
/// Position sentences carry their time: another time ends an epoch. VTG and GSA carry none and go
/// with the epoch that is open; GST carries one and waits for its epoch where it comes first; ZDA
/// never opens or ends one, for receivers send it a second late or cut to the second.
///
/// A live source gives its epochs as soon as they are complete, as far as its pattern is known, or
/// when it falls silent. Sentences of an epoch that was given then are late.
struct EpochAssembler {
  /// How a position sentence found its place.
  enum Arrival {
    case joined
    /// The same talker said the same kind of sentence of this time before.
    case repeated
    /// It belongs to an epoch that was given already; `contradicts` where it takes the fix back.
    case late(contradicts: Bool)
  }

  private let closesEarly: Bool
  private var current = Epoch()
  /// The last epoch, where it was given before its successor began.
  private var given: Epoch?
  /// Whether it was given because its source was silent: what comes next begins another one.
  private var isAfterSilence = false
  private var pattern = EpochPattern()
  private var statistics: ErrorStatistics?

  init(closesEarly: Bool) { self.closesEarly = closesEarly }

  /// Gives the epoch that ends because this sentence starts another one.
  mutating func makeRoom(for sentence: PositionSentence, of talker: UInt16) -> Epoch? {
    guard let time = sentence.time else {
      return startsTimeless(sentence, of: talker) ? end(before: nil) : nil
    }
    if let last = given, let lastTime = last.time {
      if lastTime.isSameInstant(as: time), current.isEmpty { return nil }
      pattern.learn(last.tally, at: lastTime)
    }
    given = nil
    if let currentTime = current.time {
      if currentTime.isSameInstant(as: time) { return nil }
      pattern.learn(current.tally, at: currentTime)
      return end(before: time)
    }
    // Without a time of its own, what is open is of this time only if it is a position.
    return current.isVoid ? end(before: time) : nil
  }

  /// Puts a sentence into the epoch that is open, or into the one that was given.
  mutating func take(
    _ sentence: PositionSentence, of talker: UInt16, at place: InputPosition,
    receivedAt now: Timestamp?
  ) -> Arrival {
    if given != nil, let time = sentence.time, given?.time?.isSameInstant(as: time) == true {
      let isRepeated = given?.has(sentence.kind, of: talker) == true
      let contradicts = sentence.word == .void && given?.isVoid == false
      given?.take(sentence, of: talker, at: place, receivedAt: now)
      return isRepeated && !contradicts ? .repeated : .late(contradicts: contradicts)
    }
    let isRepeated = current.time != nil && current.has(sentence.kind, of: talker)
    current.take(sentence, of: talker, at: place, receivedAt: now)
    if let time = current.time, let waiting = statistics?.time, waiting.isSameInstant(as: time) {
      current.take(accuracy: statistics?.accuracy)
      statistics = nil
    }
    return isRepeated && sentence.word != .void ? .repeated : .joined
  }

  mutating func take(_ sentence: CourseAndSpeed) {
    if !trailsGivenEpoch(SentenceTally.vtg) { current.take(sentence) }
  }

  mutating func take(_ sentence: ActiveSatellites) {
    if !trailsGivenEpoch(SentenceTally.gsa) { current.take(sentence) }
  }

  mutating func take(_ sentence: DateAndTime) {
    guard sentence.time != nil, sentence.day != nil else { return }
    current.take(sentence)
  }

  mutating func take(_ sentence: ErrorStatistics) {
    func isSame(_ epoch: Epoch?) -> Bool {
      guard let epoch, !epoch.isEmpty else { return false }
      guard let time = sentence.time, let epochTime = epoch.time else { return true }
      return time.isSameInstant(as: epochTime)
    }
    if isSame(current) {
      current.take(accuracy: sentence.accuracy)
    } else if isSame(given) {
      given?.take(accuracy: sentence.accuracy)
    } else {
      statistics = sentence
    }
  }

  /// Gives the open epoch if nothing more is expected of it.
  mutating func takeComplete() -> Epoch? {
    guard closesEarly, let time = current.time, pattern.isComplete(current.tally, at: time) else {
      return nil
    }
    isAfterSilence = false
    return give()
  }

  /// Gives the open epoch because its source is silent, or at its end.
  mutating func flush() -> Epoch? {
    isAfterSilence = true
    return current.isEmpty ? nil : give()
  }

  /// Whether a sentence without a time is of the epoch that was given, which had no need of it; where
  /// that epoch had its own already, the sentence begins the next one.
  private func trailsGivenEpoch(_ slot: Int) -> Bool {
    guard let given, current.isEmpty, !isAfterSilence else { return false }
    return given.tally.counts[slot] == 0
  }

  private mutating func give() -> Epoch {
    let epoch = end(before: nil)
    given = epoch
    return epoch
  }

  private mutating func end(before time: TimeOfDay?) -> Epoch {
    let epoch = current
    current = Epoch()
    // Some receivers start with ZDA.
    if let date = epoch.date, let time, date.time?.isSameInstant(as: time) == true {
      current.take(date)
    }
    return epoch
  }

  /// Whether a sentence without a time is of another measurement than the open epoch: it says that
  /// there is no position now, or its kind has been there.
  private func startsTimeless(_ sentence: PositionSentence, of talker: UInt16) -> Bool {
    if current.isEmpty { return false }
    let isVoid = sentence.word == .void || sentence.word == .silent
    return current.has(sentence.kind, of: talker) || (isVoid && !current.isVoid)
  }
}
