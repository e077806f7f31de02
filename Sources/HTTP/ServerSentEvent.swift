/// One event of a `text/event-stream`, as the HTML standard defines it.
public struct ServerSentEvent: Sendable, Equatable {
  /// What a client sends back as `Last-Event-ID`.
  public var id: String?
  /// The event's type; clients take an absent one for `message`.
  public var name: String?
  /// May have several lines.
  public var data: String
  /// How long a client waits before it connects again.
  public var retry: Duration?

  public init(id: String? = nil, name: String? = nil, data: String, retry: Duration? = nil) {
    self.id = id
    self.name = name
    self.data = data
    self.retry = retry
  }

  /// The event as it is sent. A line break in id or name becomes a space.
  public var bytes: [UInt8] {
    var text = ""
    if let id { text += "id: \(Self.oneLine(id))\n" }
    if let name { text += "event: \(Self.oneLine(name))\n" }
    if let retry {
      let milliseconds =
        retry.components.seconds * 1000 + retry.components.attoseconds / 1_000_000_000_000_000
      text += "retry: \(milliseconds)\n"
    }
    // Swift takes a carriage return and a line feed for one character, which is a line's end too.
    for line in data.split(omittingEmptySubsequences: false, whereSeparator: Self.isLineEnd) {
      text += "data: \(line)\n"
    }
    return Array((text + "\n").utf8)
  }

  private static func oneLine(_ text: String) -> String {
    String(text.map { isLineEnd($0) || $0 == "\0" ? " " : $0 })
  }

  private static func isLineEnd(_ character: Character) -> Bool {
    character == "\n" || character == "\r" || character == "\r\n"
  }
}

extension HTTPStreamWriter {
  /// Writes one event; waits while the client reads slower than events come.
  public func write(_ event: ServerSentEvent) async throws(HTTPStreamClosed) {
    try await write(event.bytes)
  }
}
