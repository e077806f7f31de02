import Foundation
import TestSupport
import Testing

@testable import Positioning

/// Alone, because there is one standard input.
@Suite(.serialized) struct StandardInputTests {
  @Test func `standard input is read to its end`() async throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    // A program that another test starts would hold it open.
    _ = fcntl(ends[1], F_SETFD, FD_CLOEXEC)
    let original = dup(STDIN_FILENO)
    dup2(ends[0], STDIN_FILENO)
    close(ends[0])
    defer {
      if original >= 0 { dup2(original, STDIN_FILENO) }
      close(original)
    }
    let receiver = SampleReceiver()
    try await LiveRecording.of(LiveSource(.standardInput)) { recording in
      let first = receiver.nextEpoch()
      #expect(write(ends[1], first, first.count) == first.count)
      #expect(await eventually { recording.fixes.count == 1 })
      let second = receiver.nextEpoch()
      #expect(write(ends[1], second, second.count) == second.count)
      close(ends[1])
      #expect(await eventually { recording.events.last == .ended })
      #expect(recording.fixes.count == 2)
      #expect(recording.events.first == .connected("standard input"))
    }
  }
}
