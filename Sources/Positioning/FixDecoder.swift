import Geo

/// Turns the bytes of one format into fixes, in any chunking and in constant memory.
///
/// The chunking never shows: any split of the same bytes gives the same results.
public protocol FixDecoder: Sendable {
  /// Takes the next bytes and appends what they complete, in order, to `output`.
  mutating func decode(_ bytes: UnsafeRawBufferPointer, into output: inout [Decoded])

  /// Takes the end of the input and appends what was still held back.
  mutating func finish(into output: inout [Decoded])
}

/// What a decoder found in its input.
public enum Decoded: Equatable, Sendable {
  case fix(DecodedFix)
  /// The source itself says that it has no position now.
  case noFix(NoFix)
  /// Something was passed over, and why.
  case dropped(Dropped)
}

/// A fix as its source gave it.
public struct DecodedFix: Equatable, Sendable {
  /// Whose fix it is, where the source says.
  public var subject: SubjectID?
  public var fix: Fix
  public var timeOrigin: TimeOrigin

  /// How the time of a fix is known.
  public enum TimeOrigin: String, Sendable {
    /// As reported, date and all.
    case reported
    /// The time of day was reported; the date was carried or counted on from another report.
    case dateCarried = "date_carried"
    /// The time of day was reported; the date is that of the reference, which is a guess.
    case dateAssumed = "date_assumed"
    /// No time was reported: it is the moment of reception.
    case received
    /// The reported date was whole rollovers of 1024 weeks in the past.
    case rolloverRepaired = "rollover_repaired"
  }

  public init(subject: SubjectID? = nil, fix: Fix, timeOrigin: TimeOrigin = .reported) {
    self.subject = subject
    self.fix = fix
    self.timeOrigin = timeOrigin
  }
}

/// A source's own word that it has no position.
public struct NoFix: Equatable, Sendable {
  public var subject: SubjectID?
  /// When it said so, where it gave a time.
  public var time: Timestamp?

  public init(subject: SubjectID? = nil, time: Timestamp? = nil) {
    self.subject = subject
    self.time = time
  }
}

/// Where in its input a decoder is; lines and columns count from 1, bytes from 0.
public struct InputPosition: Hashable, Sendable {
  public var byteOffset: Int
  public var line: Int
  public var column: Int

  public init(byteOffset: Int = 0, line: Int = 1, column: Int = 1) {
    self.byteOffset = byteOffset
    self.line = line
    self.column = column
  }
}

/// Something in the input that gave no fix, and why.
public struct Dropped: Equatable, Sendable {
  public var reason: Reason
  public var position: InputPosition
  /// What was found, for a person; empty where the reason says it all. Bounded in length.
  public var detail: String

  public init(reason: Reason, position: InputPosition, detail: String = "") {
    self.reason = reason
    self.position = position
    self.detail = detail
  }

  /// Why something gave no fix; the raw value is what summaries and metrics print.
  public enum Reason: String, Sendable, CaseIterable {
    // Framing.
    case binary
    case lineTooLong = "line_too_long"
    case truncated
    case checksumWrong = "checksum_wrong"
    case checksumMalformed = "checksum_malformed"
    case checksumMissing = "checksum_missing"
    // Sentences.
    case unsupported
    case proprietary
    case tooFewFields = "too_few_fields"
    case malformed
    // Positions.
    case invalidFix = "invalid_fix"
    case noFix = "no_fix"
    case simulated
    case estimated
    case timeMissing = "time_missing"
    case duplicate
    // Whole inputs.
    case unknownFormat = "unknown_format"
    case wrongEncoding = "wrong_encoding"
  }
}
