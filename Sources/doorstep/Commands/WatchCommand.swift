import CommandLineArguments
import Dispatch
import Geo
import Geofencing
import Glibc
import Positioning

/// `doorstep watch SOURCE`: follows a receiver and tells arrivals and departures as they come.
enum WatchCommand {
  private static let source = Positional<String>.required(
    .text("SOURCE"), "gpsd://host:port/device, /dev/ttyUSB0?baud=9600, tcp://host:port or -")
  private static let subject = Option<String?>.optional(
    "subject", .text("NAME"), "whose position it is; else the device that gives it")
  private static let json = Option<Bool>.flag(
    "json", "print NDJSON: each fix with its outcome, and each event")
  private static let once = Option<Bool>.flag(
    "no-reconnect", "end where the source goes away, instead of trying again")
  private static let simulated = Option<Bool>.flag(
    "allow-simulated", "count positions that are flagged as simulated")

  static let command = Command(
    "watch", "follows a receiver live: presence, distance, accuracy, events",
    discussion: """
      Presence is kept in the database, so that watching goes on where it stopped: nothing is told \
      twice after a restart. Edits of the database's fences hold from the next fix on.
      """,
    examples: [
      .init("doorstep watch --fences fences gpsd://localhost", "all receivers of a gpsd"),
      .init("doorstep watch /dev/ttyUSB0", "a USB receiver, with the database's fences"),
      .init("doorstep watch --json tcp://192.168.1.7:2000", "NMEA over TCP, for a program"),
    ],
    parameters: [source, subject, json, once, simulated] + FenceSource.parameters
  ) { arguments in
    let address: LiveSource.Address
    do { address = try LiveSource.Address(arguments[source]) } catch {
      throw CommandFailure.usage("\(error)")
    }
    var settings = EngineSettings()
    settings.allowsSimulated = arguments[simulated]
    let session = try WatchSession(
      fences: FenceSource(arguments), settings: settings,
      subject: arguments[subject].map { SubjectID($0) },
      fallbackSubject: SubjectID(arguments[source]), asJSON: arguments[json])
    var live = LiveSource(address)
    live.reconnects = !arguments[once]
    return try await follow(live, with: session)
  }

  /// Runs the source and the clock until the source ends or the program is told to stop.
  private static func follow(_ source: LiveSource, with session: WatchSession) async throws -> Int32
  {
    let following = Task {
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
          while !Task.isCancelled {
            try await Task.sleep(for: .seconds(1))
            try await session.tick(at: .now)
          }
        }
        group.addTask { try await source.run { try await session.receive($0) } }
        // The clock never ends by itself: whichever ends first ends the other.
        try await group.next()
        group.cancelAll()
      }
    }
    let signals = StopSignals { following.cancel() }
    defer { signals.ignore() }
    do { try await following.value } catch is CancellationError {}
    return try await session.finish()
  }
}

/// Calls an action when the program is asked to stop by SIGINT or SIGTERM.
private struct StopSignals {
  private let sources: [any DispatchSourceSignal]

  init(_ action: @escaping @Sendable () -> Void) {
    sources = [SIGINT, SIGTERM].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number)
      source.setEventHandler(handler: action)
      source.resume()
      return source
    }
  }

  func ignore() {
    for source in sources { source.cancel() }
  }
}
