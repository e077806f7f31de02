/// Why a server does not start, in words for who starts it.
public enum HTTPServerError: Error, Equatable, Sendable, CustomStringConvertible {
  case addressMalformed(String)
  case addressInUse(address: String, port: Int)
  case addressUnavailable(address: String)
  case portForbidden(port: Int)
  case listeningFailed(address: String, port: Int, reason: String)
  case fileMissing(path: String)
  case fileUnreadable(path: String, reason: String)
  case certificateMalformed(path: String)
  case keyMalformed(path: String)
  /// The library takes the two files no further: they do not belong together, or one of them is
  /// damaged inside.
  case certificateRefused(certificatePath: String, keyPath: String, reason: String)
  case startFailed(reason: String)
  case tlsNotInUse
  case stopped

  public var description: String {
    switch self {
    case .addressMalformed(let address):
      "\"\(address)\" is not an IPv4 or IPv6 address in numbers"
    case .addressInUse(let address, let port):
      "port \(port) of \(address) is in use; stop the program that has it or choose another port"
    case .addressUnavailable(let address):
      "\(address) is not an address of this machine"
    case .portForbidden(let port):
      "port \(port) may be opened by root only; choose one from 1024 on, or grant the program "
        + "CAP_NET_BIND_SERVICE"
    case .listeningFailed(let address, let port, let reason):
      "cannot listen on port \(port) of \(address): \(reason)"
    case .fileMissing(let path): "\(path) does not exist"
    case .fileUnreadable(let path, let reason): "\(path) cannot be read: \(reason)"
    case .certificateMalformed(let path): "\(path) has no certificate in PEM format"
    case .keyMalformed(let path): "\(path) has no private key in PEM format"
    case .certificateRefused(let certificatePath, let keyPath, let reason):
      "the certificate \(certificatePath) and the key \(keyPath) do not belong together or are "
        + "damaged: \(reason)"
    case .startFailed(let reason): "the HTTP server does not start: \(reason)"
    case .tlsNotInUse: "the server was started without a certificate, so there is none to renew"
    case .stopped: "the server is stopped"
    }
  }
}
