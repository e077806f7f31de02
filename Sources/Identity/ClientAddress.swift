import Glibc

/// From where a client speaks, and the network that limits count for one.
package struct ClientAddress: Hashable, Sendable {
  package let text: String
  /// An IPv4 address as it is; of an IPv6 address the first 64 bits, for one household or attacker
  /// has all that begin so; any other text as it is.
  let network: String

  package init(_ text: String) {
    self.text = text
    var bytes = [UInt8](repeating: 0, count: 16)
    guard inet_pton(AF_INET6, text, &bytes) == 1 else {
      network = text
      return
    }
    let mappedIPv4: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff]
    if bytes.starts(with: mappedIPv4) {
      network = bytes.suffix(4).map(String.init).joined(separator: ".")
    } else {
      network =
        bytes.prefix(8).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + "/64"
    }
  }
}
