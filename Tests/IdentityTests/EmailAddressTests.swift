import Testing

@testable import Identity

@Suite struct EmailAddressTests {
  @Test(arguments: [
    ("ana@example.com", "ANA@Example.COM"),
    ("ana@example.com", "  ana@example.com\n"),
    // Composed, and as a keyboard may send it.
    ("rene\u{301}@example.com", "Ren\u{e9}@example.com"),
    ("\u{416}ук@example.com", "\u{436}УК@example.com"),
  ])
  func `spellings of one address have one key`(a: String, b: String) throws {
    #expect(try #require(EmailAddress(a)).key.utf8.elementsEqual(EmailAddress(b)!.key.utf8))
    #expect(EmailAddress(a) == EmailAddress(b))
  }

  @Test(arguments: [
    // Cyrillic а for a, dotless and dotted i, German ß, and f and i written as one.
    ("ana@example.com", "\u{430}na@example.com"),
    ("iris@example.com", "\u{131}ris@example.com"),
    ("iris@example.com", "\u{130}ris@example.com"),
    ("strasse@example.com", "stra\u{df}e@example.com"),
    ("fi@example.com", "\u{fb01}@example.com"),
    ("silas@example.com", "\u{17f}ilas@example.com"),
    ("ana@example.com", "\u{ff41}na@example.com"),
  ])
  func `look-alikes are other addresses`(a: String, b: String) throws {
    let first = try #require(EmailAddress(a))
    let second = try #require(EmailAddress(b))
    #expect(first != second)
  }

  @Test(arguments: [
    "", "ana", "@", "ana@", "@example.com", "a@b@c", "an a@example.com", "ana@exam\u{a0}ple.com",
    "ana\u{0}@example.com", "ana@example.com\u{200b}x", "an\u{ad}a@example.com",
    // The Kelvin sign is a K to Unicode, the Angstrom sign an Å.
    "quac\u{212a}@example.com", "\u{212b}sa@example.com",
    String(repeating: "a", count: 243) + "@example.com",
  ])
  func `what is no address is refused`(text: String) {
    #expect(EmailAddress(text) == nil)
  }

  @Test func `the longest address has 254 bytes`() {
    #expect(EmailAddress(String(repeating: "a", count: 242) + "@example.com") != nil)
  }

  @Test func `the entered form is kept for mail`() {
    #expect(EmailAddress(" Ana@Example.com ")?.entered == "Ana@Example.com")
  }
}
