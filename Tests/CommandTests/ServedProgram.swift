import Foundation
import Synchronization
import TestSupport

/// `doorstep serve` as a process of its own, ended with the test.
final class ServedProgram {
  let port: Int
  private let process = Process()
  private let log: URL

  /// Starts the service and waits until it listens.
  init(database: String, in folder: TemporaryFolder, _ arguments: [String] = []) async throws {
    let log = URL(filePath: folder.path("log-\(UUID())"))
    try Data().write(to: log)
    process.executableURL = Program.url
    process.arguments = ["serve", "--database", database, "--port", "0"] + arguments
    process.environment = ["PATH": "/usr/bin:/bin"]
    process.standardError = try FileHandle(forWritingTo: log)
    try process.run()
    self.log = log
    let process = process
    var found: Int?
    _ = await eventually {
      found = ServedProgram.port(in: log)
      return found != nil || !process.isRunning
    }
    guard let found else {
      let text = (try? String(contentsOf: log, encoding: .utf8)) ?? ""
      process.terminate()
      throw PeerError("the service does not listen: \(text)")
    }
    port = found
  }

  deinit { kill() }

  var address: String { "http://127.0.0.1:\(port)" }

  var logText: String { (try? String(contentsOf: log, encoding: .utf8)) ?? "" }

  private static func port(in log: URL) -> Int? {
    guard let text = try? String(contentsOf: log, encoding: .utf8),
      let field = text.range(of: "\"port\":\"")
    else { return nil }
    return Int(text[field.upperBound...].prefix { $0.isNumber })
  }

  func signal(_ number: Int32) { Glibc.kill(process.processIdentifier, number) }

  /// Ends it as a power cut does.
  func kill() {
    guard process.isRunning else { return }
    signal(SIGKILL)
    process.waitUntilExit()
  }

  /// Asks it to end, and waits; its exit code.
  func stop() -> Int32 {
    signal(SIGTERM)
    process.waitUntilExit()
    return process.terminationStatus
  }
}

/// One connection that is kept open; it blocks.
final class KeptConnection {
  private let descriptor: Int32

  init?(port: Int) {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
    let isConnected = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    guard isConnected else {
      close(descriptor)
      return nil
    }
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// The answer's status and body; nil where the connection broke before it was whole.
  func post(_ target: String, _ body: String, type: String) -> (status: Int, body: String)? {
    let request = """
      POST \(target) HTTP/1.1\r\nHost: localhost\r\nContent-Type: \(type)\r\n\
      Content-Length: \(body.utf8.count)\r\n\r\n\(body)
      """
    guard send(Array(request.utf8)) else { return nil }
    var received: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = recv(descriptor, &chunk, chunk.count, 0)
      guard count > 0 else { return nil }
      received += chunk[..<count]
      let text = String(decoding: received, as: UTF8.self)
      guard let end = text.range(of: "\r\n\r\n"),
        let field = text.range(of: "Content-Length: "),
        let length = Int(text[field.upperBound...].prefix { $0.isNumber }),
        text[end.upperBound...].utf8.count >= length
      else { continue }
      let status = Int(text.split(separator: " ")[1]) ?? 0
      return (status, String(text[end.upperBound...]))
    }
  }

  private func send(_ bytes: [UInt8]) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes { bytes in
        Glibc.send(
          descriptor, bytes.baseAddress.map { $0 + sent }, bytes.count - sent, Int32(MSG_NOSIGNAL))
      }
      if count <= 0 { return false }
      sent += count
    }
    return true
  }
}
