import Foundation
import TestSupport

/// A real broker on the loopback, with a configuration of its own.
final class RealMosquitto {
  let port: UInt16
  private let folder: TemporaryFolder
  private var program: ChildProgram?

  init(passwords: String? = nil) async throws {
    port = try LoopbackServer.freePort()
    folder = try TemporaryFolder()
    var configuration = "listener \(port) 127.0.0.1\npersistence false\n"
    if let passwords {
      configuration += "allow_anonymous false\npassword_file \(folder.path("passwords"))\n"
      try folder.write(passwords, to: "passwords")
    } else {
      configuration += "allow_anonymous true\n"
    }
    try folder.write(configuration, to: "broker.conf")
    try await start()
  }

  /// Starts the broker, again where it was stopped, and waits until it listens.
  func start() async throws {
    let program = try ChildProgram("mosquitto", ["-c", folder.path("broker.conf")])
    self.program = program
    let listens = await eventually { [port] in isListening(port) || !program.isRunning }
    guard listens, program.isRunning else { throw PeerError("mosquitto does not listen") }
  }

  func kill() { program?.kill() }
  func stop() { program?.stop() }
}

/// An independent client that prints what it receives.
final class MQTTSubscriber {
  private let program: ChildProgram

  /// Subscribes to all topics of events, and waits until the broker has confirmed it.
  init(port: UInt16) async throws {
    let program = try ChildProgram(
      "stdbuf",
      [
        "-oL", "mosquitto_sub", "-h", "127.0.0.1", "-p", "\(port)", "-q", "1", "-d", "-t",
        "doorstep/events/#", "-F", "message %q %r %t %p",
      ])
    self.program = program
    guard await eventually({ program.lines.contains { $0.hasPrefix("Subscribed") } }) else {
      throw PeerError("mosquitto_sub cannot subscribe")
    }
  }

  /// QoS, whether it was retained, topic and body of each message.
  var messages: [(qos: Substring, retained: Substring, topic: Substring, body: Substring)] {
    program.lines.filter { $0.hasPrefix("message ") }.map { line in
      let parts = line.split(separator: " ", maxSplits: 4)
      return (parts[1], parts[2], parts[3], parts[4])
    }
  }

  func stop() { program.stop() }
}

private func isListening(_ port: UInt16) -> Bool {
  let text = (try? String(contentsOfFile: "/proc/net/tcp", encoding: .utf8)) ?? ""
  let address = "0100007F:" + String(port, radix: 16, uppercase: true).leftPadded(to: 4)
  return text.split(separator: "\n").contains { line in
    let fields = line.split(separator: " ")
    return fields.count > 3 && fields[1] == address && fields[3] == "0A"
  }
}

extension String {
  fileprivate func leftPadded(to count: Int) -> String {
    String(repeating: "0", count: max(0, count - self.count)) + self
  }
}
