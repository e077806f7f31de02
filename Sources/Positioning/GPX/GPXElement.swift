/// The elements that matter in a GPX document, by their local names: the prefix and the namespace
/// differ from writer to writer.
enum GPXElement: Sendable {
  case root
  case trackPoint
  case extensions
  /// One whose text is read, where it stands in a track point.
  case leaf(GPXLeaf)
  case other

  init(localName: String) {
    switch localName {
    case "gpx": self = .root
    case "trkpt": self = .trackPoint
    case "extensions": self = .extensions
    default: self = GPXLeaf(rawValue: localName).map { .leaf($0) } ?? .other
    }
  }
}

/// An element whose text says something about its track point.
enum GPXLeaf: String, Sendable {
  case time
  case elevation = "ele"
  case speed
  case course
  case hdop
  case fix
  case source = "src"
  case accuracy
  case simulated

  /// Whether it counts inside `extensions` too, where the writers of GPX 1.1 put it.
  var isExtension: Bool {
    switch self {
    case .speed, .course, .accuracy, .simulated: true
    case .time, .elevation, .hdop, .fix, .source: false
    }
  }
}
