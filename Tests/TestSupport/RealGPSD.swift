import Foundation

/// A real gpsd, read-only and in the foreground, on a port of its own.
public final class RealGPSD {
  public let port: UInt16
  private let program: ChildProgram
  private let folder: TemporaryFolder

  /// Starts gpsd on `port`, or on a free one, for devices by path or by address, and waits until it
  /// listens. It opens them when the first client watches.
  public init(port: UInt16? = nil, devices: [String] = []) async throws {
    let port = try port ?? LoopbackServer.freePort()
    let folder = try TemporaryFolder()
    let program = try ChildProgram(
      "gpsd", ["-N", "-b", "-F", "\(folder.path)/control", "-S", String(port)] + devices)
    let listens = await eventually(within: .seconds(5)) {
      canConnect(port: port) || !program.isRunning
    }
    guard listens, program.isRunning else {
      throw PeerError("gpsd ended, or did not listen on port \(port) within 5 s")
    }
    self.port = port
    self.program = program
    self.folder = folder
  }

  /// Takes a device away, through the daemon's control socket.
  public func remove(device: String) throws {
    let control = "\(folder.path)/control"
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: control.utf8.prefix(107)) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let isConnected = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, size) == 0
      }
    }
    let command = "-\(device)\r\n"
    guard isConnected, write(descriptor, command, command.utf8.count) == command.utf8.count else {
      throw PeerError("gpsd's control socket: \(String(cString: strerror(errno)))")
    }
    var answer = [UInt8](repeating: 0, count: 64)
    guard read(descriptor, &answer, answer.count) > 0 else {
      throw PeerError("gpsd's control socket does not answer")
    }
  }

  /// Ends the daemon.
  public func stop() { program.stop() }
}

private func canConnect(port: UInt16) -> Bool {
  let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
  defer { close(descriptor) }
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_port = port.bigEndian
  address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
  return withUnsafePointer(to: &address) { pointer in
    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
    }
  }
}
