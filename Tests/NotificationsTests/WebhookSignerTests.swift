import Geo
import TestSupport
import Testing

@testable import Notifications

@Suite struct WebhookSignerTests {
  private let signer = WebhookSigner(secret: secret)
  private let body = Array(#"{"id":"1"}"#.utf8)

  // printf '1772452800.{"id":"1"}' | openssl dgst -sha256 -hmac 'a secret that was shown once'
  private let header =
    "t=1772452800,v1=7f4c3f96afa100f2b5e2a280314f8eaad9539a7bee5c4df88028c9c561bba426"

  @Test func `the signature is that of another implementation`() {
    #expect(signer.header(for: body, at: noon) == header)
    #expect(signer.header(for: body, at: noon.advanced(byMilliseconds: 999)) == header)
  }

  @Test func `a key longer than a block of the hash is hashed first`() {
    // The same with openssl and 200 letters x.
    let long = WebhookSigner(secret: String(repeating: "x", count: 200))
    #expect(
      long.header(for: body, at: noon)
        == "t=1772452800,v1=5cbbf3b9e7ed9f7540befe4dafc37807f9fdc727e810de2b8ad8804ea1a91c98")
  }

  @Test func `a signature holds for five minutes either way`() throws {
    for seconds in [-300.0, 0, 300] {
      try signer.verify(header: header, body: body, at: noon.advanced(bySeconds: seconds))
    }
    for seconds in [-301.0, 301] {
      #expect(throws: WebhookSigner.Problem.outOfTime) {
        try signer.verify(header: header, body: body, at: noon.advanced(bySeconds: seconds))
      }
    }
  }

  @Test func `any change of body, time, signature or secret is found`() throws {
    var changed = body
    changed[3] ^= 1
    let others: [(String, [UInt8], WebhookSigner)] = [
      (header, changed, signer), (header, [], signer),
      (header.replacing("t=1772452800", with: "t=1772452801"), body, signer),
      (header.replacing("t=1772452800", with: "t=+1772452800"), body, signer),
      (String(header.dropLast()) + "0", body, signer),
      (
        header.replacing("v1=", with: "v1=").uppercased().replacing("T=", with: "t=")
          .replacing("V1=", with: "v1="), body, signer
      ),
      (header, body, WebhookSigner(secret: secret + "!")),
      (header, body, WebhookSigner(secret: "")),
    ]
    for (header, body, signer) in others {
      #expect(throws: WebhookSigner.Problem.mismatch) {
        try signer.verify(header: header, body: body, at: noon)
      }
    }
  }

  @Test(arguments: [
    "", "t=1", "v1=00", "t=1772452800,v1=", "t=x,v1=\(String(repeating: "0", count: 64))",
    "t=1,t=1,v1=\(String(repeating: "0", count: 64))", "t=1772452800,v1=00,v2=00",
    "t=99999999999999999999,v1=\(String(repeating: "0", count: 64))",
  ])
  func `a header of another form is refused`(header: String) {
    #expect(throws: WebhookSigner.Problem.malformed) {
      try signer.verify(header: header, body: body, at: noon)
    }
  }

  @Test func `the farthest times do not overflow`() {
    let far = "t=\(Int64.min),v1=\(String(repeating: "0", count: 64))"
    #expect(throws: WebhookSigner.Problem.mismatch) {
      try signer.verify(header: far, body: body, at: noon)
    }
  }
}
