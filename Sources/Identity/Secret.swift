import CSodium

/// A text that nobody may see by accident: a password, a token, a key, a hash of a password.
///
/// No description, reflection or log shows it; `revealed` is the one way to it. Two are compared in
/// a time that depends on their lengths alone.
package struct Secret: Equatable, Sendable {
  package let revealed: String

  package init(_ text: String) { revealed = text }

  package static func == (a: Secret, b: Secret) -> Bool {
    areEqual(Array(a.revealed.utf8), Array(b.revealed.utf8))
  }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  package var description: String { "(secret)" }
  package var debugDescription: String { description }
  package var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// Whether two sequences of bytes are the same, in a time that depends on their lengths alone.
func areEqual(_ a: [UInt8], _ b: [UInt8]) -> Bool {
  a.count == b.count && sodium_memcmp(a, b, a.count) == 0
}
