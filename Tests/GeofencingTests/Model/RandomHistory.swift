import Geo
import Geofencing
import TestSupport

/// A random world of a few fences, and what happens in it, in order of arrival.
struct RandomHistory {
  enum Step {
    /// Fixes of one subject and one time that stand together.
    case fixes(SubjectID, [Fix])
    case edit([Fence], Timestamp)
    case handOver(SubjectID, Timestamp)
    case advance(Timestamp)
  }

  let fences: [Fence]
  var steps: [Step]

  init(fences: [Fence], steps: [Step]) {
    self.fences = fences
    self.steps = steps
  }

  init(seed: UInt64) {
    var author = Author(seed: seed)
    fences = author.fences
    steps = []
    for _ in 0..<author.length { steps += author.next() }
  }

  /// Whether no fix is older than what came before it.
  var isInOrder: Bool {
    let times = steps.map { step in
      switch step {
      case .fixes(_, let fixes): fixes[0].time
      case .edit(_, let now), .handOver(_, let now), .advance(let now): now
      }
    }
    return zip(times, times.dropFirst()).allSatisfy { $0 <= $1 }
  }

  var fixCount: Int {
    steps.reduce(0) { count, step in
      if case .fixes(_, let fixes) = step { count + fixes.count } else { count }
    }
  }
}

/// Makes up a history that keeps to where the rules decide: near the fences' edges and the
/// thresholds of time.
private struct Author {
  private struct Walker {
    let id: SubjectID
    var past: [Fix] = []
    var degrees: Double
    var habit = Habit.threshold
  }

  /// How a walker moves for some fixes.
  private enum Habit: CaseIterable {
    /// At a distance from a fence at which some rule turns.
    case threshold
    /// To and fro over an edge.
    case edge
    case inside, away
    /// Straight across, from one side to the other.
    case driveBy
  }

  private var random: SeededGenerator
  var fences: [Fence]
  private var walkers: [Walker]
  private var now = Timestamp(millisecondsSince1970: 1_772_442_000_000)
  private let steadyAccuracy: Double
  /// A share of the histories has no oddities, so that long runs happen too.
  private let isPlain: Bool
  private var current = 0
  let length: Int

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    fences = WorldFences.make(using: &random)
    length = Int.random(in: 15...90, using: &random)
    walkers = []
    steadyAccuracy = [3, 8, 15, 40].randomElement(using: &random)!
    isPlain = Int.random(in: 0..<4, using: &random) == 0
    for index in 1...Int.random(in: 1...3, using: &random) {
      walkers.append(
        Walker(id: SubjectID("D\(index)"), degrees: .random(in: 0..<360, using: &random)))
    }
  }

  private mutating func oneIn(_ n: Int) -> Bool { Int.random(in: 0..<n, using: &random) == 0 }

  mutating func next() -> [RandomHistory.Step] {
    if oneIn(4) { current = walkers.indices.randomElement(using: &random)! }
    if oneIn(8) { walkers[current].habit = Habit.allCases.randomElement(using: &random)! }
    now = now.advanced(byMilliseconds: pause())
    if !isPlain && oneIn(25) { return [other()] }
    var fixes = [fix()]
    if !isPlain {
      if oneIn(12) { fixes += group(with: fixes[0]) }
      if oneIn(20), let repeated = walkers[current].past.suffix(6).randomElement(using: &random) {
        fixes = [repeated]
      }
      if oneIn(20), let last = walkers[current].past.last {
        let early = [1, 500, 5000, 60_000, 1_800_000].randomElement(using: &random)!
        fixes = [fixes[0].with(time: last.time.advanced(byMilliseconds: -Int64(early)))]
      }
    }
    walkers[current].past += fixes
    return [.fixes(walkers[current].id, fixes)]
  }

  // MARK: Time

  private mutating func pause() -> Int64 {
    if oneIn(isPlain ? 60 : 25) {
      // To a threshold of time after the last fix of this subject, or a millisecond beside it.
      let last = walkers[current].past.last?.time ?? now
      let seconds: Int64 = [15, 120, 1800, 1800, 3600, 14_400, 14_400, 20_000]
        .randomElement(using: &random)!
      let target = last.advanced(
        byMilliseconds: seconds * 1000 + .random(in: -1...1, using: &random))
      return max(0, target.milliseconds(since: now))
    }
    switch Int.random(in: 0..<20, using: &random) {
    case 0: return 0
    case 1: return 100
    case 2...6: return .random(in: 1000...5000, using: &random)
    case 7...13: return 1000 * .random(in: 5...20, using: &random)
    case 14...17: return .random(in: 15_000...60_000, using: &random)
    case 18: return 60_000 * .random(in: 1...10, using: &random)
    default: return 60_000 * .random(in: 10...40, using: &random)
    }
  }

  // MARK: Place

  private mutating func fix() -> Fix {
    let fence = fences.randomElement(using: &random) ?? WorldFences.fallback
    let accuracy = accuracy()
    if !isPlain && oneIn(60) {
      let near = { (random: inout SeededGenerator) in
        Double.random(in: -0.001...0.001, using: &random)
      }
      return Fix(
        coordinate: Coordinate(latitude: near(&random), longitude: near(&random))!, time: now,
        accuracy: .meters(5))
    }
    var coordinate = place(near: fence, accuracy: accuracy)
    if !isPlain && oneIn(25) {
      coordinate = ModelGeodesy.coordinate(
        from: coordinate, degrees: .random(in: 0..<360, using: &random),
        meters: [1500, 5000, 30_000, 300_000].randomElement(using: &random)!)
    } else if !isPlain, oneIn(15), let last = walkers[current].past.last {
      // Near the last one, which may have been a jump.
      coordinate = ModelGeodesy.coordinate(
        from: last.coordinate, degrees: .random(in: 0..<360, using: &random),
        meters: .random(in: 0...50, using: &random))
    }
    return Fix(
      coordinate: coordinate, time: now, accuracy: accuracy.map { .meters($0) },
      isSimulated: !isPlain && oneIn(40))
  }

  private mutating func place(near fence: Fence, accuracy: Double?) -> Coordinate {
    let size = WorldFences.size(fence.area)
    let buffer = fence.settings.exitBuffer.meters
    // Odd, so that the thresholds of one fence do not add up to those of another.
    let slight = [-5.37, -0.519, -0.002, 0.002, 0.519, 5.37].randomElement(using: &random)!
    let meters: Double
    walkers[current].degrees += .random(in: -20...20, using: &random)
    switch walkers[current].habit {
    case .threshold:
      let thresholds = [size, size, size + buffer + min(100, accuracy ?? 100), size * 0.9]
      meters = thresholds.randomElement(using: &random)! + slight
    case .edge: meters = size + .random(in: -60...60, using: &random)
    case .inside: meters = size * .random(in: 0.01...0.7, using: &random)
    case .away: meters = size + buffer + .random(in: 0...250, using: &random)
    case .driveBy:
      walkers[current].degrees += .random(in: 120...240, using: &random)
      meters = size + .random(in: 1...300, using: &random)
    }
    if case .polygons(let polygons) = fence.area, oneIn(4) {
      return polygons.polygons.flatMap { [$0.outer] + $0.holes }.flatMap(\.corners)
        .randomElement(using: &random)!
    }
    return ModelGeodesy.coordinate(
      from: WorldFences.middle(fence.area), degrees: walkers[current].degrees,
      meters: max(0, meters))
  }

  private mutating func accuracy() -> Double? {
    switch Int.random(in: 0..<(isPlain ? 16 : 24), using: &random) {
    case 0...11: steadyAccuracy
    case 12...15: .random(in: 1...50, using: &random)
    case 16: .random(in: 50...100, using: &random)
    case 17: 100
    case 18: .random(in: 100.001...200, using: &random)
    case 19: [100.001, 200, 200.001].randomElement(using: &random)!
    case 20: .random(in: 200.001...2000, using: &random)
    default: nil
    }
  }

  // MARK: Oddities

  private mutating func group(with first: Fix) -> [Fix] {
    (1...Int.random(in: 1...3, using: &random)).map { _ in
      if oneIn(4) { return first }
      let other = fix()
      return Fix(
        coordinate: other.coordinate, time: first.time,
        accuracy: oneIn(2) ? first.accuracy : other.accuracy, isSimulated: other.isSimulated)
    }
  }

  private mutating func other() -> RandomHistory.Step {
    switch Int.random(in: 0..<4, using: &random) {
    case 0: return .handOver(walkers[current].id, now)
    case 1: return .advance(now)
    default:
      fences = WorldFences.edited(fences, using: &random)
      return .edit(fences, now)
    }
  }
}
