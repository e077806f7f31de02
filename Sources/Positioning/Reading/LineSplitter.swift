import Glibc

/// Splits a stream into lines that end with LF, in any chunking, and holds at most one line.
///
/// A line that lies within one piece of input is not copied. A CR before the LF stays with the line.
struct LineSplitter: Sendable {
  private let limit: Int
  private var held: [UInt8] = []
  private var isSkipping = false
  /// The line was given, so that what comes is the next.
  private var isComplete = false
  private var next = InputPosition()

  /// Where the line that was given last begins.
  private(set) var position = InputPosition()

  enum Line {
    /// The line is this part of the piece.
    case within(Range<Int>)
    /// The line began in a piece before; `withHeld` has it.
    case held
    /// The line is over the limit; it is passed over up to its end.
    case tooLong
  }

  init(limit: Int) { self.limit = limit }

  func withHeld<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    held.withUnsafeBytes(body)
  }

  /// The next line that ends in the piece, from `index` on; nil where none does.
  mutating func nextLine(in bytes: UnsafeRawBufferPointer, at index: inout Int) -> Line? {
    while index < bytes.count {
      if isComplete { startLine() }
      let end = LineSplitter.lineFeed(in: bytes, from: index)
      let piece = index..<(end ?? bytes.count)
      index = end.map { $0 + 1 } ?? bytes.count
      next.byteOffset += index - piece.lowerBound
      isComplete = end != nil
      if isComplete { next.line += 1 }

      if isSkipping {
        isSkipping = !isComplete
      } else if held.count + piece.count > limit {
        isSkipping = !isComplete
        held.removeAll(keepingCapacity: true)
        return .tooLong
      } else if isComplete, held.isEmpty {
        return .within(piece)
      } else {
        held.append(contentsOf: bytes[piece])
        if isComplete { return .held }
      }
    }
    return nil
  }

  /// Whether the input ended with a line that has no LF; `withHeld` has it.
  mutating func finish() -> Bool {
    if isComplete { startLine() }
    isComplete = true
    return !held.isEmpty
  }

  private mutating func startLine() {
    held.removeAll(keepingCapacity: true)
    isComplete = false
    position = next
  }

  private static func lineFeed(in bytes: UnsafeRawBufferPointer, from index: Int) -> Int? {
    guard let base = bytes.baseAddress,
      let found = memchr(base + index, Int32(UInt8.lineFeed), bytes.count - index)
    else { return nil }
    return UnsafeRawPointer(found) - base
  }
}
