/// Routes by the segments of their paths.
///
/// A node has few children, so a segment is compared with each literal in turn. A path is looked up
/// in time of its length, and where literal and parameter both fit, both are tried.
struct RouteTree: Sendable {
  private struct Node: Sendable {
    var literals: [(text: [UInt8], node: Int)] = []
    var parameter: Int?
    var routes: [(method: HTTPMethod, index: Int)] = []
  }

  struct Match {
    /// The routes of the path by method, never empty.
    var routes: [(method: HTTPMethod, index: Int)]
    /// The decoded segments that stand for parameters, in order.
    var parameters: [Range<Int>]
  }

  private var nodes = [Node()]

  /// Whether the route was added; not when its method and path, apart from the names of
  /// parameters, are there already.
  mutating func insert(_ method: HTTPMethod, _ pattern: RoutePattern, index: Int) -> Bool {
    var node = 0
    for segment in pattern.segments { node = child(of: node, for: segment) }
    guard !nodes[node].routes.contains(where: { $0.method == method }) else { return false }
    nodes[node].routes.append((method, index))
    return true
  }

  private mutating func child(of node: Int, for segment: RoutePattern.Segment) -> Int {
    switch segment {
    case .literal(let text):
      let bytes = Array(text.utf8)
      if let known = nodes[node].literals.first(where: { $0.text == bytes }) { return known.node }
      nodes[node].literals.append((bytes, nodes.count))
    case .parameter:
      if let known = nodes[node].parameter { return known }
      nodes[node].parameter = nodes.count
    }
    nodes.append(Node())
    return nodes.count - 1
  }

  /// The routes of a path, given its decoded segments as ranges of `text`. When several patterns
  /// fit, the first with a route that `isWanted`, else the first.
  func match(
    _ segments: [Range<Int>], in text: UnsafeBufferPointer<UInt8>,
    isWanted: (HTTPMethod) -> Bool
  ) -> Match? {
    var found: Match?
    _ = search(0, segments[...], text, [], isWanted, &found)
    return found
  }

  /// True when the search is over.
  private func search(
    _ node: Int, _ segments: ArraySlice<Range<Int>>, _ text: UnsafeBufferPointer<UInt8>,
    _ parameters: [Range<Int>], _ isWanted: (HTTPMethod) -> Bool, _ found: inout Match?
  ) -> Bool {
    guard let segment = segments.first else {
      let routes = nodes[node].routes
      guard !routes.isEmpty else { return false }
      if routes.contains(where: { isWanted($0.method) }) {
        found = Match(routes: routes, parameters: parameters)
        return true
      }
      if found == nil { found = Match(routes: routes, parameters: parameters) }
      return false
    }
    let rest = segments.dropFirst()
    for literal in nodes[node].literals where literal.text.elementsEqual(text[segment]) {
      if search(literal.node, rest, text, parameters, isWanted, &found) { return true }
    }
    guard let parameter = nodes[node].parameter, !segment.isEmpty else { return false }
    return search(parameter, rest, text, parameters + [segment], isWanted, &found)
  }
}
