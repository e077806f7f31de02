/// The sentences that a fix can come from, or that go with it; by the last three letters of their
/// address, whoever talks.
enum SentenceKind: UInt32 {
  case rmc = 0x52_4d43
  case gga = 0x47_4741
  case gll = 0x47_4c4c
  case gns = 0x47_4e53
  case vtg = 0x56_5447
  case gsa = 0x47_5341
  case gst = 0x47_5354
  case zda = 0x5a_4441
  case gsv = 0x47_5356
  case gbs = 0x47_4253
}

/// The first field of a sentence: who talks, and what it is.
enum SentenceAddress {
  /// `talker` is two characters, the first in the upper byte.
  case standard(talker: UInt16, SentenceKind)
  /// `$P` and a manufacturer's letters.
  case proprietary
  case unsupported

  static let length = 5

  init(_ body: Slice<UnsafeRawBufferPointer>) {
    guard body.first != UInt8(ascii: "P") else {
      self = .proprietary
      return
    }
    let start = body.startIndex
    guard
      body.count > SentenceAddress.length,
      body[start + SentenceAddress.length] == UInt8(ascii: ",")
    else {
      self = .unsupported
      return
    }
    let formatter =
      UInt32(body[start + 2]) << 16 | UInt32(body[start + 3]) << 8 | UInt32(body[start + 4])
    guard let kind = SentenceKind(rawValue: formatter) else {
      self = .unsupported
      return
    }
    self = .standard(talker: UInt16(body[start]) << 8 | UInt16(body[start + 1]), kind)
  }
}
