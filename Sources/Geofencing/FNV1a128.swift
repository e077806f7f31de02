/// The Fowler-Noll-Vo hash 1a of 128 bits (RFC 9923): names what is alike, hides and proves nothing.
package struct FNV1a128 {
  private var value: UInt128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d

  package init() {}

  package mutating func absorb(_ bytes: some Sequence<UInt8>) {
    for byte in bytes {
      value ^= UInt128(byte)
      value &*= 0x0000_0000_0100_0000_0000_0000_0000_013b
    }
  }

  package var high: UInt64 { UInt64(truncatingIfNeeded: value >> 64) }
  package var low: UInt64 { UInt64(truncatingIfNeeded: value) }
}
