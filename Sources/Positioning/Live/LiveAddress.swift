extension LiveSource {
  /// Where a live source is, as people type it.
  ///
  /// | form | what it is |
  /// |---|---|
  /// | `gpsd://host:port/device` | a gpsd; port 2947, and all its devices, where not given |
  /// | `gpsd:///dev/ttyUSB0` | one device of the gpsd on this machine |
  /// | `/dev/ttyUSB0`, `serial:///dev/ttyUSB0?baud=9600` | a serial port, or any file or pipe |
  /// | `tcp://host:port` | NMEA, or what gpsd's own clients read, over TCP |
  /// | `-` | standard input |
  ///
  /// A USB receiver may come back under another number after it was unplugged; its path below
  /// `/dev/serial/by-id` stays the same.
  public enum Address: Hashable, Sendable {
    /// A gpsd, and the one device of it to watch; nil watches all.
    case gpsd(host: String, port: UInt16, device: String?)
    /// A path, and its speed in baud where it is a terminal; nil tries the usual ones until one gives right checksums.
    case serial(path: String, baud: Int?)
    /// A server that sends NMEA, or gpsd's JSON.
    case tcp(host: String, port: UInt16)
    /// The program's own input, until its end.
    case standardInput

    /// gpsd's registered port.
    public static let gpsdPort: UInt16 = 2947
  }
}

extension LiveSource.Address {
  /// What is wrong with an address, and what was expected.
  public enum Problem: Error, Equatable, Sendable, CustomStringConvertible {
    case empty
    /// What stands before `://` is none of the known words.
    case unknownScheme(String)
    /// Neither an address with `://` nor a path.
    case notAPath(String)
    case hostMissing(form: String)
    case portMissing(form: String)
    case badPort(String, form: String)
    /// An IPv6 address without its brackets, or with one of them.
    case bracketMissing(String)
    /// Something follows that the form has no place for.
    case notExpected(String, form: String)
    /// A device with characters that a request to gpsd can't hold.
    case badDevice(String)
    case unknownSetting(String)
    case badSpeed(String)

    /// What was found, and the form expected.
    public var description: String {
      switch self {
      case .empty:
        "an empty address; expected \(Self.forms)"
      case .unknownScheme(let scheme):
        "\(scheme):// is not known; expected \(Self.forms)"
      case .notAPath(let text):
        "\(text) is neither a path that begins with / nor an address; expected \(Self.forms)"
      case .hostMissing(let form):
        "the host is missing; expected \(form)"
      case .portMissing(let form):
        "the port is missing; expected \(form)"
      case .badPort(let text, let form):
        "\(text) is no port from 1 to 65535; expected \(form)"
      case .bracketMissing(let text):
        "\(text) lacks a bracket; an IPv6 address is written as in [::1]:2947"
      case .notExpected(let text, let form):
        "\(text) is not expected here; expected \(form)"
      case .badDevice(let text):
        "\(text) can't be the name of a device; expected gpsd://host:port/dev/ttyUSB0"
      case .unknownSetting(let text):
        "\(text) is no setting of a serial port; expected /dev/ttyUSB0?baud=9600"
      case .badSpeed(let text):
        "\(text) is no speed; expected auto or one of "
          + SerialPort.speeds.keys.sorted().map(String.init).joined(separator: ", ")
      }
    }

    private static let forms =
      "gpsd://host:port/device, /dev/ttyUSB0, serial:///dev/ttyUSB0?baud=9600, tcp://host:port, or - "
      + "for standard input"
  }

  /// Reads an address in one of the forms above.
  public init(_ text: String) throws(Problem) {
    guard !text.isEmpty else { throw .empty }
    if text == "-" {
      self = .standardInput
      return
    }
    guard let colon = text.firstRange(of: "://") else {
      guard text.hasPrefix("/") || text.hasPrefix("./") || text.hasPrefix("../") else {
        throw .notAPath(text)
      }
      self = try Self.serial(text[...])
      return
    }
    let rest = text[colon.upperBound...]
    switch text[..<colon.lowerBound].lowercased() {
    case "gpsd": self = try Self.gpsd(rest)
    case "serial": self = try Self.serial(rest)
    case "tcp": self = try Self.tcp(rest)
    case let scheme: throw .unknownScheme(scheme)
    }
  }

  private static func gpsd(_ text: Substring) throws(Problem) -> Self {
    let form = "gpsd://host:port/device"
    let slash = text.firstIndex(of: "/") ?? text.endIndex
    let (host, port) = try hostAndPort(text[..<slash], form: form)
    // The path is the device's own, so gpsd://host/dev/ttyUSB0 and gpsd:///dev/ttyUSB0 agree; a
    // device that is itself an address follows its slash, as in gpsd://host/tcp://feed:1234.
    var device = text[slash...]
    if device.dropFirst().contains("://") { device = device.dropFirst() }
    guard device.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7f && $0 != 0x22 && $0 != 0x5c }) else {
      throw .badDevice(String(device))
    }
    return .gpsd(
      host: host.isEmpty ? "localhost" : host, port: port ?? gpsdPort,
      device: device.count > 1 ? String(device) : nil)
  }

  private static func tcp(_ text: Substring) throws(Problem) -> Self {
    let form = "tcp://host:port"
    let slash = text.firstIndex(of: "/") ?? text.endIndex
    guard text[slash...].count <= 1 else { throw .notExpected(String(text[slash...]), form: form) }
    let (host, port) = try hostAndPort(text[..<slash], form: form)
    guard !host.isEmpty else { throw .hostMissing(form: form) }
    guard let port else { throw .portMissing(form: form) }
    return .tcp(host: host, port: port)
  }

  private static func serial(_ text: Substring) throws(Problem) -> Self {
    let question = text.firstIndex(of: "?") ?? text.endIndex
    let path = String(text[..<question])
    guard path.hasPrefix("/") || path.hasPrefix(".") else { throw .notAPath(path) }
    let settings = text[question...].dropFirst()
    guard !settings.isEmpty else { return .serial(path: path, baud: nil) }
    guard settings.hasPrefix("baud=") else { throw .unknownSetting(String(settings)) }
    let speed = settings.dropFirst("baud=".count)
    if speed == "auto" { return .serial(path: path, baud: nil) }
    guard let baud = Int(speed), SerialPort.speeds[baud] != nil else {
      throw .badSpeed(String(speed))
    }
    return .serial(path: path, baud: baud)
  }

  /// `host`, `host:port`, `[::1]`, `[::1]:port`, `:port`.
  private static func hostAndPort(
    _ text: Substring, form: String
  ) throws(Problem) -> (host: String, port: UInt16?) {
    var host = text
    var port: Substring?
    if text.hasPrefix("[") {
      guard let end = text.firstIndex(of: "]") else { throw .bracketMissing(String(text)) }
      host = text[..<end].dropFirst()
      let rest = text[end...].dropFirst()
      guard rest.isEmpty || rest.hasPrefix(":") else {
        throw .notExpected(String(rest), form: form)
      }
      port = rest.isEmpty ? nil : rest.dropFirst()
    } else if let colon = text.firstIndex(of: ":") {
      host = text[..<colon]
      port = text[colon...].dropFirst()
      if text[colon...].dropFirst().contains(":") { throw .bracketMissing(String(text)) }
    }
    guard let port else { return (String(host), nil) }
    guard let number = UInt16(port), number > 0 else { throw .badPort(String(port), form: form) }
    return (String(host), number)
  }

  /// `host:port`, with brackets where the host is an IPv6 address.
  static func text(host: String, port: UInt16) -> String {
    host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
  }
}
