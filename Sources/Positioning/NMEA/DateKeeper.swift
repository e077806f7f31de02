import Geo

/// Knows which day it is for sentences that say only the time of day.
///
/// A time without a date belongs to the day that brings it nearest to the last instant that is
/// known, at most 12 hours away, so it goes over midnight by itself, and a sentence that was late
/// over midnight still belongs to the day before.
struct DateKeeper {
  /// Where dates come from when no sentence has given any.
  enum Reference {
    /// A recording: its dates are what they are. Before the first of them nothing can be said until
    /// it comes.
    case recorded
    /// A receiver that is connected now.
    case live
  }

  /// A time of day that was given its day.
  struct Instant {
    var time: Timestamp
    var origin: DecodedFix.TimeOrigin
  }

  let reference: Reference
  /// The last instant that a sentence gave, or that was counted on from one.
  private var known: Timestamp?
  private var knownReceivedAt: Timestamp?
  /// An instant that a receiver without a position gave: of its battery clock, or its factory's.
  private(set) var hint: Timestamp?

  init(reference: Reference) { self.reference = reference }

  /// Takes a date of a receiver that has a position, and says which instant it makes.
  mutating func take(day: Int, time: TimeOfDay, receivedAt: Timestamp?) -> Instant {
    var instant = Instant(time: DateKeeper.instant(day: day, time: time), origin: .reported)
    if reference == .live, let receivedAt,
      let repaired = DateKeeper.repairingRollover(of: instant.time, now: receivedAt)
    {
      instant = Instant(time: repaired, origin: .rolloverRepaired)
    }
    remember(instant.time, receivedAt: receivedAt)
    return instant
  }

  /// Takes a date of a receiver that has no position: a hint, until a better one comes.
  mutating func take(hintedDay day: Int, time: TimeOfDay) -> Instant {
    let instant = DateKeeper.instant(day: day, time: time)
    hint = instant
    return Instant(time: instant, origin: .reported)
  }

  /// The instant of a time without a date; nil where nothing tells its day yet.
  mutating func instant(of time: TimeOfDay, receivedAt: Timestamp?) -> Instant? {
    guard let instant = peek(at: time, receivedAt: receivedAt) else { return nil }
    if instant.origin == .dateCarried { remember(instant.time, receivedAt: receivedAt) }
    return instant
  }

  /// The same, without counting on from it.
  func peek(at time: TimeOfDay, receivedAt: Timestamp?) -> Instant? {
    if let known {
      let elapsed = receivedAt.flatMap { now in knownReceivedAt.map { now.milliseconds(since: $0) }
      }
      let expected = known.advanced(byMilliseconds: elapsed ?? 0)
      return Instant(time: DateKeeper.nearest(time, to: expected), origin: .dateCarried)
    }
    guard let base = receivedAt ?? (reference == .live ? hint : nil) else { return nil }
    return Instant(time: DateKeeper.nearest(time, to: base), origin: .dateAssumed)
  }

  /// Counts on from an instant whose day is a guess.
  mutating func assume(_ instant: Timestamp) { remember(instant, receivedAt: nil) }

  private mutating func remember(_ instant: Timestamp, receivedAt: Timestamp?) {
    known = instant
    knownReceivedAt = receivedAt
  }

  static func instant(day: Int, time: TimeOfDay) -> Timestamp {
    Timestamp(
      millisecondsSince1970: Int64(day * TimeOfDay.millisecondsOfDay + time.milliseconds))
  }

  /// The instant of that time of day that is nearest to `reference`.
  static func nearest(_ time: TimeOfDay, to reference: Timestamp) -> Timestamp {
    let day = Int64(TimeOfDay.millisecondsOfDay)
    let base = reference.millisecondsSince1970
    var difference = (Int64(time.milliseconds) - base) % day
    if difference > day / 2 { difference -= day }
    if difference < -day / 2 { difference += day }
    return reference.advanced(byMilliseconds: difference)
  }

  /// Moves a time that lies whole rollovers of 1024 weeks in the past to the present; nil where it
  /// does not, give or take two days.
  private static func repairingRollover(of time: Timestamp, now: Timestamp) -> Timestamp? {
    let day: Int64 = 86_400_000
    let rollover = 1024 * 7 * day
    let age = now.milliseconds(since: time)
    let rollovers = (age + rollover / 2) / rollover
    guard rollovers > 0, abs(age - rollovers * rollover) <= 2 * day else { return nil }
    return time.advanced(byMilliseconds: rollovers * rollover)
  }
}
