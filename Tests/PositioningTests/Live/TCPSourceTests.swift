import Foundation
import Geo
import TestSupport
import Testing

@testable import Positioning

struct TCPSourceTests {
  @Test func `a feed that breaks off is lost, and read on when it is back`() async throws {
    let server = try LoopbackServer()
    let receiver = SampleReceiver()
    let peer = "127.0.0.1:\(server.port)"
    try await LiveRecording.of(.quick(.tcp(host: "127.0.0.1", port: server.port))) { recording in
      for round in 1...3 {
        try await server.accept()
        let epoch = receiver.nextEpoch()
        // In two pieces, cut in the middle of a sentence.
        try server.send(epoch.prefix(50))
        try server.send(epoch.dropFirst(50))
        #expect(await eventually { recording.fixes.count == round })
        server.drop()
        #expect(
          await eventually {
            recording.events.count { $0 == .fixLost(nil, because: .disconnected) } == round
          })
      }
      #expect(recording.problems.allSatisfy { $0 == .closedByPeer(peer: peer) })
    }
  }

  @Test func `a fix is given without waiting for the next one, with the time of reception`()
    async throws
  {
    let server = try LoopbackServer()
    let receiver = SampleReceiver()
    let now = Timestamp(millisecondsSince1970: 1_750_000_000_000)
    let source = LiveSource(.tcp(host: "127.0.0.1", port: server.port), now: { now })
    try await LiveRecording.of(source) { recording in
      try await server.accept()
      try server.send(receiver.nextEpoch())
      let sent = ContinuousClock.now
      #expect(await eventually { recording.fixes.count == 1 })
      #expect(ContinuousClock.now - sent < .seconds(2))
      #expect(
        recording.contains { event in
          if case .decoded(.fix, receivedAt: now) = event { true } else { false }
        })
    }
  }

  @Test func `a host that refuses is said to refuse, and tried again`() async throws {
    let port = try LoopbackServer.freePort()
    try await LiveRecording.of(.quick(.tcp(host: "localhost", port: port))) { recording in
      let problem = LiveProblem.refused(peer: "localhost:\(port)")
      #expect(await eventually { recording.problems.contains(problem) })
      let server = try LoopbackServer(port: port)
      try await server.accept()
      #expect(await eventually { recording.isConnected })
    }
  }

  @Test func `a host without address is named`() async throws {
    try await LiveRecording.of(.quick(.tcp(host: "no-such-host.invalid", port: 1))) { recording in
      #expect(
        await eventually {
          recording.problems.contains { problem in
            if case .hostUnknown("no-such-host.invalid", _) = problem { true } else { false }
          }
        })
    }
  }

  @Test func `without reconnecting, the end of the feed is the end`() async throws {
    let server = try LoopbackServer()
    var source = LiveSource(.tcp(host: "127.0.0.1", port: server.port))
    source.reconnects = false
    let receiver = SampleReceiver()
    try await LiveRecording.of(source) { recording in
      try await server.accept()
      try server.send(receiver.nextEpoch())
      server.drop()
      #expect(await eventually { recording.events.last == .ended })
      #expect(recording.fixes.count == 1)
      #expect(recording.problems.isEmpty)
    }
  }

  @Test func `a reader that is slow gets everything`() async throws {
    let server = try LoopbackServer()
    let receiver = SampleReceiver()
    let count = 3000
    let bytes = (0..<count).flatMap { _ in receiver.nextEpoch() }
    var source = LiveSource(.tcp(host: "127.0.0.1", port: server.port))
    source.reconnects = false
    let run = Task {
      var fixes: [DecodedFix] = []
      try await source.run { event in
        if case .decoded(.fix(let fix), _) = event {
          fixes.append(fix)
          if fixes.count % 500 == 1 { try await Task.sleep(for: .milliseconds(20)) }
        }
      }
      return fixes
    }
    try await server.accept()
    for start in stride(from: 0, to: bytes.count, by: 16_384) {
      try server.send(bytes[start..<min(start + 16_384, bytes.count)])
    }
    server.drop()
    let fixes = try await run.value
    #expect(fixes.count == count)
    #expect(fixes.map(\.fix.time) == fixes.map(\.fix.time).sorted())
  }

  @Test(arguments: ["connected", "waiting to retry", "behind a slow reader"])
  func `a cancellation ends a source within half a second`(state: String) async throws {
    let server = try LoopbackServer()
    let receiver = SampleReceiver()
    let closed = try LoopbackServer.freePort()
    var source = LiveSource(
      .tcp(host: "127.0.0.1", port: state == "waiting to retry" ? closed : server.port),
      jitter: { 0 })
    source.patience.firstRetry = .seconds(30)
    let isSlow = state == "behind a slow reader"
    let reached = Flag()
    let executor = OwnThreadExecutor()
    let task = Task(executorPreference: executor) {
      try await source.run { _ in
        reached.set()
        if isSlow { try await Task.sleep(for: .seconds(30)) }
      }
    }
    if state != "waiting to retry" {
      try await server.accept()
      if isSlow { for _ in 0..<2000 { try server.send(receiver.nextEpoch()) } }
    }
    #expect(await eventually { reached.isSet })
    let pause = await withTaskExecutorPreference(executor) {
      let cancelled = ContinuousClock.now
      task.cancel()
      _ = await task.result
      return ContinuousClock.now - cancelled
    }
    #expect(pause < .milliseconds(500))
    if state == "connected" { #expect(await eventually { server.receive() == nil }) }
  }

  @Test func `an error of the reader ends the source and comes out`() async throws {
    let server = try LoopbackServer()
    let source = LiveSource(.tcp(host: "127.0.0.1", port: server.port))
    await #expect(throws: PeerError.self) {
      try await source.run { _ in throw PeerError("enough") }
    }
  }
}
