import Geo
import JSON

/// A line of the log: what happened, for programs, and its particulars.
///
/// It never has a coordinate, a token or the query of a request.
package struct LogLine: Sendable {
  package enum Level: String, Sendable {
    case info, warning, error
  }

  package let level: Level
  /// In words joined by underscores, the same whenever it happens.
  package let event: String
  package let fields: [(name: String, value: String)]

  package init(_ level: Level, _ event: String, _ fields: (name: String, value: String)...) {
    self.level = level
    self.event = event
    self.fields = fields
  }

  /// The line as JSON, with its end.
  package func bytes(at time: Timestamp) -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.member("time", time.description)
      json.member("level", level.rawValue)
      json.member("event", event)
      for field in fields {
        json.name(escaping: field.name)
        json.value(field.value)
      }
    }
    json.endLine()
    return json.bytes
  }
}
