import Foundation

/// A real gpsd, read-only and in the foreground, on a port of its own.
public final class RealGPSD {
  public let port: UInt16
  private let program: ChildProgram

  /// Starts gpsd on `port`, or on a free one, for devices by path or by address, and waits until it
  /// listens. It opens them when the first client watches.
  public init(
    port: UInt16? = nil, devices: [String] = [], control: String? = nil
  ) async throws {
    let port = try port ?? LoopbackServer.freePort()
    let socket = control.map { ["-F", $0] } ?? []
    let program = try ChildProgram(
      "gpsd", ["-N", "-b"] + socket + ["-S", String(port)] + devices)
    let listens = try await eventually(within: .seconds(5)) {
      canConnect(port: port) || !program.isRunning
    }
    guard listens, program.isRunning else {
      throw PeerError("gpsd did not listen on port \(port) within 5 s")
    }
    self.port = port
    self.program = program
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
