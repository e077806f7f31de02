import Geo

/// The id of one stay of a subject in a fence, minted at the entry.
///
/// It is computed from the subject, the fence and the time of entry, so that replaying a track, in
/// one go or in pieces, before or after a crash, names the same visit alike.
public struct VisitID: Hashable, Sendable, CustomStringConvertible {
  /// The 128 bits, the higher half first.
  public let high: UInt64
  public let low: UInt64

  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Mints the id of the visit that `subject` began at `entry`.
  public init(subject: SubjectID, fence: Fence.ID, entry: Timestamp) {
    var hash = FNV1a128()
    hash.absorb(subject.rawValue.utf8)
    // A byte that UTF-8 never holds keeps ("ab", "c") and ("a", "bc") apart.
    hash.absorb(CollectionOfOne(0xff))
    hash.absorb(fence.rawValue.utf8)
    hash.absorb(CollectionOfOne(0xff))
    withUnsafeBytes(of: entry.millisecondsSince1970.littleEndian) { hash.absorb($0) }
    // Version 8 (custom) and the variant of RFC 9562, section 5.8.
    high = hash.high & ~0xf000 | 0x8000
    low = hash.low & ~(0b11 << 62) | 0b10 << 62
  }

  /// Reads the form that `description` writes; nil for any other text.
  public init?(_ text: some StringProtocol) {
    let bytes = Array(text.utf8)
    guard bytes.count == 36 else { return nil }
    var words: [UInt64] = [0, 0]
    var digits = 0
    for (index, byte) in bytes.enumerated() {
      if [8, 13, 18, 23].contains(index) {
        guard byte == UInt8(ascii: "-") else { return nil }
        continue
      }
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
      words[digits / 16] = words[digits / 16] << 4 | UInt64(digit)
      digits += 1
    }
    self.init(high: words[0], low: words[1])
  }

  /// The id in the 36 characters of a UUID, in lower case.
  public var description: String {
    let digits = Array("0123456789abcdef".utf8)
    return String(unsafeUninitializedCapacity: 36) { text in
      var shift = 60
      var word = high
      for index in 0..<36 {
        if index == 8 || index == 13 || index == 18 || index == 23 {
          text[index] = UInt8(ascii: "-")
          continue
        }
        text[index] = digits[Int(word >> UInt64(shift) & 15)]
        shift -= 4
        if shift < 0 {
          shift = 60
          word = low
        }
      }
      return 36
    }
  }
}
