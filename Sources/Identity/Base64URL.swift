import CSodium

/// Base64 with the alphabet for URLs and without padding (RFC 4648, section 5).
enum Base64URL {
  static func encode(_ bytes: [UInt8]) -> String {
    let capacity = sodium_base64_encoded_len(bytes.count, sodium_base64_VARIANT_URLSAFE_NO_PADDING)
    var text = [CChar](repeating: 0, count: capacity)
    sodium_bin2base64(
      &text, capacity, bytes, bytes.count, sodium_base64_VARIANT_URLSAFE_NO_PADDING)
    return String(decoding: text.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// The bytes that `text` is the one encoding of; nil where it is no encoding, or one with padding,
  /// spaces, or bits to spare that are set.
  static func decode(_ text: some StringProtocol) -> [UInt8]? {
    let characters = text.utf8.map { CChar(truncatingIfNeeded: $0) }
    var bytes = [UInt8](repeating: 0, count: characters.count * 3 / 4 + 1)
    var count = 0
    var end: UnsafePointer<CChar>?
    let isValid = characters.withUnsafeBufferPointer { buffer in
      let code = sodium_base642bin(
        &bytes, bytes.count, buffer.baseAddress, buffer.count, nil, &count, &end,
        sodium_base64_VARIANT_URLSAFE_NO_PADDING)
      return code == 0 && end == buffer.baseAddress.map { $0 + buffer.count }
    }
    return isValid ? Array(bytes.prefix(count)) : nil
  }
}
