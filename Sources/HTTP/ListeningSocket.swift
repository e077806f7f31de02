import Glibc

/// A bound, listening socket, made here rather than by the library so that a failure has a reason
/// and a second server can take it over.
struct ListeningSocket {
  let descriptor: Int32
  let port: Int

  init(address: String, port: Int) throws(HTTPServerError) {
    var storage = sockaddr_storage()
    let length: socklen_t
    var v4 = sockaddr_in()
    var v6 = sockaddr_in6()
    guard (0...65535).contains(port) else {
      throw .listeningFailed(address: address, port: port, reason: "ports are 0 to 65535")
    }
    if inet_pton(AF_INET, address, &v4.sin_addr) == 1 {
      v4.sin_family = sa_family_t(AF_INET)
      v4.sin_port = UInt16(port).bigEndian
      length = socklen_t(MemoryLayout<sockaddr_in>.size)
      withUnsafeMutableBytes(of: &storage) { target in
        withUnsafeBytes(of: v4) { target.copyMemory(from: $0) }
      }
    } else if inet_pton(AF_INET6, address, &v6.sin6_addr) == 1 {
      v6.sin6_family = sa_family_t(AF_INET6)
      v6.sin6_port = UInt16(port).bigEndian
      length = socklen_t(MemoryLayout<sockaddr_in6>.size)
      withUnsafeMutableBytes(of: &storage) { target in
        withUnsafeBytes(of: v6) { target.copyMemory(from: $0) }
      }
    } else {
      throw .addressMalformed(address)
    }
    let type = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    let descriptor = socket(Int32(storage.ss_family), type, 0)
    guard descriptor >= 0 else { throw Self.error(errno, address, port) }
    var (on, off): (Int32, Int32) = (1, 0)
    let size = socklen_t(MemoryLayout<Int32>.size)
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, size)
    if storage.ss_family == sa_family_t(AF_INET6) {
      setsockopt(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &off, size)
    }
    let isListening = withUnsafePointer(to: &storage) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) == 0 }
    }
    guard isListening, listen(descriptor, 1024) == 0 else {
      let code = errno
      Glibc.close(descriptor)
      throw Self.error(code, address, port)
    }
    self.descriptor = descriptor
    self.port = Self.port(of: descriptor) ?? port
  }

  func close() { Glibc.close(descriptor) }

  private static func port(of descriptor: Int32) -> Int? {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let isKnown = withUnsafeMutablePointer(to: &storage) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        getsockname(descriptor, $0, &length) == 0
      }
    }
    guard isKnown else { return nil }
    // The port lies at the same place for both families.
    return withUnsafeBytes(of: storage) {
      Int(UInt16(bigEndian: $0.loadUnaligned(fromByteOffset: 2, as: UInt16.self)))
    }
  }

  private static func error(_ code: Int32, _ address: String, _ port: Int) -> HTTPServerError {
    switch code {
    case EADDRINUSE: .addressInUse(address: address, port: port)
    case EADDRNOTAVAIL: .addressUnavailable(address: address)
    case EACCES: .portForbidden(port: port)
    default:
      .listeningFailed(address: address, port: port, reason: String(cString: strerror(code)))
    }
  }
}
