import Glibc

/// An open stream of bytes, and what its errors mean.
struct ByteStream {
  /// What a stream is of.
  enum Kind {
    case terminal(path: String)
    case pipe(path: String)
    case network(peer: String)
    /// Standard input, or a file: its end is the end.
    case finite(name: String)

    /// What an error in reading means.
    func problem(_ code: Int32) -> LiveProblem {
      switch self {
      case .terminal(let path), .pipe(let path), .finite(let path):
        SerialPort.problem(code, path: path)
      case .network(let peer): .connectionFailed(peer: peer, errno: code)
      }
    }

    /// What its end means; nil where that is no problem.
    var problemOfEnd: LiveProblem? {
      switch self {
      case .terminal(let path): .deviceGone(path: path)
      case .pipe(let path): .writerClosed(path: path)
      case .network(let peer): .closedByPeer(peer: peer)
      case .finite: nil
      }
    }
  }

  let descriptor: OpenDescriptor
  let kind: Kind
  /// For a person.
  let description: String
  /// What was read while the speed was sought.
  var alreadyRead: [UInt8] = []
}

/// Opens the stream of an address, as often as it is lost.
struct ByteStreamOpener {
  let address: LiveSource.Address
  /// The speed that fitted last, which is tried first.
  private var fittingSpeed: Int?

  init(address: LiveSource.Address) { self.address = address }

  /// Opens the stream; nil where the reader gave up.
  mutating func open(_ loop: LiveLoop) throws(LiveProblem) -> ByteStream? {
    switch address {
    case .tcp(let host, let port), .gpsd(let host, let port, _):
      let peer = LiveSource.Address.text(host: host, port: port)
      guard
        let connection = try TCPClient.connect(host: host, port: port, peer: peer, loop: loop)
      else { return nil }
      return ByteStream(
        descriptor: connection.descriptor, kind: .network(peer: peer), description: peer)
    case .standardInput:
      // A duplicate, so that closing it leaves the program's own alone.
      let number = dup(STDIN_FILENO)
      guard number >= 0 else { throw .system(operation: "standard input", errno: errno) }
      return ByteStream(
        descriptor: OpenDescriptor(number), kind: .finite(name: "standard input"),
        description: "standard input")
    case .serial(let path, let baud):
      return try openPath(path, baud: baud, loop)
    }
  }

  private mutating func openPath(
    _ path: String, baud: Int?, _ loop: LiveLoop
  ) throws(LiveProblem) -> ByteStream? {
    let port = try SerialPort.open(path: path)
    guard port.isTerminal else {
      let kind = port.isFile ? ByteStream.Kind.finite(name: path) : .pipe(path: path)
      return ByteStream(descriptor: port.descriptor, kind: kind, description: path)
    }
    let kind = ByteStream.Kind.terminal(path: path)
    if let baud {
      try SerialPort.setSpeed(baud, of: port, path: path)
      return ByteStream(
        descriptor: port.descriptor, kind: kind, description: "\(path) at \(baud) baud")
    }
    let search = SpeedSearch(port: port, path: path, first: fittingSpeed)
    guard let found = try search.run(loop) else { return nil }
    fittingSpeed = found.baud
    return ByteStream(
      descriptor: port.descriptor, kind: kind, description: "\(path) at \(found.baud) baud",
      alreadyRead: found.bytes)
  }
}
