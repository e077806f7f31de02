import Geo

/// Fences whose latitude and longitude are probably exchanged.
///
/// Stores of one owner stand together. So a place with few others around, which has many around it
/// when it is exchanged, is one that was typed in the wrong order. Counted is in the nine cells of
/// one degree around a place. South of 60 degrees south there are no stores: that alone says so.
struct SwapSearch {
  private(set) var findings: [FenceFinding] = []

  private struct Cell: Hashable {
    let row: Int
    let column: Int

    init(latitude: Double, longitude: Double) {
      row = Int(latitude.rounded(.down))
      column = Cell.folded(Int(longitude.rounded(.down)))
    }

    private init(row: Int, column: Int) {
      self.row = row
      self.column = Cell.folded(column)
    }

    private static func folded(_ column: Int) -> Int {
      column < -180 ? column + 360 : column >= 180 ? column - 360 : column
    }

    var neighborhood: [Cell] {
      (-1...1).flatMap { north in
        (-1...1).map { Cell(row: row + north, column: column + $0) }
      }
    }
  }

  init(_ fences: [Fence]) {
    var counts: [Cell: Int] = [:]
    for fence in fences {
      let place = fence.area.anyCorner
      counts[Cell(latitude: place.latitude, longitude: place.longitude), default: 0] += 1
    }
    var around: [Cell: Int] = [:]
    func count(_ cell: Cell) -> Int {
      if let known = around[cell] { return known }
      let sum = cell.neighborhood.reduce(0) { $0 + (counts[$1] ?? 0) }
      around[cell] = sum
      return sum
    }
    for fence in fences {
      let place = fence.area.anyCorner
      guard abs(place.longitude) <= 90 else { continue }
      let here = Cell(latitude: place.latitude, longitude: place.longitude)
      let there = Cell(latitude: place.longitude, longitude: place.latitude)
      // On the diagonal both are the same place, more or less.
      if here.neighborhood.contains(there) { continue }
      let isInAntarctica = place.latitude < -60 && place.longitude > -60
      let others = count(there)
      guard isInAntarctica || (others >= 2 && others > count(here)) else { continue }
      let why =
        isInAntarctica
        ? "lies in Antarctica" : "stands apart from the others, and among them when exchanged"
      findings.append(
        FenceFinding(
          .error, .looksSwapped, fence.id,
          "\(why); latitude \(place.latitude) and longitude \(place.longitude) look exchanged, in"
            + " GeoJSON longitude comes first"))
    }
  }
}
