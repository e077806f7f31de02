import Testing

@testable import Identity

@Suite struct DigestTests {
  /// FIPS 180-4's examples, as NIST publishes them.
  @Test func `SHA-256 gives the published digests`() {
    #expect(
      hex(sha256("abc".utf8)) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(
      hex(sha256([])) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
  }

  @Test func `HMAC-SHA256 gives RFC 4231's codes, with keys shorter and longer than a block`() {
    #expect(
      hex(hmacSHA256(Array("what do ya want for nothing?".utf8), key: Array("Jefe".utf8)))
        == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
    let long = [UInt8](repeating: 0xaa, count: 131)
    #expect(
      hex(
        hmacSHA256(
          Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8), key: long))
        == "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54")
  }

  @Test(arguments: [
    ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy"),
  ])
  func `base64url gives RFC 4648's texts without padding`(bytes: String, text: String) {
    #expect(Base64URL.encode(Array(bytes.utf8)) == text)
    #expect(Base64URL.decode(text) == Array(bytes.utf8))
  }

  @Test(arguments: ["Zg==", "Zh", "Z", "Zm9v ", "Zm 9v", "+/+/", "Zm9v\n", "Zm9\u{0}"])
  func `base64url takes one spelling only`(text: String) {
    #expect(Base64URL.decode(text) == nil)
  }

  @Test func `base64url has - and _ for + and slash`() {
    #expect(Base64URL.encode([0xfb, 0xff, 0xfe]) == "-__-")
    #expect(Base64URL.decode("-__-") == [0xfb, 0xff, 0xfe])
  }

  private func hex(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
