import Geo
import Geofencing

/// Makes a history that fails smaller while it still fails.
enum Shrinking {
  static func shrink(
    _ history: RandomHistory, while fails: (RandomHistory) -> Bool
  ) -> RandomHistory {
    var history = history
    var isSmaller = true
    while isSmaller {
      isSmaller = false
      for candidate in smaller(history) where fails(candidate) {
        history = candidate
        isSmaller = true
        break
      }
    }
    return history
  }

  /// Without a stretch of steps, longest first; without a fence; without one fix of a group.
  private static func smaller(_ history: RandomHistory) -> some Sequence<RandomHistory> {
    let count = history.steps.count
    var removals: [Range<Int>] = []
    var length = count / 2
    while length > 0 {
      removals += stride(from: 0, to: count, by: length).map { $0..<min(count, $0 + length) }
      length /= 2
    }
    let shorter = removals.lazy.map { range in
      var steps = history.steps
      steps.removeSubrange(range)
      return RandomHistory(fences: history.fences, steps: steps)
    }
    let ids = Set(history.allFences.map(\.id)).sorted()
    let withFewerFences = ids.lazy.map { id in
      RandomHistory(
        fences: history.fences.filter { $0.id != id },
        steps: history.steps.map { step in
          guard case .edit(let fences, let now) = step else { return step }
          return .edit(fences.filter { $0.id != id }, now)
        })
    }
    let groups = history.steps.indices.lazy.flatMap { index -> [RandomHistory] in
      guard case .fixes(let subject, let fixes) = history.steps[index], fixes.count > 1 else {
        return []
      }
      return fixes.indices.map { removed in
        var steps = history.steps
        var fewer = fixes
        fewer.remove(at: removed)
        steps[index] = .fixes(subject, fewer)
        return RandomHistory(fences: history.fences, steps: steps)
      }
    }
    return [AnySequence(shorter), AnySequence(withFewerFences), AnySequence(groups)].joined()
  }
}

extension RandomHistory {
  var allFences: [Fence] {
    fences
      + steps.flatMap { step -> [Fence] in
        guard case .edit(let fences, _) = step else { return [] }
        return fences
      }
  }

  /// The history as people read it: times in seconds, distances from each present fence.
  var text: String {
    var present = fences
    var lines = present.map(Self.text)
    func seconds(_ time: Timestamp) -> Double { time.seconds(since: FieldCase.start) }
    for step in steps {
      switch step {
      case .fixes(let subject, let fixes):
        for fix in fixes {
          let distances = present.map {
            "\($0.id): \(ModelGeodesy.distance(fix.coordinate, $0.area))"
          }.joined(separator: ", ")
          lines.append(
            "\(seconds(fix.time)) \(subject) | \(fix.coordinate) | "
              + "acc \(fix.accuracy.map { "\($0.meters)" } ?? "?")"
              + "\(fix.isSimulated ? " simulated" : "") | \(distances)")
        }
        if fixes.count > 1 { lines.append("  (\(fixes.count) together)") }
      case .edit(let fences, let now):
        lines.append("\(seconds(now)) fences become")
        lines += fences.map { "  " + Self.text($0) }
        present = fences
      case .handOver(let subject, let now): lines.append("\(seconds(now)) hand over \(subject)")
      case .advance(let now): lines.append("\(seconds(now)) clock")
      }
    }
    return lines.joined(separator: "\n")
  }

  private static func text(_ fence: Fence) -> String {
    let settings = fence.settings
    let area =
      switch fence.area {
      case .circle(let center, let radius): "circle \(center) radius \(radius.meters)"
      case .polygons(let polygons):
        "polygon "
          + ModelGeodesy.edges(of: polygons.polygons[0]).map { "\($0.from)" }
          .joined(separator: "; ")
      }
    return "\(fence.id): \(area) buffer \(settings.exitBuffer.meters) "
      + "dwell \(settings.dwellSeconds.map { "\($0)" } ?? "no") passed \(settings.passed)"
  }
}
