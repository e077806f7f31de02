import Glibc

/// Opens serial ports, and whatever else has a path: pipes and files.
///
/// A port is held for ourselves alone, because two readers would each get half of the bytes; when
/// it is closed, it gets the settings back that it had.
enum SerialPort {
  /// What was opened.
  struct Port {
    let descriptor: OpenDescriptor
    /// Whether it is a terminal; what is none has no speed.
    let isTerminal: Bool
    /// Whether it is a plain file, whose end is the end.
    let isFile: Bool
  }

  /// The speeds that a port can be set to, in baud, and the system's names for them.
  static let speeds: [Int: speed_t] = [
    1200: speed_t(B1200), 2400: speed_t(B2400), 4800: speed_t(B4800), 9600: speed_t(B9600),
    19_200: speed_t(B19200), 38_400: speed_t(B38400), 57_600: speed_t(B57600),
    115_200: speed_t(B115200), 230_400: speed_t(B230400), 460_800: speed_t(B460800),
    921_600: speed_t(B921600),
  ]

  /// The order in which speeds are tried: the receivers' usual ones first.
  static let usualSpeeds = [9600, 38_400, 115_200, 4800, 57_600, 19_200, 230_400, 460_800, 921_600]

  /// Asks whether somebody has claimed a terminal with TIOCEXCL; `_IOR('T', 0x40, int)`, a macro
  /// that Swift does not import.
  private static let askExclusive: UInt = 0x8004_5440

  /// Opens `path` for reading and takes a terminal for ourselves, raw.
  static func open(path: String) throws(LiveProblem) -> Port {
    let number = Glibc.open(path, O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    guard number >= 0 else { throw problem(errno, path: path) }
    var status = stat()
    let isFile = fstat(number, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    var original = termios()
    guard tcgetattr(number, &original) == 0 else {
      return Port(descriptor: OpenDescriptor(number), isTerminal: false, isFile: isFile)
    }
    // TIOCEXCL keeps others out, save root; the lock keeps out root's programs that ask for it.
    var isExclusive: Int32 = 0
    guard ioctl(number, askExclusive, &isExclusive) != 0 || isExclusive == 0,
      flock(number, LOCK_EX | LOCK_NB) == 0, ioctl(number, UInt(TIOCEXCL)) == 0
    else {
      close(number)
      throw .deviceInUse(path: path)
    }
    let descriptor = OpenDescriptor(number) { number in
      var settings = original
      tcsetattr(number, TCSANOW, &settings)
      _ = ioctl(number, UInt(TIOCNXCL))
    }
    var raw = original
    cfmakeraw(&raw)
    raw.c_cflag |= tcflag_t(CLOCAL | CREAD)
    raw.c_cflag &= ~tcflag_t(CRTSCTS)
    try set(&raw, on: descriptor, path: path)
    return Port(descriptor: descriptor, isTerminal: true, isFile: isFile)
  }

  /// Sets the speed of an open terminal, and forgets what came at the old one.
  static func setSpeed(_ baud: Int, of port: Port, path: String) throws(LiveProblem) {
    guard let speed = speeds[baud] else {
      throw .system(operation: "\(baud) baud on \(path)", errno: EINVAL)
    }
    var settings = termios()
    guard tcgetattr(port.descriptor.number, &settings) == 0 else {
      throw problem(errno, path: path)
    }
    guard cfgetispeed(&settings) != speed || cfgetospeed(&settings) != speed else { return }
    cfsetispeed(&settings, speed)
    cfsetospeed(&settings, speed)
    tcflush(port.descriptor.number, TCIFLUSH)
    try set(&settings, on: port.descriptor, path: path)
  }

  private static func set(
    _ settings: inout termios, on descriptor: OpenDescriptor, path: String
  ) throws(LiveProblem) {
    guard tcsetattr(descriptor.number, TCSANOW, &settings) == 0 else {
      throw problem(errno, path: path)
    }
  }

  /// What an error of the system means for a device.
  static func problem(_ code: Int32, path: String) -> LiveProblem {
    switch code {
    case ENOENT, ENOTDIR: .noSuchDevice(path: path)
    case EACCES, EPERM: .notPermitted(path: path)
    case EBUSY: .deviceInUse(path: path)
    case EIO, ENXIO, ENODEV: .deviceGone(path: path)
    default: .system(operation: path, errno: code)
    }
  }
}
