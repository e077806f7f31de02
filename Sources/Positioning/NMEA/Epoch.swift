import Geo

/// What the sentences of one measurement say together.
struct Epoch {
  /// The finest form of the time that its sentences gave; nil while none gave any.
  private(set) var time: TimeOfDay?
  /// The day that a sentence of this epoch gave, in days since 1970.
  private(set) var day: Int?
  /// The date and time of a ZDA that came among its sentences, of a neighboring instant.
  private(set) var date: DateAndTime?
  /// Where its first position sentence stands.
  private(set) var position: InputPosition?
  /// When its first position sentence was received, as far as its source says.
  private(set) var receivedAt: Timestamp?
  /// How many sentences of each kind came that added something: what the next epochs may bring too.
  private(set) var tally = SentenceTally()

  private var words: Words = []
  private var seen = SeenSentences()
  private var coordinate: (rank: Int, value: Coordinate)?
  private var source: (rank: Int, value: Fix.Source)?
  private var altitude: Distance?
  private var rmcSpeed: Speed?
  private var rmcCourse: Bearing?
  private var hasRMC = false
  private var vtg: CourseAndSpeed?
  private var hdop: (rank: Int, value: Double)?
  private var accuracy: Distance?

  /// The words of its sentences.
  private struct Words: OptionSet {
    var rawValue: UInt8
    static let valid = Words(rawValue: 1)
    static let void = Words(rawValue: 2)
    static let estimated = Words(rawValue: 4)
    static let simulated = Words(rawValue: 8)
  }

  /// What an epoch comes to: the worst word counts.
  enum Verdict { case valid, void, estimated, simulated }

  /// Nil for an epoch without position sentences.
  var verdict: Verdict? {
    if position == nil { return nil }
    if words.contains(.void) { return .void }
    if words.contains(.simulated) { return .simulated }
    if words.contains(.estimated) { return .estimated }
    return words.contains(.valid) ? .valid : .void
  }

  /// Whether no position sentence has come.
  var isEmpty: Bool { position == nil }

  /// Whether a sentence says that there is no position.
  var isVoid: Bool { words.contains(.void) }

  /// Whether a sentence of the same talker and kind is in it.
  func has(_ kind: PositionSentence.Kind, of talker: UInt16) -> Bool {
    seen.contains(kind, of: talker)
  }

  mutating func take(
    _ sentence: PositionSentence, of talker: UInt16, at place: InputPosition,
    receivedAt now: Timestamp?
  ) {
    if position == nil {
      position = place
      receivedAt = now
    }
    seen.insert(sentence.kind, of: talker)
    tally.count(SentenceTally.slot(of: sentence.kind))
    takeTime(sentence.time)
    day = day ?? sentence.day
    adoptDate()

    let rank = sentence.kind.rawValue
    switch sentence.word {
    case .valid: words.insert(.valid)
    case .silent: return
    case .void: words.insert(.void)
    case .estimated: words.insert(.estimated)
    case .simulated: words.insert(.simulated)
    }
    if let found = sentence.coordinate, coordinate.map({ rank < $0.rank }) ?? true {
      coordinate = (rank, found)
    }
    if let found = sentence.source, source.map({ rank < $0.rank }) ?? true {
      source = (rank, found)
    }
    if let found = sentence.hdop { takeHDOP(found, rank: sentence.kind == .gga ? 0 : 2) }
    altitude = altitude ?? sentence.altitude
    if sentence.kind == .rmc, !hasRMC {
      hasRMC = true
      rmcSpeed = sentence.speed
      rmcCourse = sentence.course
    }
  }

  mutating func take(_ sentence: CourseAndSpeed) {
    if rmcSpeed != nil || vtg != nil { return }
    tally.count(SentenceTally.vtg)
    vtg = sentence
  }

  mutating func take(_ sentence: ActiveSatellites) {
    if hdop?.rank == 0 { return }
    tally.count(SentenceTally.gsa)
    if let found = sentence.hdop { takeHDOP(found, rank: 1) }
  }

  mutating func take(accuracy statistics: Distance?) {
    tally.count(SentenceTally.gst)
    accuracy = accuracy ?? statistics
  }

  /// Takes a date that came among its sentences, perhaps of another instant.
  mutating func take(_ found: DateAndTime) {
    date = found
    adoptDate()
  }

  private mutating func takeTime(_ found: TimeOfDay?) {
    guard let found else { return }
    if time.map({ found.fractionDigits > $0.fractionDigits }) ?? true { time = found }
  }

  /// Makes a date its own if it is of its instant.
  private mutating func adoptDate() {
    guard let found = date, let time, found.time?.isSameInstant(as: time) == true else { return }
    day = day ?? found.day
    date = nil
  }

  private mutating func takeHDOP(_ value: Double, rank: Int) {
    guard value > 0, hdop.map({ rank < $0.rank }) ?? true else { return }
    hdop = (rank, value)
  }

  /// Speed and course of its own RMC.
  var motion: Motion? {
    hasRMC ? Motion(speed: rmcSpeed, course: rmcCourse) : nil
  }

  /// The fix, for a verdict that allows one; nil where no sentence gave a position.
  ///
  /// - Parameter lastMotion: what the RMC of a recent epoch said, for epochs without any.
  func fix(at time: Timestamp, userRangeError: Distance, lastMotion: Motion?) -> Fix? {
    guard let coordinate else { return nil }
    let isMoving = rmcSpeed != nil || vtg?.speed != nil
    let motion = isMoving || hasRMC ? nil : lastMotion
    return Fix(
      coordinate: coordinate.value, time: time,
      accuracy: accuracy
        ?? hdop.flatMap { HorizontalAccuracy.fromHDOP($0.value, userRangeError: userRangeError) },
      speed: rmcSpeed ?? vtg?.speed ?? motion?.speed,
      course: rmcCourse ?? vtg?.course ?? motion?.course,
      altitude: altitude, source: source?.value ?? .gps, isSimulated: words.contains(.simulated))
  }
}

/// Speed over ground and its direction.
struct Motion {
  var speed: Speed?
  var course: Bearing?
}

/// Which position sentences an epoch has had, by talker; the first eight of them.
private struct SeenSentences {
  private var codes = SIMD8<UInt32>()
  private var count = 0

  func contains(_ kind: PositionSentence.Kind, of talker: UInt16) -> Bool {
    any(codes .== code(kind, talker))
  }

  mutating func insert(_ kind: PositionSentence.Kind, of talker: UInt16) {
    guard count < codes.scalarCount, !contains(kind, of: talker) else { return }
    codes[count] = code(kind, talker)
    count += 1
  }

  private func code(_ kind: PositionSentence.Kind, _ talker: UInt16) -> UInt32 {
    UInt32(talker) << 8 | UInt32(kind.rawValue)
  }
}
