import Glibc

/// Why a live source cannot be read now; the description says what was found and what to do.
public enum LiveProblem: Error, Equatable, Sendable {
  // Networks.
  /// The resolver gives no address for the host.
  case hostUnknown(host: String, detail: String)
  /// Nobody listens at the port.
  case refused(peer: String)
  /// No answer to a connect, or to a question, in time.
  case connectTimedOut(peer: String)
  /// The network knows no way to the host, or forbids it.
  case unreachable(peer: String, errno: Int32)
  /// The other side ended an open connection.
  case closedByPeer(peer: String)
  /// An open connection failed.
  case connectionFailed(peer: String, errno: Int32)
  // gpsd.
  /// Somebody answers, but without gpsd's greeting.
  case notGPSD(peer: String)
  /// libgps reports an error of its own.
  case libgps(peer: String, detail: String)
  /// The daemon refused the request, as for a device that it does not have.
  case refusedByGPSD(peer: String, message: String)
  // Devices.
  /// Nothing is at the path.
  case noSuchDevice(path: String)
  /// The path may not be read.
  case notPermitted(path: String)
  /// Another program reads the terminal.
  case deviceInUse(path: String)
  /// An open device went away, as by pulling its plug.
  case deviceGone(path: String)
  /// The last writer of a pipe has closed it.
  case writerClosed(path: String)
  /// No speed gave two sentences with right checksums.
  case noSpeedFits(path: String, tried: [Int])
  // Anything else that the system says.
  /// A call of the system failed in a way that has no case of its own.
  case system(operation: String, errno: Int32)
}

extension LiveProblem: CustomStringConvertible {
  /// What was found and what to do, in a sentence without a capital or a full stop.
  public var description: String {
    switch self {
    case .hostUnknown(let host, let detail):
      "no address is known for host \(host): \(detail)"
    case .refused(let peer):
      "\(peer) refused the connection: is it running?"
    case .connectTimedOut(let peer):
      "\(peer) did not answer: is the address right, and does a firewall let it through?"
    case .unreachable(let peer, let errno):
      "\(peer) can't be reached: \(Self.text(errno))"
    case .closedByPeer(let peer):
      "\(peer) closed the connection"
    case .connectionFailed(let peer, let errno):
      "the connection to \(peer) broke: \(Self.text(errno))"
    case .notGPSD(let peer):
      "\(peer) does not speak gpsd's protocol: for plain NMEA over TCP use tcp://"
    case .libgps(let peer, let detail):
      "\(peer): \(detail)"
    case .refusedByGPSD(let peer, let message):
      "\(peer) answered: \(message)"
    case .noSuchDevice(let path):
      "there is no \(path): is the receiver plugged in?"
    case .notPermitted(let path):
      "no permission to read \(path): the owning group is often dialout (usermod -aG dialout NAME)"
    case .deviceInUse(let path):
      "\(path) is in use by another program: stop that, or read through gpsd://"
    case .deviceGone(let path):
      "\(path) is gone: was it unplugged?"
    case .writerClosed(let path):
      "the program that writes to \(path) has closed it"
    case .noSpeedFits(let path, let tried):
      "no NMEA was understood on \(path) at any of "
        + tried.map(String.init).joined(separator: ", ")
        + " baud: name the receiver's speed with ?baud="
    case .system(let operation, let errno):
      "\(operation): \(Self.text(errno))"
    }
  }

  private static func text(_ number: Int32) -> String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
      guard let start = buffer.baseAddress, strerror_r(number, start, buffer.count) == 0 else {
        return "error \(number)"
      }
      return String(cString: start)
    }
  }
}
