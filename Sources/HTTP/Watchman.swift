import Glibc
import Synchronization

/// The server's one thread beside those that serve: cuts off the slow, beats the hearts of quiet
/// streams, ends drained daemons, and reads out sockets that linger.
///
/// A thread of its own, because it must come round though every task is busy.
final class Watchman: Sendable {
  private static let interval: Int32 = 100  // milliseconds; the coarsest deadline is a second
  private static let lingerTime: UInt64 = 2_000_000_000
  private static let lingerLimit = 1024

  private let work: @Sendable (UInt64) -> Void
  /// A pair of sockets: what is written to the one end wakes the thread at the other.
  private let wakeUp: (reader: Int32, writer: Int32)
  private let isStopping = Atomic(false)
  private let arrivals = Mutex<[Int32]>([])
  private let thread = Mutex<pthread_t?>(nil)

  private struct Lingering {
    let descriptor: Int32
    let deadline: UInt64
  }

  /// Does `work` every tenth of a second, once started.
  init(work: @escaping @Sendable (UInt64) -> Void) {
    self.work = work
    var ends: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    precondition(
      socketpair(AF_UNIX, type, 0, &ends) == 0,
      "No pair of sockets can be made: \(String(cString: strerror(errno)))")
    wakeUp = (reader: ends[0], writer: ends[1])
  }

  func start() {
    var created = pthread_t()
    let this = Unmanaged.passRetained(self)
    let code = pthread_create(
      &created, nil,
      { @Sendable argument in
        if let argument { Unmanaged<Watchman>.fromOpaque(argument).takeRetainedValue().run() }
        return nil
      }, this.toOpaque())
    guard code == 0 else {
      this.release()
      preconditionFailure("No thread can be created: \(String(cString: strerror(code)))")
    }
    thread.withLock { $0 = created }
  }

  /// Ends the thread and waits for it. Must not be called from it.
  func stop() {
    isStopping.store(true, ordering: .releasing)
    wake()
    if let thread = thread.withLock({ $0.take() }) { pthread_join(thread, nil) }
  }

  deinit {
    close(wakeUp.reader)
    close(wakeUp.writer)
  }

  /// Reads and drops what comes from a socket for two seconds or until its end, then closes it.
  func linger(_ descriptor: Int32) {
    shutdown(descriptor, Int32(SHUT_WR))
    let isTaken = arrivals.withLock { arrivals in
      guard !isStopping.load(ordering: .acquiring), arrivals.count < Self.lingerLimit else {
        return false
      }
      arrivals.append(descriptor)
      return true
    }
    if isTaken { wake() } else { close(descriptor) }
  }

  private func wake() {
    _ = write(wakeUp.writer, [1] as [UInt8], 1)
  }

  private func run() {
    var lingering: [Lingering] = []
    var nextWork: UInt64 = 0
    var scratch = [UInt8](repeating: 0, count: 65536)
    while !isStopping.load(ordering: .acquiring) {
      var polled = [pollfd(fd: wakeUp.reader, events: Int16(POLLIN), revents: 0)]
      polled += lingering.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
      _ = poll(&polled, nfds_t(polled.count), Self.interval)
      while read(wakeUp.reader, &scratch, 64) == 64 {}
      let now = monotonicNanoseconds()
      lingering = zip(lingering, polled.dropFirst()).compactMap { item, polled in
        let isOver = polled.revents != 0 && !Self.drain(item.descriptor, &scratch)
        guard isOver || now > item.deadline else { return item }
        close(item.descriptor)
        return nil
      }
      for descriptor in arrivals.withLock({ arrivals in
        defer { arrivals = [] }
        return arrivals
      }) {
        guard lingering.count < Self.lingerLimit else {
          close(descriptor)
          continue
        }
        lingering.append(Lingering(descriptor: descriptor, deadline: now + Self.lingerTime))
      }
      if now >= nextWork {
        nextWork = now + UInt64(Self.interval) * 1_000_000
        work(now)
      }
    }
    for item in lingering { close(item.descriptor) }
    for descriptor in arrivals.withLock({ $0 }) { close(descriptor) }
  }

  /// False at the end of what the client sends.
  private static func drain(_ descriptor: Int32, _ scratch: inout [UInt8]) -> Bool {
    // The library made the socket one that never blocks.
    let count = read(descriptor, &scratch, scratch.count)
    return count > 0 || (count < 0 && (errno == EAGAIN || errno == EINTR))
  }
}
