import Geo

/// Puts track points together from the tags and texts of a GPX document.
///
/// Counts depth instead of names, so that a closing tag needs no look at its name.
struct GPXPointReader {
  private(set) var depth = 0
  private var point: OpenPoint?
  private var extensionsDepth: Int?
  private var leaf: (element: GPXLeaf, depth: Int)?
  private var times = LooseTimeReader()
  private let userRangeError: Distance

  private struct OpenPoint {
    let depth: Int
    let position: InputPosition
    var draft: FixDraft
  }

  init(userRangeError: Distance) { self.userRangeError = userRangeError }

  /// Whether the text between the tags now matters.
  var wantsText: Bool { leaf != nil }

  /// Takes the opening tag of anything but a track point.
  mutating func open(_ element: GPXElement) {
    depth += 1
    guard let point, leaf == nil else { return }
    switch element {
    case .extensions where extensionsDepth == nil: extensionsDepth = depth
    case .leaf(let element)
    where depth == point.depth + 1 || (extensionsDepth != nil && element.isExtension):
      leaf = (element, depth)
    default: break
    }
  }

  /// Takes the opening tag of a track point.
  mutating func openPoint(
    latitude: NumberReading, longitude: NumberReading, at position: InputPosition
  ) {
    depth += 1
    guard point == nil else { return }
    var draft = FixDraft()
    draft.latitude = latitude
    draft.longitude = longitude
    point = OpenPoint(depth: depth, position: position, draft: draft)
  }

  /// Takes a closing tag and the text before it, and returns what it completes.
  mutating func close(text: Span<UInt8>) -> Decoded? {
    defer { depth -= 1 }
    if let leaf, leaf.depth == depth {
      self.leaf = nil
      note(text, of: leaf.element)
      return nil
    }
    if extensionsDepth == depth {
      extensionsDepth = nil
      return nil
    }
    guard let point, point.depth == depth else { return nil }
    self.point = nil
    return point.draft.decoded(at: point.position, userRangeError: userRangeError)
  }

  private mutating func note(_ text: Span<UInt8>, of element: GPXLeaf) {
    switch element {
    // GPX has its times in UTC, so one without a zone is in UTC too.
    case .time: point?.draft.time = times.read(text, assumingUTC: true)
    case .elevation: point?.draft.altitudeInMeters = NumberReading(text).value
    case .speed: point?.draft.speedInMetersPerSecond = NumberReading(text).value
    case .course: point?.draft.courseInDegrees = NumberReading(text).value
    case .hdop: point?.draft.hdop = NumberReading(text).value
    case .accuracy: point?.draft.accuracy = NumberReading(text)
    case .source:
      if let source = Fix.Source(rawValue: text.trimmedLowercase) { point?.draft.source = source }
    case .simulated: point?.draft.isSimulated = ["true", "1"].contains(text.trimmedLowercase)
    case .fix:
      switch text.trimmedLowercase {
      case "none": point?.draft.saysNoFix = true
      case "dgps": point?.draft.source = .differentialGPS
      case "2d", "3d", "pps": point?.draft.source = .gps
      default: break
      }
    }
  }
}
