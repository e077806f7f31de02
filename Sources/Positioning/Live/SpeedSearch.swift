import Glibc

/// Finds the speed of a serial receiver: the first at which two sentences have right checksums.
///
/// A wrong speed turns text into noise, in which no two checksums of eight bits will fit at once.
struct SpeedSearch {
  let port: SerialPort.Port
  let path: String
  /// A speed to try before the usual ones.
  let first: Int?

  /// The speed, and the bytes that showed it; nil where the reader gave up.
  func run(_ loop: LiveLoop) throws(LiveProblem) -> (baud: Int, bytes: [UInt8])? {
    let usual = SerialPort.usualSpeeds
    let speeds = (first.map { [$0] } ?? []) + usual.filter { $0 != first }
    for baud in speeds {
      try SerialPort.setSpeed(baud, of: port, path: path)
      switch try listen(loop) {
      case .cancelled: return nil
      case .fits(let bytes): return (baud, bytes)
      case .doesNotFit: continue
      }
    }
    throw .noSpeedFits(path: path, tried: speeds)
  }

  private enum Finding {
    case cancelled
    case fits([UInt8])
    case doesNotFit
  }

  private func listen(_ loop: LiveLoop) throws(LiveProblem) -> Finding {
    let number = port.descriptor.number
    let deadline = ContinuousClock.now + loop.patience.speed
    var checksums = ChecksumCount()
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while ContinuousClock.now < deadline {
      switch loop.channel.wait(for: number, timeout: deadline - .now) {
      case .cancelled: return .cancelled
      case .timedOut: return .doesNotFit
      case .ready: break
      }
      let count = read(number, &buffer, buffer.count)
      if count < 0, errno == EAGAIN || errno == EINTR { continue }
      if count < 0 { throw SerialPort.problem(errno, path: path) }
      if count == 0 { throw .deviceGone(path: path) }
      bytes += buffer[..<count]
      checksums.take(buffer[..<count])
      if checksums.right >= 2 { return .fits(bytes) }
    }
    return .doesNotFit
  }
}

/// Counts the sentences in a stream whose checksum is right.
struct ChecksumCount {
  private(set) var right = 0
  private var state = State.outside

  private enum State {
    case outside
    case body(xor: UInt8)
    case firstDigit(xor: UInt8)
    case secondDigit(xor: UInt8, high: UInt8)
  }

  mutating func take(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { state = next(byte) }
  }

  private mutating func next(_ byte: UInt8) -> State {
    switch (state, byte) {
    case (_, UInt8(ascii: "$")): return .body(xor: 0)
    case (.body(let xor), UInt8(ascii: "*")): return .firstDigit(xor: xor)
    case (.body(let xor), 0x20...0x7e): return .body(xor: xor ^ byte)
    case (.firstDigit(let xor), _):
      return Self.digit(byte).map { .secondDigit(xor: xor, high: $0) } ?? .outside
    case (.secondDigit(let xor, let high), _):
      if let low = Self.digit(byte), xor == high << 4 | low { right += 1 }
      return .outside
    default: return .outside
    }
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    Character(Unicode.Scalar(byte)).hexDigitValue.map(UInt8.init)
  }
}
