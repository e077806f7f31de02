import CExpat
import Geo

/// One GPX document on its way through expat; the only file that knows expat.
///
/// Expat always gets whole blocks of the same length, so that the chunking of the input cannot show
/// in anything, not even where an error is found. What could make expat hold more and more is
/// refused: a tag or comment over 1 MiB, a document type definition over 64 KiB, elements nested
/// deeper than 200, more than 5000 different names. Expat itself limits what entities expand to.
///
/// `@unchecked Sendable`: its one owner, `GPXDecoder`, touches it only inside a lock, and expat calls
/// back only from within `XML_Parse`, on the same thread.
final class GPXParser: @unchecked Sendable {
  private let expat: XML_Parser
  private var block: [UInt8] = []
  private var bytesParsed = 0
  private var bytesUnderstood = 0
  private var points: GPXPointReader
  private var text: [UInt8] = []
  private var found: [Decoded] = []
  private var doctypeStart: Int?
  private var otherNames: Set<String> = []
  /// Why the parser itself stopped expat.
  private var refusal: Dropped?
  private var isOver = false

  private static let blockLength = 16_384
  private static let longestToken = 1 << 20
  private static let longestDoctype = 1 << 16
  private static let deepestNesting = 200
  private static let mostNames = 5000
  /// More than any number or time needs; what is longer is refused by their readers.
  private static let longestText = 128

  init(userRangeError: Distance) {
    guard let expat = XML_ParserCreate(nil) else { fatalError("expat got no memory") }
    self.expat = expat
    points = GPXPointReader(userRangeError: userRangeError)
    block.reserveCapacity(GPXParser.blockLength)
    text.reserveCapacity(GPXParser.longestText)
    XML_SetUserData(expat, Unmanaged.passUnretained(self).toOpaque())
    XML_SetElementHandler(expat, elementOpened, elementClosed)
    XML_SetCharacterDataHandler(expat, textFound)
    XML_SetDoctypeDeclHandler(expat, doctypeOpened, doctypeClosed)
  }

  deinit { XML_ParserFree(expat) }

  func decode(_ bytes: UnsafeRawBufferPointer, into output: inout [Decoded]) {
    var rest = bytes[...]
    while !rest.isEmpty, !isOver {
      let piece = rest.prefix(GPXParser.blockLength - block.count)
      block.append(contentsOf: piece)
      rest = rest.dropFirst(piece.count)
      if block.count == GPXParser.blockLength { parseBlock(isLast: false) }
    }
    output.append(contentsOf: found)
    found.removeAll(keepingCapacity: true)
  }

  func finish(into output: inout [Decoded]) {
    if !isOver { parseBlock(isLast: true) }
    isOver = true
    output.append(contentsOf: found)
    found = []
  }

  private func parseBlock(isLast: Bool) {
    let status = block.withUnsafeBytes { bytes in
      XML_Parse(
        expat, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(bytes.count),
        isLast ? 1 : 0)
    }
    bytesParsed += block.count
    block.removeAll(keepingCapacity: true)
    if status == XML_STATUS_OK { checkWhatIsHeld() }
    if let refusal {
      found.append(.dropped(refusal))
      isOver = true
    } else if status != XML_STATUS_OK {
      found.append(.dropped(failure))
      isOver = true
    }
  }

  private func checkWhatIsHeld() {
    // Expat has no index while it waits for more of a token before it looks at it again.
    let index = Int(XML_GetCurrentByteIndex(expat))
    if index >= 0 { bytesUnderstood = index }
    if bytesParsed - bytesUnderstood > GPXParser.longestToken {
      refuse(.malformed, "a tag or comment longer than 1 MiB")
    } else if let doctypeStart, bytesParsed - doctypeStart > GPXParser.longestDoctype {
      refuse(.malformed, "a document type definition longer than 64 KiB")
    }
  }

  private var failure: Dropped {
    let code = XML_GetErrorCode(expat)
    let text = XML_ErrorString(code).map { String(cString: $0) } ?? "XML error \(code.rawValue)"
    return Dropped(
      reason: code == XML_ERROR_UNKNOWN_ENCODING ? .wrongEncoding : .malformed,
      position: position, detail: text)
  }

  private var position: InputPosition {
    InputPosition(
      byteOffset: max(0, Int(XML_GetCurrentByteIndex(expat))),
      line: Int(XML_GetCurrentLineNumber(expat)), column: Int(XML_GetCurrentColumnNumber(expat)) + 1
    )
  }

  private func refuse(_ reason: Dropped.Reason, _ detail: String) {
    guard refusal == nil else { return }
    refusal = Dropped(reason: reason, position: position, detail: detail)
    _ = XML_StopParser(expat, XML_Bool(0))
  }
}

// What expat calls back. After a refusal it may still deliver the rest of a tag.
extension GPXParser {
  fileprivate func open(name: UnsafePointer<CChar>, attributes: Attributes) {
    guard refusal == nil else { return }
    let localName = GPXParser.localName(name)
    let element = GPXElement(localName: localName)
    if points.depth == 0 {
      guard case .root = element else {
        return refuse(.unknownFormat, "the document is <\(localName.prefix(40))>, not <gpx>")
      }
    }
    text.removeAll(keepingCapacity: true)
    switch element {
    case .trackPoint:
      var latitude = NumberReading.missing
      var longitude = NumberReading.missing
      forEach(attributes) { name, value in
        switch GPXParser.localName(name) {
        case "lat": latitude = NumberReading(GPXParser.bytes(of: value).span)
        case "lon": longitude = NumberReading(GPXParser.bytes(of: value).span)
        case let other: count(other)
        }
      }
      points.openPoint(latitude: latitude, longitude: longitude, at: position)
    case .other:
      count(localName)
      fallthrough
    default:
      forEach(attributes) { name, _ in count(String(cString: name)) }
      points.open(element)
    }
    if points.depth > GPXParser.deepestNesting {
      refuse(.malformed, "elements nested more than \(GPXParser.deepestNesting) deep")
    }
  }

  fileprivate func close() {
    guard refusal == nil else { return }
    if let decoded = points.close(text: text.span) { found.append(decoded) }
    text.removeAll(keepingCapacity: true)
  }

  fileprivate func append(_ more: UnsafeRawBufferPointer) {
    guard points.wantsText else { return }
    let more = text.isEmpty ? more.drop { $0.isBlank } : more[...]
    text.append(contentsOf: more.prefix(GPXParser.longestText - text.count))
  }

  fileprivate func openDoctype() { doctypeStart = max(0, Int(XML_GetCurrentByteIndex(expat))) }
  fileprivate func closeDoctype() { doctypeStart = nil }

  fileprivate typealias Attributes = UnsafeMutablePointer<UnsafePointer<CChar>?>

  /// Expat keeps every name that it has seen for the life of the parser.
  private func count(_ name: String) {
    guard otherNames.count <= GPXParser.mostNames else {
      return refuse(.malformed, "more than \(GPXParser.mostNames) different names")
    }
    otherNames.insert(name)
  }

  private func forEach(
    _ attributes: Attributes, _ body: (UnsafePointer<CChar>, UnsafePointer<CChar>) -> Void
  ) {
    var index = 0
    while let name = attributes[index], let value = attributes[index + 1] {
      body(name, value)
      index += 2
    }
  }

  private static func localName(_ name: UnsafePointer<CChar>) -> String {
    var start = name
    var next = name
    while next.pointee != 0 {
      if next.pointee == CChar(UInt8(ascii: ":")) { start = next + 1 }
      next += 1
    }
    return String(cString: start)
  }

  private static func bytes(of text: UnsafePointer<CChar>) -> UnsafeBufferPointer<UInt8> {
    var length = 0
    while text[length] != 0 { length += 1 }
    return UnsafeRawBufferPointer(start: text, count: length).assumingMemoryBound(to: UInt8.self)
  }
}

private func parser(_ context: UnsafeMutableRawPointer?) -> GPXParser? {
  context.map { Unmanaged<GPXParser>.fromOpaque($0).takeUnretainedValue() }
}

private func elementOpened(
  context: UnsafeMutableRawPointer?, name: UnsafePointer<CChar>?,
  attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>?
) {
  guard let name, let attributes else { return }
  parser(context)?.open(name: name, attributes: attributes)
}

private func elementClosed(context: UnsafeMutableRawPointer?, name: UnsafePointer<CChar>?) {
  parser(context)?.close()
}

private func textFound(
  context: UnsafeMutableRawPointer?, text: UnsafePointer<CChar>?, length: CInt
) {
  parser(context)?.append(UnsafeRawBufferPointer(start: text, count: Int(length)))
}

private func doctypeOpened(
  context: UnsafeMutableRawPointer?, name: UnsafePointer<CChar>?, systemID: UnsafePointer<CChar>?,
  publicID: UnsafePointer<CChar>?, hasInternalSubset: CInt
) {
  parser(context)?.openDoctype()
}

private func doctypeClosed(context: UnsafeMutableRawPointer?) {
  parser(context)?.closeDoctype()
}
