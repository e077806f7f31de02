import CMicroHTTPD
import Glibc
import Synchronization

/// A client's connection from its acceptance to its end.
///
/// The library bounds only the time without any byte, so a client that sends a byte a second would
/// stay for ever. Each phase of a connection has a deadline here, and who is past it is cut off.
final class Connection: Sendable {
  let remoteAddress: String
  /// When the client is cut off, in monotonic nanoseconds.
  let deadline: Atomic<UInt64>
  /// Whether a request is being read, worked on or answered.
  let isBusy = Atomic(false)
  /// Nil once the library is about to close it; the number may then become another file's.
  private let descriptor: Mutex<Int32?>
  /// A second descriptor of the socket, kept to read what the client still sends.
  private let lingering = Mutex<Int32?>(nil)

  init(_ connection: OpaquePointer, deadline: UInt64) {
    remoteAddress = cmicrohttpd_client_address(connection).map(Self.numericAddress) ?? ""
    self.deadline = Atomic(deadline)
    descriptor = Mutex(cmicrohttpd_socket(connection))
  }

  func setDeadline(_ deadline: UInt64) { self.deadline.store(deadline, ordering: .relaxed) }

  /// Ends the connection from any thread; the library then sees the end and cleans up.
  func cutOff() {
    descriptor.withLock { descriptor in
      if let descriptor { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }
    }
  }

  /// Has the library read once more when the client has closed its side.
  ///
  /// It waits for the edge of an event, and takes a short read for the end of what has come. When
  /// the client's end came together with its last bytes, there is no second edge, and it would wait
  /// for the deadline. Shutting down the side that is closed already makes one.
  func notice() {
    descriptor.withLock { descriptor in
      guard let descriptor else { return }
      var polled = pollfd(fd: descriptor, events: Self.peerClosed, revents: 0)
      guard poll(&polled, 1, 0) > 0, polled.revents & Self.peerClosed != 0 else { return }
      _ = shutdown(descriptor, Int32(SHUT_RD))
    }
  }

  /// POLLRDHUP, which the C library declares for GNU sources only.
  private static let peerClosed: Int16 = 0x2000

  /// Keeps the socket open after the library closes it. A client that still sends a refused body
  /// would otherwise get a reset, which can destroy the answer before it is read.
  func linger() {
    descriptor.withLock { descriptor in
      lingering.withLock { lingering in
        if lingering == nil, let descriptor { lingering = fcntl(descriptor, F_DUPFD_CLOEXEC, 0) }
      }
    }
  }

  /// Sends bytes past the library, which must have none of its own to send.
  func sendDirectly(_ bytes: [UInt8]) {
    descriptor.withLock { descriptor in
      guard let descriptor else { return }
      _ = send(descriptor, bytes, bytes.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
    }
  }

  /// The library is about to close the socket. Gives the descriptor to linger on, if any.
  func close() -> Int32? {
    descriptor.withLock { $0 = nil }
    return lingering.withLock { lingering in
      lingering.take().flatMap { $0 >= 0 ? $0 : nil }
    }
  }

  private static func numericAddress(_ address: UnsafePointer<sockaddr>) -> String {
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    let raw = UnsafeRawPointer(address)
    if address.pointee.sa_family == sa_family_t(AF_INET6) {
      let v6 = raw + (MemoryLayout<sockaddr_in6>.offset(of: \.sin6_addr) ?? 8)
      inet_ntop(AF_INET6, v6, &text, socklen_t(text.count))
    } else {
      let v4 = raw + (MemoryLayout<sockaddr_in>.offset(of: \.sin_addr) ?? 4)
      inet_ntop(AF_INET, v4, &text, socklen_t(text.count))
    }
    let address = text.withUnsafeBufferPointer { text in
      text.baseAddress.map { String(cString: $0) } ?? ""
    }
    // A client of IPv4 on a socket for both.
    let mapped = "::ffff:"
    return address.hasPrefix(mapped) && address.contains(".")
      ? String(address.dropFirst(mapped.count)) : address
  }
}
