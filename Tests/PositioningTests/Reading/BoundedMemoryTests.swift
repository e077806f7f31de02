import Positioning
import Testing

/// What a decoder holds must not grow with its input; GPX has its limits in `GPXLimitTests`.
struct BoundedMemoryTests {
  struct Endless: CustomTestStringConvertible {
    let testDescription: String
    let make: @Sendable () -> any FixDecoder
    let head: String
    /// Repeated to 1.2 MB.
    let body: String
    let mostBytesHeld: Int
  }

  static let inputs = [
    Endless(
      testDescription: "fixes in CSV", make: { FixCSVDecoder() }, head: "time,lat,lng\n",
      body: "1,2,3\n4,95,6\n", mostBytesHeld: 1000),
    Endless(
      testDescription: "a quote in CSV", make: { FixCSVDecoder() }, head: "time,lat,lng\n1,2,\"",
      body: "more\n", mostBytesHeld: 70_000),
    Endless(
      testDescription: "a header in CSV", make: { FixCSVDecoder() }, head: "time,lat,lng",
      body: ",more", mostBytesHeld: 1000),
    Endless(
      testDescription: "separators in CSV", make: { FixCSVDecoder() }, head: "time,lat,lng\n",
      body: ",,,,,", mostBytesHeld: 70_000),
    Endless(
      testDescription: "comments before CSV", make: { FixCSVDecoder() }, head: "",
      body: "# more\n", mostBytesHeld: 1000),
    Endless(
      testDescription: "a line of NDJSON", make: { FixNDJSONDecoder() }, head: "{\"lat\":[",
      body: "1,", mostBytesHeld: 1 << 20),
    Endless(
      testDescription: "a line of gpsd", make: { GPSDJSONDecoder() }, head: "{\"class\":[",
      body: "1,", mostBytesHeld: 1 << 16),
    Endless(
      testDescription: "noise", make: { TraceDecoder() }, head: "", body: "noise\n",
      mostBytesHeld: 1000),
  ]

  @Test(arguments: inputs)
  func `endless input is not held`(_ input: Endless) {
    var decoder = input.make()
    var output: [Decoded] = []
    Array(input.head.utf8).withUnsafeBytes { decoder.decode($0, into: &output) }
    let piece = Array(String(repeating: input.body, count: 100_000 / input.body.utf8.count).utf8)
    for _ in 0..<12 { piece.withUnsafeBytes { decoder.decode($0, into: &output) } }
    #expect(elements(in: decoder) <= input.mostBytesHeld)
    decoder.finish(into: &output)
    #expect(!output.isEmpty)
  }

  /// The elements of all arrays in a value, at any depth.
  private func elements(in value: Any) -> Int {
    if let bytes = value as? [UInt8] { return bytes.count }
    if let array = value as? any Collection { return array.count }
    return Mirror(reflecting: value).children.reduce(0) { $0 + elements(in: $1.value) }
  }
}
