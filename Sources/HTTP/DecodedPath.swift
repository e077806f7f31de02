/// The path of a request target, checked and decoded.
struct DecodedPath {
  struct Malformed: Error {
    let reason: String
  }

  private let text: [UInt8]
  private let segments: [Range<Int>]

  /// Checks path and query of a target in origin form or absolute form.
  ///
  /// Refused are percent signs without two digits, zeros, bytes that are not UTF-8, and the segments
  /// `.` and `..`, encoded or not: clients resolve them, so one that arrives is a trick.
  static func decode(_ target: String) -> Result<DecodedPath, Malformed> {
    do throws(Malformed) {
      return .success(try DecodedPath(checking: target))
    } catch {
      return .failure(error)
    }
  }

  private init(checking target: String) throws(Malformed) {
    let origin = Self.originForm(target.utf8[...])
    let path = origin.prefix { $0 != UInt8(ascii: "?") }
    let query = origin.dropFirst(path.count + 1)
    guard path.first == UInt8(ascii: "/") else {
      throw Malformed(reason: "The path does not begin with a slash.")
    }
    let percent = UInt8(ascii: "%")
    if query.contains(percent) || query.contains(0) {
      guard PercentEncoding.decodedString(query) != nil else {
        throw Malformed(reason: "The query is not percent-encoded UTF-8.")
      }
    }
    var text: [UInt8] = []
    text.reserveCapacity(path.count)
    var segments: [Range<Int>] = []
    segments.reserveCapacity(8)
    if path.contains(percent) {
      let encoded = path.dropFirst().split(
        separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      for segment in encoded {
        guard let decoded = PercentEncoding.decodedString(segment) else {
          throw Malformed(reason: "The path is not percent-encoded UTF-8.")
        }
        let start = text.count
        text += decoded.utf8
        segments.append(start..<text.count)
      }
    } else {
      text.append(contentsOf: path)
      var start = 1
      for end in 1...text.count where end == text.count || text[end] == UInt8(ascii: "/") {
        segments.append(start..<end)
        start = end + 1
      }
      if text.contains(0) { throw Malformed(reason: "The path has a zero in it.") }
    }
    for segment in segments where segment.count < 3 && !segment.isEmpty {
      if text[segment].allSatisfy({ $0 == UInt8(ascii: ".") }) {
        throw Malformed(reason: "The path has a segment of dots in it.")
      }
    }
    if segments == [segments[0]], segments[0].isEmpty { segments = [] }
    self.text = text
    self.segments = segments
  }

  func withSegments<Result>(
    _ body: ([Range<Int>], UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result {
    text.withUnsafeBufferPointer { body(segments, $0) }
  }

  func string(_ range: Range<Int>) -> String {
    String(decoding: text[range], as: UTF8.self)
  }

  /// What follows scheme and authority, where a target names them as one sent to a proxy does.
  private static func originForm(_ target: Substring.UTF8View) -> Substring.UTF8View {
    for scheme in ["http://", "https://"] where target.starts(with: scheme.utf8) {
      let rest = target.dropFirst(scheme.utf8.count)
      return rest.drop { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
    }
    return target
  }
}
