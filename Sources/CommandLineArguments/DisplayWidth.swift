/// The columns that a text takes on a terminal.
///
/// East Asian wide characters and emoji take two (the main ranges of Unicode's
/// `EastAsianWidth.txt`), all others one.
func displayWidth(_ text: some StringProtocol) -> Int {
  text.reduce(0) { $0 + (isWide($1) ? 2 : 1) }
}

private func isWide(_ character: Character) -> Bool {
  guard let scalar = character.unicodeScalars.first, scalar.value >= 0x1100 else { return false }
  return wideRanges.contains { $0.contains(scalar.value) }
}

private let wideRanges: [ClosedRange<UInt32>] = [
  0x1100...0x115f, 0x2e80...0x303e, 0x3041...0xa4cf, 0xac00...0xd7a3, 0xf900...0xfaff,
  0xfe30...0xfe6f, 0xff00...0xff60, 0xffe0...0xffe6, 0x1f300...0x1f64f, 0x1f680...0x1f6ff,
  0x1f900...0x1faff, 0x20000...0x3fffd,
]

/// The text with every control character replaced, so that a name out of a file can neither move
/// the cursor nor color the screen.
public func printable(_ text: String) -> String {
  guard text.unicodeScalars.contains(where: isControl) else { return text }
  return String(
    String.UnicodeScalarView(text.unicodeScalars.map { isControl($0) ? "\u{fffd}" : $0 }))
}

private func isControl(_ scalar: Unicode.Scalar) -> Bool {
  scalar.properties.generalCategory == .control
}
