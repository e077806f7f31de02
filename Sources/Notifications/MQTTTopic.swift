import Geofencing

/// The topic that an event is published under: `doorstep/events/<store>/<kind>`.
enum MQTTTopic {
  /// What would split the store's level, match as a wildcard or be refused by a broker is
  /// percent-encoded.
  static func topic(of event: FenceEvent) -> String {
    var level: [UInt8] = []
    let digits = Array("0123456789ABCDEF".utf8)
    for byte in event.fence.rawValue.utf8 {
      switch byte {
      case 0..<0x20, 0x7f, UInt8(ascii: "%"), UInt8(ascii: "/"), UInt8(ascii: "+"),
        UInt8(ascii: "#"):
        level += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      default: level.append(byte)
      }
    }
    return "doorstep/events/\(String(decoding: level, as: UTF8.self))/\(event.kind.rawValue)"
  }
}
