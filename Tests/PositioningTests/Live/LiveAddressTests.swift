import Positioning
import Testing

struct LiveAddressTests {
  typealias Address = LiveSource.Address

  @Test(arguments: [
    ("gpsd://", Address.gpsd(host: "localhost", port: 2947, device: nil)),
    ("gpsd://pi", .gpsd(host: "pi", port: 2947, device: nil)),
    ("gpsd://pi/", .gpsd(host: "pi", port: 2947, device: nil)),
    ("gpsd://pi:3000", .gpsd(host: "pi", port: 3000, device: nil)),
    ("GPSD://pi:3000", .gpsd(host: "pi", port: 3000, device: nil)),
    ("gpsd://:3000", .gpsd(host: "localhost", port: 3000, device: nil)),
    ("gpsd://pi/dev/ttyUSB0", .gpsd(host: "pi", port: 2947, device: "/dev/ttyUSB0")),
    ("gpsd://pi:3000/dev/ttyS1", .gpsd(host: "pi", port: 3000, device: "/dev/ttyS1")),
    ("gpsd:///dev/ttyUSB0", .gpsd(host: "localhost", port: 2947, device: "/dev/ttyUSB0")),
    (
      "gpsd://pi/tcp://feed:1234", .gpsd(host: "pi", port: 2947, device: "tcp://feed:1234")
    ),
    ("gpsd://[::1]", .gpsd(host: "::1", port: 2947, device: nil)),
    ("gpsd://[fe80::1%eth0]:99", .gpsd(host: "fe80::1%eth0", port: 99, device: nil)),
    ("/dev/ttyUSB0", .serial(path: "/dev/ttyUSB0", baud: nil)),
    ("/dev/ttyUSB0?baud=auto", .serial(path: "/dev/ttyUSB0", baud: nil)),
    ("/dev/ttyUSB0?baud=9600", .serial(path: "/dev/ttyUSB0", baud: 9600)),
    ("serial:///dev/ttyUSB0", .serial(path: "/dev/ttyUSB0", baud: nil)),
    ("serial:///dev/ttyUSB0?baud=38400", .serial(path: "/dev/ttyUSB0", baud: 38_400)),
    ("./pipe", .serial(path: "./pipe", baud: nil)),
    ("tcp://10.0.0.7:2000", .tcp(host: "10.0.0.7", port: 2000)),
    ("tcp://[::1]:65535/", .tcp(host: "::1", port: 65_535)),
    ("-", .standardInput),
  ])
  func `an address is read as it is typed`(text: String, expected: Address) throws {
    #expect(try Address(text) == expected)
  }

  @Test(arguments: [
    ("", Address.Problem.empty),
    ("ttyUSB0", .notAPath("ttyUSB0")),
    ("http://pi", .unknownScheme("http")),
    ("serial://ttyUSB0", .notAPath("ttyUSB0")),
    ("tcp://", .hostMissing(form: "tcp://host:port")),
    ("tcp://:99", .hostMissing(form: "tcp://host:port")),
    ("tcp://pi", .portMissing(form: "tcp://host:port")),
    ("tcp://pi:99/dev", .notExpected("/dev", form: "tcp://host:port")),
    ("gpsd://pi:0", .badPort("0", form: "gpsd://host:port/device")),
    ("gpsd://pi:65536", .badPort("65536", form: "gpsd://host:port/device")),
    ("gpsd://pi:", .badPort("", form: "gpsd://host:port/device")),
    ("gpsd://[::1", .bracketMissing("[::1")),
    ("gpsd://::1", .bracketMissing("::1")),
    ("gpsd://[::1]99", .notExpected("99", form: "gpsd://host:port/device")),
    ("gpsd://pi/dev/\"x", .badDevice("/dev/\"x")),
    ("/dev/ttyUSB0?speed=9600", .unknownSetting("speed=9600")),
    ("/dev/ttyUSB0?baud=9601", .badSpeed("9601")),
    ("/dev/ttyUSB0?baud=", .badSpeed("")),
  ])
  func `what is no address is named, with the form expected`(
    text: String, expected: Address.Problem
  ) {
    #expect(throws: expected) { try Address(text) }
    #expect("\(expected)".contains("expected") || "\(expected)".contains("is written as"))
  }
}
