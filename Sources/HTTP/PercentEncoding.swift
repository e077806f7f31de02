/// Percent-encoding of RFC 3986, read strictly.
enum PercentEncoding {
  /// The bytes that were meant, or nil where a percent sign is not followed by two hexadecimal
  /// digits.
  static func decode(
    _ encoded: some Collection<UInt8>, plusIsSpace: Bool = false
  ) -> [UInt8]? {
    var decoded: [UInt8] = []
    decoded.reserveCapacity(encoded.count)
    var iterator = encoded.makeIterator()
    while let byte = iterator.next() {
      switch byte {
      case UInt8(ascii: "%"):
        guard let high = iterator.next().flatMap(hexadecimal),
          let low = iterator.next().flatMap(hexadecimal)
        else { return nil }
        decoded.append(high << 4 | low)
      case UInt8(ascii: "+") where plusIsSpace: decoded.append(UInt8(ascii: " "))
      default: decoded.append(byte)
      }
    }
    return decoded
  }

  /// The decoded text, or nil where it is malformed, has a zero in it or is not UTF-8.
  static func decodedString(
    _ encoded: some Collection<UInt8>, plusIsSpace: Bool = false
  ) -> String? {
    guard let decoded = decode(encoded, plusIsSpace: plusIsSpace), !decoded.contains(0) else {
      return nil
    }
    return String(validating: decoded, as: UTF8.self)
  }

  private static func hexadecimal(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
