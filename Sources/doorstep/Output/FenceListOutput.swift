import CommandLineArguments
import Geo
import Geofencing
import Glibc
import JSON

/// Lists of fences: a table for people, a line each for programs.
struct FenceListOutput {
  private let asJSON: Bool
  private let showsDistance: Bool
  private var table: TextTable
  private var json = JSONWriter()
  private var isEmpty = true

  init(asJSON: Bool, showsDistance: Bool = false) {
    self.asJSON = asJSON
    self.showsDistance = showsDistance
    let distances: [TextTable.Column] =
      showsDistance ? [.init("distance m", .right), .init("to go m", .right)] : []
    table = TextTable(
      columns: [.init("id"), .init("name"), .init("area")] + distances + [.init("time zone")])
  }

  mutating func add(_ fence: Fence) { add(fence, match: nil) }

  mutating func add(_ match: FenceSet.Match) { add(match.fence, match: match) }

  private mutating func add(_ fence: Fence, match: FenceSet.Match?) {
    isEmpty = false
    guard asJSON else {
      let distances = match.map { match in
        [match.distance, match.distanceToGo].map { "\(($0.meters * 10).rounded() / 10)" }
      }
      table.append(
        [fence.id.rawValue, fence.name, area(of: fence)] + (distances ?? [])
          + [fence.timeZone ?? "-"])
      return
    }
    json.object { json in
      json.member("id", fence.id.rawValue)
      json.member("name", fence.name)
      switch fence.area {
      case .circle(let center, let radius):
        json.member("kind", "circle")
        json.member("lat", center.latitude)
        json.member("lng", center.longitude)
        json.member("radiusMeters", radius.meters)
      case .polygons(let polygons):
        json.member("kind", polygons.polygons.count == 1 ? "polygon" : "multipolygon")
      }
      if let timeZone = fence.timeZone { json.member("timeZone", timeZone) }
      if let match {
        json.member("inside", match.isInside)
        json.member("distanceMeters", (match.distance.meters * 1000).rounded() / 1000)
        json.member("distanceToGoMeters", (match.distanceToGo.meters * 1000).rounded() / 1000)
        json.member("normalizedDistance", match.normalizedDistance)
      }
    }
    json.endLine()
  }

  private func area(of fence: Fence) -> String {
    switch fence.area {
    case .circle(let center, let radius):
      "circle of \(Int(radius.meters.rounded())) m at \(center)"
    case .polygons(let polygons):
      polygons.polygons.count == 1
        ? "polygon of \(polygons.polygons[0].outer.corners.count) corners"
        : "\(polygons.polygons.count) polygons"
    }
  }

  mutating func finish() throws(CommandFailure) {
    var output = StandardOutput()
    if asJSON {
      try output.write(json.bytes)
    } else if isEmpty {
      try output.line("no fences")
    } else {
      for line in table.lines(style: Diagnostics.style(of: STDOUT_FILENO)) {
        try output.line(line)
      }
    }
    try output.flush()
  }
}
