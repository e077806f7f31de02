import Geo
import JSON

/// What one item of a batch of fixes is, whose sender is told of each that is none.
package enum FixItem: Equatable, Sendable {
  case fix(DecodedFix)
  /// It gives no fix: the reason for programs, and every problem by its name.
  case refused(Reason, problems: [String])

  /// The raw value is what answers have.
  package enum Reason: String, Sendable {
    /// The item is no JSON, or no object.
    case malformed
    case lineTooLong = "line_too_long"
    /// An object, but not that of a fix.
    case invalidFix = "invalid_fix"
  }

  /// Reads an object with the names that `FixNDJSONWriter` writes.
  package init(_ value: JSONValue) {
    guard value.kind == .object else {
      self = .refused(.malformed, problems: ["an object {...} belongs here"])
      return
    }
    let draft = FixDraft(value)
    let problems = draft.problems.map(\.rawValue) + draft.otherProblems
    let decoded = draft.decoded(
      at: InputPosition(), userRangeError: HorizontalAccuracy.usualUserRangeError)
    guard problems.isEmpty, case .fix(let fix) = decoded else {
      self = .refused(.invalidFix, problems: problems)
      return
    }
    self = .fix(fix)
  }
}

/// Reads items from NDJSON, one a line, in any chunking and constant memory; blank lines are none.
package struct FixItemLines: Sendable {
  private var lines = LineSplitter(limit: 1 << 20)
  private var parser = JSONParser()

  package init() {}

  /// Takes the next bytes and appends the items that they complete.
  package mutating func read(_ bytes: [UInt8], into items: inout [FixItem]) {
    bytes.withUnsafeBytes { bytes in
      var index = 0
      while let line = lines.nextLine(in: bytes, at: &index) {
        switch line {
        case .within(let range):
          read(UnsafeRawBufferPointer(rebasing: bytes[range]), into: &items)
        case .held: readHeld(into: &items)
        case .tooLong:
          items.append(.refused(.lineTooLong, problems: ["a line may have 1 MiB"]))
        }
      }
    }
  }

  /// Takes the end and appends the item that was not ended by a line feed.
  package mutating func finish(into items: inout [FixItem]) {
    if lines.finish() { readHeld(into: &items) }
  }

  private mutating func readHeld(into items: inout [FixItem]) {
    let lines = lines
    lines.withHeld { read($0, into: &items) }
  }

  private mutating func read(_ line: UnsafeRawBufferPointer, into items: inout [FixItem]) {
    guard line.firstNonBlank != nil else { return }
    do throws(JSONSyntaxError) {
      items.append(FixItem(try parser.parse(line)))
    } catch {
      items.append(.refused(.malformed, problems: ["column \(error.column): \(error.message)"]))
    }
  }
}
