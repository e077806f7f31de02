/// Who talks: the first two characters of a sentence's address, as `GP` or `II`.
public struct NMEATalker: Hashable, Sendable {
  /// The first character in the upper byte.
  let code: UInt16

  /// `GN`: a receiver of several satellite systems.
  public static let satellites = NMEATalker(code: 0x474e)

  private init(code: UInt16) { self.code = code }

  /// Nil unless the text is two capitals or digits, and not `P`, which is no talker but starts the
  /// sentences of manufacturers.
  public init?(_ text: String) {
    let characters = Array(text.utf8)
    let isValid = characters.allSatisfy { (48...57).contains($0) || (65...90).contains($0) }
    guard characters.count == 2, isValid, characters[0] != 0x50 else { return nil }
    code = UInt16(characters[0]) << 8 | UInt16(characters[1])
  }

  var characters: [UInt8] { [UInt8(code >> 8), UInt8(truncatingIfNeeded: code)] }
}
