/// Rows of text in aligned columns, for people.
public struct TextTable: Sendable {
  public enum Alignment: Sendable {
    case left
    /// For numbers.
    case right
  }

  public struct Column: Sendable {
    let title: String
    let alignment: Alignment

    public init(_ title: String, _ alignment: Alignment = .left) {
      self.title = title
      self.alignment = alignment
    }
  }

  private let columns: [Column]
  private var rows: [[String]] = []

  public init(columns: [Column]) { self.columns = columns }

  /// Adds a row below; control characters in it are replaced.
  ///
  /// Traps where it has not one cell for each column.
  public mutating func append(_ cells: [String]) {
    precondition(
      cells.count == columns.count, "\(cells.count) cells for \(columns.count) columns")
    rows.append(cells.map(printable))
  }

  /// The lines, titles first, two spaces between columns, none at the end of a line.
  public func lines(style: TerminalStyle = .plain) -> [String] {
    let titles = columns.map(\.title)
    let widths = columns.indices.map { index in
      ([titles] + rows).map { displayWidth($0[index]) }.max() ?? 0
    }
    return [style.bold(line(titles, widths: widths))] + rows.map { line($0, widths: widths) }
  }

  private func line(_ cells: [String], widths: [Int]) -> String {
    let padded = cells.indices.map { index in
      let padding = String(repeating: " ", count: widths[index] - displayWidth(cells[index]))
      return columns[index].alignment == .left ? cells[index] + padding : padding + cells[index]
    }
    let line = padded.joined(separator: "  ")
    return String(line.reversed().drop { $0 == " " }.reversed())
  }
}
