import Foundation

/// An answer taken apart.
struct Answer {
  let status: Int
  /// By names in lower case.
  let fields: [String: String]
  /// What follows the header fields, chunks joined.
  let body: String

  init(_ text: String) {
    guard let end = text.range(of: "\r\n\r\n") else {
      (status, fields, body) = (0, [:], "")
      return
    }
    let lines = text[..<end.lowerBound].components(separatedBy: "\r\n")
    status = Int(lines[0].split(separator: " ").dropFirst().first ?? "") ?? 0
    var fields: [String: String] = [:]
    for line in lines.dropFirst() {
      let parts = line.components(separatedBy: ": ")
      fields[parts[0].lowercased()] = parts.dropFirst().joined(separator: ": ")
    }
    self.fields = fields
    let rest = String(text[end.upperBound...])
    body = fields["transfer-encoding"] == "chunked" ? Self.joined(rest) : rest
  }

  /// The chunks that are there, without their sizes.
  private static func joined(_ text: String) -> String {
    var rest = Array(text.utf8)[...]
    var body: [UInt8] = []
    while let end = rest.firstIndex(of: 10) {
      let line = String(decoding: rest[..<end], as: UTF8.self).trimmingCharacters(in: .whitespaces)
      guard let size = Int(line.replacingOccurrences(of: "\r", with: ""), radix: 16), size > 0
      else { break }
      let chunk = rest[(end + 1)...].prefix(size)
      body += chunk
      rest = rest[(end + 1)...].dropFirst(size + 2)
    }
    return String(decoding: body, as: UTF8.self)
  }
}
