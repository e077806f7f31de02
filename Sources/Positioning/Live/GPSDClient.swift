import Geo
import Glibc

/// Reads fixes from a gpsd for as long as the loop lives: connects, watches, and after a loss
/// connects and watches again.
struct GPSDClient {
  let host: String
  let port: UInt16
  /// The one device to watch; nil watches all.
  let device: String?

  /// An idle gpsd 3.22 does not notice that a device has ended until something wakes it, and not
  /// always then; so it is asked for its devices whenever one has been silent for this long. Where
  /// that does not help, the fix ends by the silence itself.
  private static let silenceBeforeAsking = Duration.seconds(2)

  /// gpsd's own limit of a line is 10 kB, the buffer of libgps twice that; more reads than bytes
  /// that never make a message mean that the buffer is full for good.
  private static let mostFruitlessReads = 20_480

  private var peer: String { "gpsd at \(LiveSource.Address.text(host: host, port: port))" }

  func run(_ loop: LiveLoop) {
    let session = GPSDSession()
    while !loop.isCancelled {
      let problem: LiveProblem
      do {
        guard let found = try watch(session, loop) else { break }
        problem = found
      } catch {
        problem = error
      }
      session.close()
      guard loop.waitToRetry(after: problem) else { break }
    }
    session.close()
  }

  /// One connection, from its opening to what ended it; nil where the reader gave up.
  private func watch(
    _ session: GPSDSession, _ loop: LiveLoop
  ) throws(LiveProblem) -> LiveProblem? {
    // gps_open blocks for minutes where nothing answers and has one error for all; so it is called
    // once a connection of our own has shown that, and where, somebody listens.
    guard
      let address = try TCPClient.connect(host: host, port: port, peer: peer, loop: loop)?.address
    else { return nil }
    try session.open(address: address, port: port, peer: peer)
    guard session.send(watchRequest) else { throw .closedByPeer(peer: peer) }
    var follower = GPSDFollower(peer: peer, loop: loop)
    var lastQuestion = ContinuousClock.now
    var fruitlessReads = 0
    while true {
      let (messages, problem) = drain(session, &follower)
      fruitlessReads = messages > 0 ? 0 : fruitlessReads
      if let problem { return follower.finish(with: problem) }
      let now = ContinuousClock.now
      if fruitlessReads > 0, session.isAtEnd {
        return follower.finish(with: .closedByPeer(peer: peer))
      }
      if fruitlessReads > Self.mostFruitlessReads {
        return follower.finish(with: .libgps(peer: peer, detail: "a line is too long for libgps"))
      }
      if now - follower.lastMessage > loop.patience.connect, lastQuestion > follower.lastMessage {
        let isGPSD = follower.isGreeted
        return follower.finish(with: isGPSD ? .connectTimedOut(peer: peer) : .notGPSD(peer: peer))
      }
      if follower.isSilent(for: Self.silenceBeforeAsking, now: now),
        now - lastQuestion > Self.silenceBeforeAsking
      {
        lastQuestion = now
        guard session.send("?DEVICES;") else {
          return follower.finish(with: .closedByPeer(peer: peer))
        }
      }
      let pause = min(.milliseconds(250), follower.nextDue.map { $0 - now } ?? .seconds(1))
      switch loop.channel.wait(for: session.descriptor, timeout: pause) {
      case .cancelled: return nil
      case .timedOut: break
      case .ready: fruitlessReads += 1
      }
      follower.completeDue()
    }
  }

  /// Takes all messages that are there: how many, and what ended the connection, if anything did.
  private func drain(
    _ session: GPSDSession, _ follower: inout GPSDFollower
  ) -> (messages: Int, problem: LiveProblem?) {
    var messages = 0
    while !follower.loop.isCancelled {
      switch session.read() {
      case .message(let message):
        messages += 1
        if let problem = follower.take(message) { return (messages, problem) }
      case .other:
        messages += 1
        follower.takeOther()
      case .end: return (messages, .closedByPeer(peer: peer))
      case .incomplete: return (messages, nil)
      }
    }
    return (messages, nil)
  }

  /// The request for the reports of all devices.
  static let watchAll = #"?WATCH={"enable":true,"json":true};"#

  private var watchRequest: String {
    device.map { #"?WATCH={"enable":true,"json":true,"device":"\#($0)"};"# } ?? Self.watchAll
  }
}
