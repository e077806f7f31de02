import Foundation
import Geo

/// Looks for fences that are probably not what somebody meant.
///
/// All checks together take about a second for 100 000 stores.
public struct FenceLinter {
  /// Below this a fix that is some tens of meters off, as they are between buildings, misses the
  /// store.
  public static let smallestRadius = Distance.meters(100)
  /// Above this a fence says nothing about being at a store.
  public static let largestRadius = Distance.meters(5000)

  private var findings: [FenceFinding] = []
  private var knownTimeZones: [String: Bool] = [:]

  /// What is wrong with a set of fences: those of each fence in the order of the fences, then those
  /// of pairs.
  public static func findings(in fences: [Fence]) -> [FenceFinding] {
    var linter = FenceLinter()
    for fence in fences { linter.check(fence) }
    linter.findings += DuplicateSearch(fences).findings
    linter.findings += SwapSearch(fences).findings
    linter.findings += OverlapSearch(fences).findings
    return linter.findings
  }

  /// What is wrong with files of fences: what could not be read, then what is wrong with the others.
  public static func findings(in fences: FenceImport) -> [FenceFinding] {
    fences.problems.map { problem in
      FenceFinding(
        .error, .unreadable, problem.id.map { Fence.ID($0) }, problem.description)
    } + findings(in: fences.fences)
  }

  private mutating func report(
    _ severity: FenceFinding.Severity, _ kind: FenceFinding.Kind, _ fence: Fence, _ message: String
  ) {
    findings.append(FenceFinding(severity, kind, fence.id, message))
  }

  private mutating func check(_ fence: Fence) {
    switch fence.area {
    case .circle(_, let radius): checkRadius(radius, of: fence)
    case .polygons(let area): checkRings(of: area, of: fence)
    }
    let corner = fence.area.anyCorner
    if abs(corner.latitude) < 0.1, abs(corner.longitude) < 0.1 {
      report(
        .error, .nullIsland, fence,
        "lies at latitude 0, longitude 0, in the sea off Africa, where missing coordinates end up;"
          + " look up the place")
    }
    checkSettings(of: fence)
    if let timeZone = fence.timeZone, !isKnown(timeZone) {
      report(
        .error, .unknownTimeZone, fence,
        "there is no time zone \"\(timeZone)\"; use a name like America/Toronto")
    }
  }

  private mutating func checkRadius(_ radius: Distance, of fence: Fence) {
    let meters = "\((radius.meters * 10).rounded() / 10) m"
    if !(radius.meters > 0) || !radius.meters.isFinite {
      report(.error, .smallRadius, fence, "has a radius of \(meters), so nothing is inside")
    } else if radius < FenceLinter.smallestRadius {
      report(
        .warning, .smallRadius, fence,
        "has a radius of \(meters), which fixes between buildings often miss; use 100 m or more")
    } else if radius > FenceLinter.largestRadius {
      report(
        .warning, .hugeRadius, fence,
        "has a radius of \(meters), which is no store; use 100 m to 500 m, or a polygon")
    }
  }

  private mutating func checkRings(of area: MultiPolygon, of fence: Fence) {
    for (index, polygon) in area.polygons.enumerated() {
      let name = area.polygons.count == 1 ? "" : "polygon \(index), "
      for problem in polygon.problems {
        report(problem.severity, .invalidRing, fence, "\(name)\(problem)")
      }
      if polygon.outer.isClockwise {
        report(
          .warning, .clockwiseRing, fence,
          "\(name)outer ring runs clockwise; it works here, but RFC 7946 wants it the other way")
      }
    }
  }

  private mutating func checkSettings(of fence: Fence) {
    let settings = fence.settings
    if !(0...1).contains(settings.minimumConfidence) {
      report(
        .error, .settingOutOfRange, fence,
        "minimumConfidence is \(settings.minimumConfidence); use 0 to 1, 0.95 for a strict store")
    }
    if !(settings.exitBuffer.meters >= 0) || settings.exitBuffer > Fence.Settings.largestExitBuffer
    {
      report(
        .error, .settingOutOfRange, fence,
        "exitBufferMeters is \(settings.exitBuffer.meters); use 0 or more, 50 for most stores")
    }
    if let seconds = settings.dwellSeconds,
      !(0...Fence.Settings.longestDwellSeconds).contains(seconds)
    {
      report(
        .error, .settingOutOfRange, fence,
        "dwellSeconds is \(seconds); use 0 to \(Fence.Settings.longestDwellSeconds)")
    }
  }

  private mutating func isKnown(_ timeZone: String) -> Bool {
    if let known = knownTimeZones[timeZone] { return known }
    let known = TimeZone(identifier: timeZone) != nil
    knownTimeZones[timeZone] = known
    return known
  }
}

extension Polygon.Problem {
  fileprivate var severity: FenceFinding.Severity {
    switch self {
    case .outer(.repeatedCorner), .hole(_, .repeatedCorner): .warning
    default: .error
    }
  }
}

extension Ring {
  /// Whether the corners go around the inside clockwise, as seen on a map with north above; false
  /// around a pole, where this has no meaning.
  fileprivate var isClockwise: Bool {
    guard pole == nil else { return false }
    // Twice the area in square degrees, by trapezoids under the edges.
    var area = 0.0
    for (start, end) in zip(corners, corners.dropFirst() + corners.prefix(1)) {
      var turn = end.longitude - start.longitude
      if turn > 180 { turn -= 360 } else if turn < -180 { turn += 360 }
      area += turn * (start.latitude + end.latitude)
    }
    return area > 0
  }
}

extension Fence.Area {
  /// The center of a circle, or a corner of a polygon.
  var anyCorner: Coordinate {
    switch self {
    case .circle(let center, _): center
    case .polygons(let area): area.polygons[0].outer.corners[0]
    }
  }

  /// The boxes that hold the area.
  var boxes: [Box] {
    switch self {
    case .circle(let center, let radius): Box.boxes(around: center, radius: radius)
    case .polygons(let area): Box.boxes(around: area)
    }
  }
}
