import Foundation

/// A pseudo-terminal that stands for a serial receiver, at a path of the test's choosing.
public final class PseudoTerminal {
  private var main: Int32 = -1
  private var other: Int32 = -1
  /// The path to open, a link to the terminal, as `/dev/serial/by-id` has them.
  public let path: String

  /// Makes a terminal and a link to it at `path`.
  public init(path: String) throws {
    self.path = path
    guard openpty(&main, &other, nil, nil, nil) == 0, let name = ttyname(other) else {
      throw PeerError("openpty: \(String(cString: strerror(errno)))")
    }
    _ = fcntl(main, F_SETFD, FD_CLOEXEC)
    _ = fcntl(other, F_SETFD, FD_CLOEXEC)
    var settings = termios()
    tcgetattr(other, &settings)
    cfmakeraw(&settings)
    tcsetattr(other, TCSANOW, &settings)
    // gpsd gives up its rights before it opens a device for the second time.
    chmod(name, 0o666)
    unlink(path)
    guard symlink(name, path) == 0 else {
      throw PeerError("symlink \(path): \(String(cString: strerror(errno)))")
    }
  }

  deinit { unplug() }

  /// Sends what the receiver says.
  public func write(_ bytes: some Sequence<UInt8>) throws {
    let bytes = Array(bytes)
    guard Foundation.write(main, bytes, bytes.count) == bytes.count else {
      throw PeerError("write: \(String(cString: strerror(errno)))")
    }
  }

  /// The settings of the terminal as it is now.
  public var settings: termios {
    var settings = termios()
    tcgetattr(other, &settings)
    return settings
  }

  /// The speed as the system names it, as in `speed_t(B9600)`.
  public var speed: speed_t {
    var settings = settings
    return cfgetospeed(&settings)
  }

  /// Changes the settings, as another program may have left them.
  public func set(_ settings: termios) {
    var settings = settings
    tcsetattr(other, TCSANOW, &settings)
  }

  /// Takes the terminal away, as pulling a USB plug does.
  public func unplug() {
    unlink(path)
    if main >= 0 { close(main) }
    if other >= 0 { close(other) }
    (main, other) = (-1, -1)
  }
}
