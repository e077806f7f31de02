import Foundation
import Glibc

/// A client that sends exactly the bytes it is told, from a socket of its own.
final class RawClient {
  private(set) var descriptor: Int32

  /// Connects to a port of 127.0.0.1.
  init(port: Int, receiveBuffer: Int32? = nil) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    if var size = receiveBuffer {
      setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, 4)
    }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    inet_pton(AF_INET, "127.0.0.1", &address.sin_addr)
    let isConnected = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    guard isConnected else { throw Failure(reason: String(cString: strerror(errno))) }
  }

  struct Failure: Error {
    let reason: String
  }

  deinit { disconnect() }

  /// Closes the connection; abruptly is with a reset.
  func disconnect(abruptly: Bool = false) {
    if abruptly {
      var option = linger(l_onoff: 1, l_linger: 0)
      setsockopt(
        descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }
    if descriptor >= 0 { close(descriptor) }
    descriptor = -1
  }

  /// Whether all of it was taken; not when the server has closed the connection.
  @discardableResult
  func send(_ text: String) -> Bool { send(Array(text.utf8)) }

  @discardableResult
  func send(_ bytes: [UInt8]) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress! + sent, bytes.count - sent, Int32(MSG_NOSIGNAL))
      }
      if count <= 0 { return false }
      sent += count
    }
    return true
  }

  /// What comes until `isEnough`, the end, or five seconds without more.
  func receive(milliseconds: Int32 = 5000, until isEnough: (String) -> Bool) -> String {
    var received: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65536)
    var text = ""
    while !isEnough(text) {
      var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&polled, 1, milliseconds) > 0 else { break }
      let count = recv(descriptor, &chunk, chunk.count, 0)
      guard count > 0 else { break }
      received += chunk[..<count]
      text = String(decoding: received, as: UTF8.self)
    }
    return text
  }

  /// What comes until the server closes the connection.
  func receiveToEnd(milliseconds: Int32 = 5000) -> String {
    receive(milliseconds: milliseconds) { _ in false }
  }

  /// The next answer, whose body has a length.
  func receiveAnswer(isHead: Bool = false) -> String {
    receive { text in
      guard let end = text.range(of: "\r\n\r\n") else { return false }
      if isHead { return true }
      let head = text[..<end.lowerBound].lowercased()
      guard let field = head.range(of: "content-length: ") else { return true }
      let length = Int(head[field.upperBound...].prefix { $0.isNumber }) ?? 0
      return text[end.upperBound...].utf8.count >= length
    }
  }

  /// Whether the server has closed the connection, waiting for it.
  func isClosed(milliseconds: Int32 = 5000) -> Bool {
    var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&polled, 1, milliseconds) > 0 else { return false }
    var byte: UInt8 = 0
    return recv(descriptor, &byte, 1, 0) <= 0
  }

  /// How many bytes come until the server closes the connection.
  func receiveBytesToEnd() -> Int {
    var (total, chunk) = (0, [UInt8](repeating: 0, count: 1 << 20))
    while true {
      let count = recv(descriptor, &chunk, chunk.count, 0)
      if count <= 0 { return total }
      total += count
    }
  }

  /// Sends letters until nothing was taken for half a second; how many were.
  func sendUntilStuck(limit: Int) -> Int {
    let chunk = [UInt8](repeating: 0x61, count: 1 << 16)
    var sent = 0
    while sent < limit {
      var polled = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      guard poll(&polled, 1, 500) > 0 else { break }
      let count = Glibc.send(
        descriptor, chunk, min(chunk.count, limit - sent), Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
      )
      if count > 0 { sent += count } else if errno != EAGAIN { break }
    }
    return sent
  }
}

/// Memory of this process that is in use, in bytes.
func residentBytes() -> Int {
  let fields = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(
    separator: " ")
  return (fields?.dropFirst().first.flatMap { Int($0) } ?? 0) * 4096
}
