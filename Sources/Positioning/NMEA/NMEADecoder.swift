import Geo

/// Reads NMEA 0183, versions 1.5 to 4.11, as receivers and loggers write it.
///
/// Takes the position, and what belongs to it, from RMC, GGA, GNS, GLL, VTG, GSA, GST and ZDA of
/// any talker, and gives one fix for each measurement however many sentences told of it:
///
/// - the position of GGA, else RMC, GNS, GLL; speed and course of RMC, else VTG, else of an RMC at
///   most a second older; the accuracy of GST, else of HDOP, else unknown;
/// - no fix where any sentence of the measurement says that there is none, where the position was
///   estimated or simulated, or is exactly 0, 0;
/// - the same time again is no second fix; an older time is one, since two receivers may share a
///   line.
///
/// It needs no clock: a live source says when it received what. Memory does not grow with the input.
public struct NMEADecoder: FixDecoder {
  /// Where the bytes come from, which decides how dates are known and when a fix is given.
  public enum Mode: Equatable, Sendable {
    /// A recording, whose dates are kept as they are. Times before its first date get theirs from
    /// it; up to 4096 fixes are held back for that. Where no date comes, the first fix gets the day
    /// that brings it nearest to `reference`, and those after it count on; without a reference they
    /// are dropped as `time_missing`.
    case recorded(reference: Timestamp?)
    /// A receiver connected now. A fix is given with the last sentence that its source usually
    /// sends for it, or with `flush(into:)`. Times without a date get the day that brings them
    /// nearest to the moment of reception, and dates of whole rollovers of 1024 weeks ago are
    /// repaired.
    case live
  }

  /// What can be set.
  public struct Settings: Equatable, Sendable {
    /// The error of one measured range, with which HDOP becomes meters.
    public var userRangeError: Distance
    /// Whether simulated positions give fixes; they say so in `Fix.isSimulated`.
    public var acceptsSimulated: Bool
    /// The only talker that counts, where several receivers share a line.
    public var talker: NMEATalker?
    /// Whether a sentence without a checksum is always refused. Otherwise such sentences count as
    /// long as the stream has not shown any checksum.
    public var requiresChecksum: Bool

    public init(
      userRangeError: Distance = .meters(5), acceptsSimulated: Bool = false,
      talker: NMEATalker? = nil,
      requiresChecksum: Bool = false
    ) {
      self.userRangeError = userRangeError
      self.acceptsSimulated = acceptsSimulated
      self.talker = talker
      self.requiresChecksum = requiresChecksum
    }
  }

  private let settings: Settings
  private var splitter = SentenceSplitter()
  private var assembler: EpochAssembler
  private var publisher: FixPublisher
  /// The start of something that the bytes so far leave open; shorter than a sentence can be.
  private var pending: [UInt8] = []
  private var receivedAt: Timestamp?
  private var hasSeenEncoding = false
  private var isRefused = false
  private var hasSeenChecksum = false

  public init(mode: Mode, settings: Settings = Settings()) {
    self.settings = settings
    assembler = EpochAssembler(closesEarly: mode == .live)
    publisher = FixPublisher(mode: mode, settings: settings)
  }

  public mutating func decode(_ bytes: UnsafeRawBufferPointer, into output: inout [Decoded]) {
    var rest = bytes[...]
    while !rest.isEmpty, !pending.isEmpty {
      // What is pending is decided with so many bytes more, at the latest.
      let more = rest.prefix(SentenceSplitter.limit)
      let pendingCount = pending.count
      var joined: [UInt8] = []
      swap(&joined, &pending)
      joined.append(contentsOf: more)
      let used = joined.withUnsafeBytes { read($0, isLast: false, into: &output) }
      if used >= pendingCount {
        rest = rest.dropFirst(used - pendingCount)
        joined.removeAll(keepingCapacity: true)
      } else {
        rest = rest.dropFirst(more.count)
        joined.removeFirst(used)
      }
      swap(&joined, &pending)
    }
    if rest.isEmpty { return }
    let whole = UnsafeRawBufferPointer(rebasing: rest)
    let used = read(whole, isLast: false, into: &output)
    pending.append(contentsOf: whole[used...])
  }

  /// Takes the next bytes of a live source, and the moment of their reception.
  public mutating func decode(
    _ bytes: UnsafeRawBufferPointer, receivedAt: Timestamp, into output: inout [Decoded]
  ) {
    self.receivedAt = receivedAt
    decode(bytes, into: &output)
  }

  /// Gives what has come of the current measurement: its source has been silent for a while, some
  /// 200 ms, so nothing more of it will come.
  public mutating func flush(into output: inout [Decoded]) {
    if let epoch = assembler.flush() {
      publisher.publish(epoch, into: &output)
    }
  }

  public mutating func finish(into output: inout [Decoded]) {
    var last: [UInt8] = []
    swap(&last, &pending)
    _ = last.withUnsafeBytes { read($0, isLast: true, into: &output) }
    flush(into: &output)
    publisher.finish(into: &output)
  }

  /// Reads as far as it can be decided, and says how many bytes are done with.
  private mutating func read(
    _ bytes: UnsafeRawBufferPointer, isLast: Bool, into output: inout [Decoded]
  ) -> Int {
    if isRefused { return bytes.count }
    var index = 0
    if !hasSeenEncoding {
      switch InputEncoding(bytes, isLast: isLast) {
      case .undecided:
        return 0
      case .utf16:
        isRefused = true
        let detail = "UTF-16; save the text as ASCII or UTF-8"
        output.append(
          .dropped(Dropped(reason: .wrongEncoding, position: InputPosition(), detail: detail)))
        return bytes.count
      case .bytes(let markLength):
        hasSeenEncoding = true
        index = markLength
      }
    }
    while true {
      switch splitter.next(in: bytes, from: &index, isLast: isLast) {
      case .sentence(let sentence):
        do {
          try take(sentence, in: bytes, into: &output)
        } catch {
          output.append(
            .dropped(
              Dropped(reason: error.reason, position: sentence.position, detail: error.detail)))
        }
      case .dropped(let dropped):
        if dropped.reason == .checksumWrong || dropped.reason == .checksumMalformed {
          hasSeenChecksum = true
        }
        output.append(.dropped(dropped))
      case .exhausted:
        splitter.advance(by: index)
        return index
      }
    }
  }

  private mutating func take(
    _ sentence: SentenceSplitter.Sentence, in bytes: UnsafeRawBufferPointer,
    into output: inout [Decoded]
  ) throws(SentenceProblem) {
    if sentence.hasChecksum {
      hasSeenChecksum = true
    } else if hasSeenChecksum || settings.requiresChecksum {
      throw SentenceProblem(reason: .checksumMissing, detail: "")
    }
    let body = bytes[sentence.body]
    if sentence.isEncapsulated { throw SentenceProblem(reason: .unsupported, detail: "") }
    switch SentenceAddress(body) {
    case .unsupported: throw SentenceProblem(reason: .unsupported, detail: "")
    case .proprietary: throw SentenceProblem(reason: .proprietary, detail: "")
    case .standard(let talker, let kind):
      if let loggedAt = sentence.loggedAt {
        receivedAt = Timestamp(millisecondsSince1970: loggedAt)
      }
      if let only = settings.talker, only.code != talker {
        throw SentenceProblem(reason: .unsupported, detail: "another talker")
      }
      let fields = SentenceFields(
        body, commas: sentence.commas, addressLength: SentenceAddress.length)
      try take(kind, fields, of: talker, at: sentence.position, into: &output)
      if let epoch = assembler.takeComplete() {
        publisher.publish(epoch, into: &output)
      }
    }
  }

  private mutating func take(
    _ kind: SentenceKind, _ fields: SentenceFields, of talker: UInt16, at place: InputPosition,
    into output: inout [Decoded]
  ) throws(SentenceProblem) {
    switch kind {
    case .rmc: take(try .rmc(fields), of: talker, at: place, into: &output)
    case .gga: take(try .gga(fields), of: talker, at: place, into: &output)
    case .gns: take(try .gns(fields), of: talker, at: place, into: &output)
    case .gll: take(try .gll(fields), of: talker, at: place, into: &output)
    case .vtg: assembler.take(try CourseAndSpeed(fields))
    case .gsa: assembler.take(try ActiveSatellites(fields))
    case .gst: assembler.take(try ErrorStatistics(fields))
    case .zda: assembler.take(try DateAndTime(fields))
    // Known, and of no use for a fix: the satellites in view, and the faults suspected in them.
    case .gsv, .gbs: return
    }
  }

  private mutating func take(
    _ sentence: PositionSentence, of talker: UInt16, at place: InputPosition,
    into output: inout [Decoded]
  ) {
    if let epoch = assembler.makeRoom(for: sentence, of: talker) {
      publisher.publish(epoch, into: &output)
    }
    switch assembler.take(sentence, of: talker, at: place, receivedAt: receivedAt) {
    case .joined, .late(contradicts: false):
      return
    case .repeated:
      output.append(.dropped(Dropped(reason: .duplicate, position: place)))
    case .late(contradicts: true):
      publisher.retract(
        at: sentence.time, place: place, receivedAt: receivedAt, into: &output)
    }
  }
}
