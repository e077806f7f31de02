import CGPSD
import Geo
import Glibc

/// One connection to a gpsd at a time, through libgps.
///
/// `gps_data_t` is 24 kB and bound to one thread; it is allocated once, stays behind a pointer, and
/// small values are copied out of it. Of what libgps offers three things are not used, each for a
/// reason found in version 3.22: `gps_stream` cuts a request after 80 bytes, which loses the end of
/// a `/dev/serial/by-id` path; `gps_waiting` can't be woken, and its `select` fails from descriptor
/// 1024 on; and the bits in `set` pile up from message to message, so they are cleared before each.
final class GPSDSession {
  /// What `read` found.
  enum Reading: Equatable {
    case message(GPSDMessage)
    /// A message that says nothing about fixes.
    case other
    /// No whole message is there.
    case incomplete
    /// The connection is over.
    case end
  }

  private let data = UnsafeMutablePointer<gps_data_t>.allocate(capacity: 1)
  private let text = UnsafeMutableBufferPointer<CChar>.allocate(capacity: 512)
  private var isOpen = false

  init() {
    data.initialize(to: gps_data_t())
    text.initialize(repeating: 0)
  }

  deinit {
    close()
    data.deallocate()
    text.deallocate()
  }

  /// The socket; -1 where there is none.
  var descriptor: Int32 { isOpen ? data.pointee.gps_fd : -1 }

  /// Connects; `address` is numeric, so that nothing has to be looked up.
  func open(address: String, port: UInt16, peer: String) throws(LiveProblem) {
    close()
    data.initialize(to: gps_data_t())
    guard gps_open(address, String(port), data) == 0 else {
      // The code is in errno; what gps_open returned means something else to gps_errstr.
      let code = errno
      throw .libgps(peer: peer, detail: String(cString: gps_errstr(code)))
    }
    isOpen = true
  }

  func close() {
    guard isOpen else { return }
    gps_close(data)
    isOpen = false
  }

  /// Sends one request, as in `?DEVICES;`; false where the connection is over.
  func send(_ request: String) -> Bool {
    var line = request + "\n"
    return line.withUTF8 {
      Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) == $0.count
    }
  }

  /// Whether the other side has closed and all that it sent has been read; libgps does not tell that
  /// where a line was cut.
  var isAtEnd: Bool {
    var byte: UInt8 = 0
    return recv(descriptor, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) == 0
  }

  /// Takes the next message that has arrived; does not wait.
  func read() -> Reading {
    data.pointee.set = 0
    text[0] = 0
    let count = gps_read(data, text.baseAddress, Int32(text.count))
    if count < 0 { return .end }
    if count == 0 { return .incomplete }
    return message.map(Reading.message) ?? .other
  }

  private var message: GPSDMessage? {
    let set = data.pointee.set
    func has(_ bit: UInt64) -> Bool { set & bit != 0 }
    if has(MODE_SET) { return .position(position) }
    if has(GST_SET) {
      let north = data.pointee.gst.lat_err_deviation
      let east = data.pointee.gst.lon_err_deviation
      guard north.isFinite, east.isFinite else { return nil }
      return .errors(
        device: device, time: Timestamp(data.pointee.gst.utctime), north: north, east: east)
    }
    if has(SATELLITE_SET) {
      let dilution = data.pointee.dop.hdop
      return dilution.isFinite ? .dilution(device: device, horizontal: dilution) : nil
    }
    if has(DEVICELIST_SET) { return activeDevices.map(GPSDMessage.devices) }
    if has(VERSION_SET) {
      return .version(release: Self.string(&data.pointee.version.release))
    }
    if has(ERROR_SET) { return .refused(Self.string(&data.pointee.error)) }
    return lostDevice.map(GPSDMessage.deviceGone)
  }

  private var device: String { Self.string(&data.pointee.dev.path) }

  private var position: GPSDMessage.Position {
    func known(_ value: Double) -> Double? { value.isFinite ? value : nil }
    let set = data.pointee.set
    let hasCoordinates = set & LATLON_SET != 0
    return GPSDMessage.Position(
      device: device,
      time: set & TIME_SET != 0 ? Timestamp(data.pointee.fix.time) : nil,
      mode: data.pointee.fix.mode,
      status: GPSDMessage.Status(rawValue: data.pointee.fix.status) ?? .unknown,
      latitude: hasCoordinates ? known(data.pointee.fix.latitude) : nil,
      longitude: hasCoordinates ? known(data.pointee.fix.longitude) : nil,
      altitude: set & ALTITUDE_SET != 0 ? known(data.pointee.fix.altMSL) : nil,
      speed: set & SPEED_SET != 0 ? known(data.pointee.fix.speed) : nil,
      track: set & TRACK_SET != 0 ? known(data.pointee.fix.track) : nil,
      // HERR_SET speaks of epx and epy alone; every TPV begins with eph unknown.
      horizontalError: known(data.pointee.fix.eph))
  }

  /// The devices that are active; nil where the list may be cut, because libgps holds four.
  private var activeDevices: [String]? {
    let count = Int(data.pointee.devices.ndevices)
    let capacity = Int(MAXUSERDEVS)
    guard count < capacity else { return nil }
    return withUnsafeMutableBytes(of: &data.pointee.devices.list) { list in
      let devices = list.bindMemory(to: devconfig_t.self)
      return (0..<count).compactMap { index in
        let isActive = Timestamp(devices[index].activated) != nil
        return isActive ? Self.string(&devices[index].path) : nil
      }
    }
  }

  /// The device that a `DEVICE` message says is gone.
  ///
  /// Such a message has the number 0 where a living device has a time, at which libgps stops
  /// parsing; the path is there by then, but no bit is set.
  private var lostDevice: String? {
    guard let start = text.baseAddress else { return nil }
    let message = String(cString: start)
    guard message.hasPrefix(#"{"class":"DEVICE","#), message.contains(#""activated":0}"#) else {
      return nil
    }
    return device
  }

  /// The text in one of C's fixed arrays of characters.
  private static func string<Characters>(_ characters: inout Characters) -> String {
    withUnsafeBytes(of: &characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}

extension Timestamp {
  /// The time that gpsd gives, rounded to the millisecond; nil where it is unset, which is all zero.
  fileprivate init?(_ time: timespec) {
    guard time.tv_sec != 0 || time.tv_nsec != 0 else { return nil }
    self.init(
      millisecondsSince1970: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec + 500_000) / 1_000_000)
  }
}
