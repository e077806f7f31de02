import Foundation
import Geo
import TestSupport
import Testing

@testable import Positioning

struct SerialSourceTests {
  @Test func `a receiver that is unplugged is lost at once, and read on when it is back`()
    async throws
  {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/gps0"
    let receiver = SampleReceiver()
    let first = try PseudoTerminal(path: path)
    try await LiveRecording.of(.quick(.serial(path: path, baud: 9600))) { recording in
      #expect(await eventually { recording.isConnected })
      try first.write(receiver.nextEpoch())
      try first.write(receiver.nextEpoch())
      #expect(await eventually { recording.fixes.count == 2 })
      let pulled = ContinuousClock.now
      first.unplug()
      #expect(
        await eventually { recording.contains { $0 == .fixLost(nil, because: .disconnected) } })
      #expect(ContinuousClock.now - pulled < .seconds(1))
      #expect(await eventually { recording.problems.contains(.noSuchDevice(path: path)) })
      #expect(recording.problems.first == .deviceGone(path: path))
      let second = try PseudoTerminal(path: path)
      #expect(await eventually { recording.connections == 2 })
      try second.write(receiver.nextEpoch())
      #expect(await eventually { recording.fixes.count == 3 })
    }
  }

  @Test func `a fix ends where the receiver falls silent`() async throws {
    let folder = try TemporaryFolder()
    let receiver = SampleReceiver()
    let terminal = try PseudoTerminal(path: "\(folder.path)/gps0")
    var source = LiveSource.quick(.serial(path: terminal.path, baud: 9600))
    source.patience.silence = .milliseconds(300)
    try await LiveRecording.of(source) { recording in
      #expect(await eventually { recording.isConnected })
      try terminal.write(receiver.nextEpoch())
      #expect(await eventually { recording.contains { $0 == .fixLost(nil, because: .silent) } })
      #expect(recording.problems.isEmpty)
    }
  }

  @Test func `the speed is set, raw, and given back as it was`() async throws {
    let folder = try TemporaryFolder()
    let terminal = try PseudoTerminal(path: "\(folder.path)/gps0")
    var before = terminal.settings
    before.c_lflag |= tcflag_t(ECHO)
    cfsetspeed(&before, speed_t(B4800))
    terminal.set(before)
    try await LiveRecording.of(.quick(.serial(path: terminal.path, baud: 115_200))) { recording in
      #expect(await eventually { recording.isConnected })
      #expect(terminal.speed == speed_t(B115200))
      #expect(terminal.settings.c_lflag & tcflag_t(ECHO | ICANON) == 0)
    }
    #expect(terminal.speed == speed_t(B4800))
    #expect(terminal.settings.c_lflag & tcflag_t(ECHO) != 0)
  }

  @Test func `a speed is accepted after two right checksums, and those sentences count`()
    async throws
  {
    let folder = try TemporaryFolder()
    let receiver = SampleReceiver()
    let terminal = try PseudoTerminal(path: "\(folder.path)/gps0")
    var source = LiveSource.quick(.serial(path: terminal.path, baud: nil))
    source.patience.speed = .milliseconds(400)
    try await LiveRecording.of(source) { recording in
      #expect(await eventually { terminal.speed == speed_t(B9600) })
      // What a wrong speed makes of sentences, while the first speed is tried.
      try terminal.write([0x24, 0x80, 0xfe, 0x2a, 0x30, 0x30, 0x0d, 0xff])
      #expect(await eventually { terminal.speed == speed_t(B38400) })
      #expect(!recording.isConnected)
      try terminal.write(receiver.nextEpoch())
      let connected = LiveEvent.connected("\(terminal.path) at 38400 baud")
      #expect(await eventually { recording.contains { $0 == connected } })
      #expect(await eventually { recording.fixes.count == 1 })
    }
  }

  @Test func `where no speed fits, that is said`() async throws {
    let folder = try TemporaryFolder()
    let terminal = try PseudoTerminal(path: "\(folder.path)/gps0")
    var source = LiveSource.quick(.serial(path: terminal.path, baud: nil))
    source.patience.speed = .milliseconds(5)
    try await LiveRecording.of(source) { recording in
      let problem = LiveProblem.noSpeedFits(path: terminal.path, tried: SerialPort.usualSpeeds)
      #expect(await eventually { recording.problems.contains(problem) })
    }
  }

  @Test func `a second reader is told that the port is in use`() async throws {
    let folder = try TemporaryFolder()
    let terminal = try PseudoTerminal(path: "\(folder.path)/gps0")
    let source = LiveSource.quick(.serial(path: terminal.path, baud: 9600))
    try await LiveRecording.of(source) { first in
      #expect(await eventually { first.isConnected })
      try await LiveRecording.of(source) { second in
        #expect(
          await eventually { second.problems.contains(.deviceInUse(path: terminal.path)) })
        #expect(!second.isConnected)
      }
    }
    // Free again once it is closed.
    try await LiveRecording.of(source) { third in
      #expect(await eventually { third.isConnected })
    }
  }

  @Test func `a pipe is read, and again when another program opens it`() async throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/pipe"
    try #require(mkfifo(path, 0o600) == 0)
    let receiver = SampleReceiver()
    try await LiveRecording.of(.quick(.serial(path: path, baud: nil))) { recording in
      #expect(await eventually { recording.isConnected })
      for round in 1...2 {
        var writer: Int32 = -1
        #expect(
          await eventually {
            writer = open(path, O_WRONLY | O_NONBLOCK)
            return writer >= 0
          })
        let epoch = receiver.nextEpoch()
        #expect(write(writer, epoch, epoch.count) == epoch.count)
        close(writer)
        #expect(await eventually { recording.fixes.count == round })
        #expect(await eventually { recording.problems.count >= round })
      }
      #expect(recording.problems.allSatisfy { $0 == .writerClosed(path: path) })
    }
  }

  @Test func `a file is read to its end, which is the end`() async throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/log.nmea"
    let receiver = SampleReceiver()
    let bytes = (0..<500).flatMap { _ in receiver.nextEpoch() }
    try Data(bytes).write(to: URL(filePath: path))
    var fixes = 0
    var last: LiveEvent?
    try await LiveSource(.serial(path: path, baud: nil)).run { event in
      if case .decoded(.fix, _) = event { fixes += 1 }
      last = event
    }
    #expect(fixes == 500)
    #expect(last == .ended)
  }
}
