import Geo
import Geofencing
import HTTP
import Identity
import Notifications
import Persistence

/// The whole service: the engine, its database, and the routes that lead to them.
package final class Service: Sendable {
  /// What answers requests.
  package let router: Router

  private let host: EngineHost
  private let reader: StoreReader
  private let keys: APIKeyring
  private let hub: EventHub
  private let accounts: AccountHost
  private let metrics = Metrics()
  private let now: @Sendable () -> Timestamp
  private let log: @Sendable (LogLine) -> Void

  /// Opens the database and loads fences and presence.
  ///
  /// `opensWithoutKeys` lets everybody in as long as the database has no API key at all; else keys
  /// are demanded always. `passwordCost` is that of a hash of today.
  package init(
    databasePath: String, opensWithoutKeys: Bool, passwordCost: PasswordHasher.Cost = .standard,
    now: @escaping @Sendable () -> Timestamp, log: @escaping @Sendable (LogLine) -> Void
  ) async throws {
    self.now = now
    self.log = log
    let metrics = metrics
    let reader = StoreReader(database: try Database(path: databasePath))
    let hub = EventHub(
      head: try await reader.lastSequence(), bufferLimit: 1000,
      history: { try await reader.events(after: $0, limit: $1) },
      report: { log(LogLine(.error, "events_unreadable", ("reason", "\($0)"))) })
    let host = try EngineHost(
      database: try Database(path: databasePath), now: now,
      publish: { stored in
        metrics.count(stored.map(\.event))
        hub.wake()
      })
    guard let known = try await reader.keys(unlessRevision: nil) else {
      preconditionFailure("keys are read where no revision is known")
    }
    let keys = APIKeyring(keys: known, opensWithoutKeys: opensWithoutKeys)
    let accounts = try AccountHost(database: try Database(path: databasePath), now: now)
    let passwords = PasswordQueue(hasher: try PasswordHasher(cost: passwordCost))
    router = Router(
      EligibilityRoutes(host: host, keys: keys, now: now).routes
        + PositionRoutes(host: host, keys: keys, metrics: metrics).routes
        + OwnTracksRoutes(host: host, keys: keys, metrics: metrics).routes
        + FenceRoutes(host: host, keys: keys).routes
        + EventRoutes(hub: hub, keys: keys).routes
        + OperationRoutes(host: host, reader: reader, hub: hub, keys: keys, metrics: metrics)
        .routes
        + AuthRoutes(accounts: accounts, passwords: passwords).routes
        + ClockRoutes(accounts: accounts, host: host).routes,
      problemResponse: { .problem($0) })
    self.reader = reader
    self.hub = hub
    self.host = host
    self.keys = keys
    self.accounts = accounts
  }

  /// Serves until the task is cancelled; then takes no more, and lets what is under way end.
  ///
  /// `started` is given the server once it listens.
  package func run(
    _ configuration: HTTPServerConfiguration, started: @Sendable (HTTPServer) -> Void
  ) async throws {
    let server = try HTTPServer(
      router: router, configuration: configuration, onCompletion: { self.note($0) })
    if keys.isOpen {
      log(LogLine(.warning, "open_without_keys", ("advice", "make an API key to close it")))
    }
    log(
      LogLine(
        .info, "listening", ("address", configuration.address), ("port", "\(server.port)"),
        ("tls", "\(configuration.tls != nil)"), ("fences", "\(host.fences.set.count)")))
    started(server)
    await withDiscardingTaskGroup { group in
      group.addTask { await self.hub.run() }
      await self.tickUntilCancelled()
      self.log(LogLine(.info, "stopping"))
      await server.stop()
      group.cancelAll()
    }
    log(LogLine(.info, "stopped"))
  }

  private func tickUntilCancelled() async {
    while !Task.isCancelled {
      try? await Task.sleep(for: .seconds(1))
      if Task.isCancelled { return }
      await tick()
    }
  }

  /// What is done each second: silence is told, and what others changed in the database taken over.
  package func tick() async {
    do {
      try await host.tick()
      if let changed = try await reader.keys(unlessRevision: keys.revision) {
        keys.replace(by: changed)
        log(LogLine(.info, "keys_changed", ("keys", "\(changed.byHash.count)")))
      }
      let used = keys.takeUsed(at: now())
      if !used.isEmpty { try await reader.touch(used, at: now()) }
      try await accounts.forgetExpiredAnswers()
      // Another process may have recorded events.
      hub.wake()
    } catch {
      log(LogLine(.error, "tick_failed", ("reason", "\(error)")))
    }
  }

  /// Counts a request, and logs one that the service itself has failed.
  private func note(_ completion: HTTPCompletion) {
    metrics.count(completion, isStream: completion.route == EventRoutes.pattern)
    guard let status = completion.status, status.code >= 500 else { return }
    log(
      LogLine(
        .error, "request_failed", ("method", completion.method.rawValue),
        ("route", completion.route?.description ?? "none"), ("status", "\(status)"),
        ("address", completion.remoteAddress)))
  }
}
