import Synchronization

/// What all threads of a server share.
final class ServerCore: Sendable {
  let router: Router
  let configuration: HTTPServerConfiguration
  let onCompletion: (@Sendable (HTTPCompletion) -> Void)?
  /// Answers from now on end their connections.
  let isStopping = Atomic(false)

  private let connections = Mutex<[ObjectIdentifier: Connection]>([:])
  private let nextNotice = Atomic<UInt64>(0)
  private let sleepers = Mutex(Sleepers())

  /// Exchanges whose connections may sleep. The library must not be stopped while one does.
  private struct Sleepers {
    var exchanges: [ObjectIdentifier: Exchange] = [:]
    /// No connection may sleep any more.
    var isTerminated = false
  }

  init(
    router: Router, configuration: HTTPServerConfiguration,
    onCompletion: (@Sendable (HTTPCompletion) -> Void)?
  ) {
    self.router = router
    self.configuration = configuration
    self.onCompletion = onCompletion
  }

  func add(_ connection: Connection) {
    connections.withLock { $0[ObjectIdentifier(connection)] = connection }
  }

  func remove(_ connection: Connection) {
    _ = connections.withLock { $0.removeValue(forKey: ObjectIdentifier(connection)) }
  }

  /// Lets the exchange's connection sleep, unless the server has ended that for all.
  func register(_ exchange: Exchange) -> Bool {
    sleepers.withLock { sleepers in
      if sleepers.isTerminated { return false }
      sleepers.exchanges[ObjectIdentifier(exchange)] = exchange
      return true
    }
  }

  func unregister(_ exchange: Exchange) {
    _ = sleepers.withLock { $0.exchanges.removeValue(forKey: ObjectIdentifier(exchange)) }
  }

  var hasBusyConnections: Bool {
    connections.withLock { connections in
      connections.values.contains { $0.isBusy.load(ordering: .acquiring) }
    }
  }

  func cutOffSlowConnections(now: UInt64) {
    let late = connections.withLock { connections in
      connections.values.filter { $0.deadline.load(ordering: .relaxed) < now }
    }
    for connection in late { connection.cutOff() }
  }

  /// Once a second: it asks the system about each connection.
  func noticeClosedConnections(now: UInt64) {
    guard now >= nextNotice.load(ordering: .relaxed) else { return }
    nextNotice.store(now + 1_000_000_000, ordering: .relaxed)
    for connection in connections.withLock({ Array($0.values) }) { connection.notice() }
  }

  func beat(now: UInt64) {
    for exchange in sleepers.withLock({ Array($0.exchanges.values) }) { exchange.beat(now: now) }
  }

  /// Ends every streamed answer after what is written already.
  func endStreams() {
    for exchange in sleepers.withLock({ Array($0.exchanges.values) }) { exchange.endStream() }
  }

  /// Wakes every sleeping connection, to answer that the server stops. None sleeps afterwards.
  func terminate() {
    let exchanges = sleepers.withLock { sleepers in
      sleepers.isTerminated = true
      return Array(sleepers.exchanges.values)
    }
    for exchange in exchanges { exchange.terminate() }
  }
}
