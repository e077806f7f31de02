import Foundation
import Geo
import Synchronization
import TestSupport
import Testing

@testable import Positioning

/// The events of a source that runs beside a test.
final class LiveRecording: Sendable {
  private let recorded = Mutex<[LiveEvent]>([])

  /// Runs `source` beside `body`, and ends it whatever happens.
  static func of(
    _ source: LiveSource, _ body: (LiveRecording) async throws -> Void
  ) async throws {
    let recording = LiveRecording()
    let executor = OwnThreadExecutor()
    let task = Task(executorPreference: executor) {
      try await source.run { event in recording.recorded.withLock { $0.append(event) } }
    }
    let result: Result<Void, any Error>
    do {
      result = .success(
        try await withTaskExecutorPreference(executor) { try await body(recording) })
    } catch {
      result = .failure(error)
    }
    task.cancel()
    try await task.value
    try result.get()
  }

  var events: [LiveEvent] { recorded.withLock { $0 } }

  var fixes: [DecodedFix] {
    events.compactMap { event in
      if case .decoded(.fix(let fix), _) = event { fix } else { nil }
    }
  }

  func contains(_ matches: (LiveEvent) -> Bool) -> Bool { events.contains(where: matches) }

  var isConnected: Bool { connections > 0 }

  var connections: Int {
    events.count { event in if case .connected = event { true } else { false } }
  }

  var problems: [LiveProblem] {
    events.compactMap { event in
      if case .disconnected(let problem, _) = event { problem } else { nil }
    }
  }
}

extension LiveSource {
  /// A source with waits that suit a test.
  static func quick(_ address: Address) -> LiveSource {
    var source = LiveSource(address, jitter: { 0 })
    source.patience.firstRetry = .milliseconds(50)
    source.patience.longestRetry = .milliseconds(200)
    return source
  }
}

/// The sentences of a recorded log, each with its line end; nil where the recordings are not there.
func sentences(ofLog name: String) throws -> [[UInt8]]? {
  guard let path = SharedFiles.path("traces/nmea/\(name)") else { return nil }
  let data = try Data(contentsOf: URL(filePath: path))
  return data.split(separator: 0x0a, omittingEmptySubsequences: false).dropLast()
    .filter { $0.first != 0x23 }.map { Array($0) + [0x0a] }
}

/// Something that has happened.
final class Flag: Sendable {
  private let value = Mutex(false)
  var isSet: Bool { value.withLock { $0 } }
  func set() { value.withLock { $0 = true } }
}
