import Foundation
import Synchronization

/// A TCP server on the loopback, one client at a time, that sends what a test tells it to.
public final class LoopbackServer: Sendable {
  public let port: UInt16
  private let listener: Int32
  private let connection = Mutex<Int32>(-1)

  private var client: Int32 { connection.withLock { $0 } }

  /// Listens on `port`, or on a free one.
  public init(port: UInt16 = 0) throws {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard listener >= 0 else { throw PeerError("socket: \(String(cString: strerror(errno)))") }
    var yes: Int32 = 1
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let code = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(listener, address, length) == 0 && listen(listener, 4) == 0
          && getsockname(listener, address, &length) == 0
      }
    }
    guard code else {
      let text = String(cString: strerror(errno))
      close(listener)
      throw PeerError("can't listen on port \(port): \(text)")
    }
    _ = fcntl(listener, F_SETFL, O_NONBLOCK)
    _ = fcntl(listener, F_SETFD, FD_CLOEXEC)
    self.listener = listener
    self.port = UInt16(bigEndian: address.sin_port)
  }

  deinit {
    drop()
    close(listener)
  }

  /// A port that is free at this moment.
  public static func freePort() throws -> UInt16 { try LoopbackServer().port }

  /// Waits for the next client, which replaces the one before.
  public func accept(within limit: Duration = .seconds(5)) async throws {
    drop()
    let came = await eventually(within: limit) {
      let client = Foundation.accept(listener, nil, nil)
      connection.withLock { $0 = client }
      return client >= 0
    }
    guard came else { throw PeerError("no client came to port \(port) within \(limit)") }
    _ = fcntl(client, F_SETFD, FD_CLOEXEC)
  }

  /// Sends to the client; what it has not read fits the socket's buffer in tests.
  public func send(_ bytes: some Sequence<UInt8>) throws {
    let bytes = Array(bytes)
    guard Foundation.send(client, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
      throw PeerError("send: \(String(cString: strerror(errno)))")
    }
  }

  /// What the client has sent and was not taken yet; nil once it has closed.
  public func receive() -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = recv(client, &bytes, bytes.count, Int32(MSG_DONTWAIT))
    if count == 0 { return nil }
    return Array(bytes.prefix(max(0, count)))
  }

  /// Closes the connection to the client, and refuses every other one.
  public func stop() {
    shutdown(listener, Int32(SHUT_RDWR))
    drop()
  }

  /// Closes the connection to the client.
  public func drop() {
    connection.withLock { client in
      if client >= 0 { close(client) }
      client = -1
    }
  }
}

/// Why a peer of a test could not be had.
public struct PeerError: Error, CustomStringConvertible {
  public let description: String
  public init(_ description: String) { self.description = description }
}
