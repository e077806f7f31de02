import Geo

/// What a recording gave before its first date: held back, in bounded number, until that date comes.
struct UndatedFixes {
  /// More than this, and their day is guessed.
  static let limit = 4096

  private struct Item {
    var time: TimeOfDay?
    var decoded: Decoded
    var place: InputPosition
  }

  private var items: [Item] = []

  var isEmpty: Bool { items.isEmpty }
  var isFull: Bool { items.count >= UndatedFixes.limit }

  /// Holds something back; the day of its own time does not matter.
  mutating func append(_ decoded: Decoded, time: TimeOfDay?, place: InputPosition) {
    items.append(Item(time: time, decoded: decoded, place: place))
  }

  /// Gives each its day, counting back from `instant`, and appends them to `output`.
  mutating func release(before instant: Timestamp, into output: inout [Decoded]) {
    var next = instant
    for index in items.indices.reversed() {
      guard let time = items[index].time else { continue }
      next = DateKeeper.nearest(time, to: next)
      items[index].decoded.date(next, .dateCarried)
    }
    output.append(contentsOf: items.lazy.map(\.decoded))
    items.removeAll(keepingCapacity: true)
  }

  /// Gives the first the day that brings it nearest to `reference`, and counts on from it.
  ///
  /// - Returns: the last instant, to count on from.
  mutating func release(
    near reference: Timestamp, into output: inout [Decoded]
  ) -> Timestamp {
    var last = reference
    for index in items.indices {
      guard let time = items[index].time else { continue }
      last = DateKeeper.nearest(time, to: last)
      items[index].decoded.date(last, .dateAssumed)
    }
    output.append(contentsOf: items.lazy.map(\.decoded))
    items.removeAll(keepingCapacity: true)
    return last
  }

  /// Gives up on their day: a fix without a time is none.
  mutating func drop(into output: inout [Decoded]) {
    for item in items {
      guard case .fix = item.decoded else {
        output.append(item.decoded)
        continue
      }
      output.append(
        .dropped(
          Dropped(reason: .timeMissing, position: item.place, detail: "no date in the recording")))
    }
    items.removeAll(keepingCapacity: true)
  }
}

extension Decoded {
  fileprivate mutating func date(_ instant: Timestamp, _ origin: DecodedFix.TimeOrigin) {
    switch self {
    case .fix(let decoded):
      self = .fix(
        DecodedFix(
          subject: decoded.subject, fix: decoded.fix.with(time: instant), timeOrigin: origin))
    case .noFix(let noFix):
      self = .noFix(NoFix(subject: noFix.subject, time: instant))
    case .dropped:
      return
    }
  }
}
