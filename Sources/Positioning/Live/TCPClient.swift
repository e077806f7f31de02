import Glibc
import Synchronization

/// A TCP connection as a client, made without blocking on anything that `cancel` can't end.
enum TCPClient {
  /// A connection and the numeric address that answered.
  struct Connection {
    let descriptor: OpenDescriptor
    let address: String
  }

  /// Connects to the first of the host's addresses that answers.
  ///
  /// `peer` names the other side in problems. Nil where the reader gave up.
  static func connect(
    host: String, port: UInt16, peer: String, loop: LiveLoop
  ) throws(LiveProblem) -> Connection? {
    guard let addresses = try resolve(host: host, port: port, loop: loop) else { return nil }
    var problem = LiveProblem.hostUnknown(host: host, detail: "it has no address")
    for address in addresses {
      do {
        guard let descriptor = try connect(to: address, peer: peer, loop: loop) else { return nil }
        keepAlive(descriptor.number)
        return Connection(descriptor: descriptor, address: address.numericHost)
      } catch {
        problem = error
      }
    }
    throw problem
  }

  private static func connect(
    to address: SocketAddress, peer: String, loop: LiveLoop
  ) throws(LiveProblem) -> OpenDescriptor? {
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let number = socket(address.family, type, 0)
    guard number >= 0 else { throw .system(operation: "socket", errno: errno) }
    let descriptor = OpenDescriptor(number)
    if address.connect(number) == 0 { return descriptor }
    guard errno == EINPROGRESS else { throw problem(errno, peer: peer) }
    switch loop.channel.wait(for: number, events: POLLOUT, timeout: loop.patience.connect) {
    case .cancelled: return nil
    case .timedOut: throw .connectTimedOut(peer: peer)
    case .ready: break
    }
    var code: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    getsockopt(number, SOL_SOCKET, SO_ERROR, &code, &length)
    guard code == 0 else { throw problem(code, peer: peer) }
    return descriptor
  }

  private static func problem(_ code: Int32, peer: String) -> LiveProblem {
    switch code {
    case ECONNREFUSED: .refused(peer: peer)
    case ETIMEDOUT: .connectTimedOut(peer: peer)
    default: .unreachable(peer: peer, errno: code)
    }
  }

  /// Finds a peer that vanished without a word within half a minute.
  private static func keepAlive(_ descriptor: Int32) {
    func set(_ level: Int32, _ option: Int32, _ value: Int32) {
      var value = value
      setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }
    set(SOL_SOCKET, SO_KEEPALIVE, 1)
    set(Int32(IPPROTO_TCP), TCP_KEEPIDLE, 10)
    set(Int32(IPPROTO_TCP), TCP_KEEPINTVL, 5)
    set(Int32(IPPROTO_TCP), TCP_KEEPCNT, 4)
  }

  /// Asks the system's resolver on a thread of its own, because that can take half a minute and
  /// can't be interrupted; nil where the reader gave up meanwhile.
  private static func resolve(
    host: String, port: UInt16, loop: LiveLoop
  ) throws(LiveProblem) -> [SocketAddress]? {
    let lookup = try AddressLookup()
    try startThread { lookup.run(host: host, port: port) }
    guard loop.channel.wait(for: lookup.done.descriptor, timeout: .seconds(60)) != .cancelled else {
      return nil
    }
    switch lookup.answer.withLock({ $0 }) {
    case .addresses(let addresses): return addresses
    case .failed(let detail): throw .hostUnknown(host: host, detail: detail)
    case nil: throw .hostUnknown(host: host, detail: "the resolver does not answer")
    }
  }
}

/// One question to the resolver, shared by the thread that asks and the one that waits.
private final class AddressLookup: Sendable {
  enum Answer {
    case addresses([SocketAddress])
    case failed(String)
  }

  let answer = Mutex<Answer?>(nil)
  let done: WakeSignal

  init() throws(LiveProblem) { done = try WakeSignal() }

  func run(host: String, port: UInt16) {
    let found = Self.ask(host: host, port: port)
    answer.withLock { $0 = found }
    done.raise()
  }

  private static func ask(host: String, port: UInt16) -> Answer {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    hints.ai_flags = AI_NUMERICSERV
    var list: UnsafeMutablePointer<addrinfo>?
    let code = getaddrinfo(host, String(port), &hints, &list)
    guard code == 0 else { return .failed(String(cString: gai_strerror(code))) }
    defer { freeaddrinfo(list) }
    var addresses: [SocketAddress] = []
    var item = list
    while let entry = item?.pointee {
      if let address = SocketAddress(entry) { addresses.append(address) }
      item = entry.ai_next
    }
    return .addresses(addresses)
  }
}

/// An internet address and port in the form that the system takes.
private struct SocketAddress: Sendable {
  let family: Int32
  private let bytes: [UInt8]

  init?(_ entry: addrinfo) {
    guard let address = entry.ai_addr else { return nil }
    family = entry.ai_family
    bytes = Array(UnsafeRawBufferPointer(start: address, count: Int(entry.ai_addrlen)))
  }

  func connect(_ descriptor: Int32) -> Int32 {
    withAddress { Glibc.connect(descriptor, $0, $1) }
  }

  /// The address in digits, as in `127.0.0.1` or `::1`.
  var numericHost: String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(NI_MAXHOST)) { buffer in
      let code = withAddress {
        getnameinfo($0, $1, buffer.baseAddress, socklen_t(buffer.count), nil, 0, NI_NUMERICHOST)
      }
      guard code == 0, let start = buffer.baseAddress else { return "" }
      return String(cString: start)
    }
  }

  private func withAddress<Result>(
    _ body: (UnsafePointer<sockaddr>?, socklen_t) -> Result
  ) -> Result {
    bytes.withUnsafeBytes { bytes in
      body(bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count))
    }
  }
}
