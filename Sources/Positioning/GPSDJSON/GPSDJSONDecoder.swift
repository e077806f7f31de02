import Geo
import JSON

/// Reads the JSON lines of gpsd, from its socket or from a log of it.
///
/// A fix is a TPV of mode 2 or 3 with both coordinates; several of one device and time are one fix,
/// of which the last counts, given when the next time, another state, or `flush` comes. Devices are
/// kept apart, and their path is the fix's subject. Mode 0 or 1, exactly 0, 0, and a device that goes
/// are `NoFix`.
///
/// Accuracy is that of a GST report of the same device and epoch; else HDOP, of a SKY at most 10 s
/// away, times the range error; else `eph`, which is HDOP times 19 m. Lines that are no JSON are
/// dropped as malformed; other records of gpsd are passed over; a line ends at 64 KiB.
public struct GPSDJSONDecoder: FixDecoder {
  private let userRangeError: Distance
  private var lines = LineSplitter(limit: 1 << 16)
  private var parser = JSONParser()
  private var devices: [GPSDDevice] = []
  private var receivedAt: Timestamp?

  /// More devices than a gpsd has.
  private static let mostDevices = 64

  /// - Parameter userRangeError: What one of HDOP is in meters, for the receivers of the stream.
  public init(userRangeError: Distance = .meters(5)) { self.userRangeError = userRangeError }

  public mutating func decode(_ bytes: UnsafeRawBufferPointer, into output: inout [Decoded]) {
    var index = 0
    while let line = lines.nextLine(in: bytes, at: &index) {
      switch line {
      case .within(let range):
        read(UnsafeRawBufferPointer(rebasing: bytes[range]), into: &output)
      case .held: readHeld(into: &output)
      case .tooLong:
        output.append(
          .dropped(
            Dropped(
              reason: .lineTooLong, position: lines.position, detail: "a line longer than 64 KiB")))
      }
    }
  }

  /// Takes the next bytes of a live source, and the moment of their reception, which is the time of
  /// reports without one of their own; in a log those are dropped as `time_missing`.
  public mutating func decode(
    _ bytes: UnsafeRawBufferPointer, receivedAt: Timestamp, into output: inout [Decoded]
  ) {
    self.receivedAt = receivedAt
    decode(bytes, into: &output)
  }

  public mutating func finish(into output: inout [Decoded]) {
    if lines.finish() { readHeld(into: &output) }
    flush(into: &output)
  }

  /// Gives the fixes that are held back because their epoch may go on.
  ///
  /// For live use, when nothing came for a while; a report of the same epoch after it is dropped as a
  /// duplicate.
  public mutating func flush(into output: inout [Decoded]) {
    for index in devices.indices {
      devices[index].flush(userRangeError: userRangeError, into: &output)
    }
  }
}

extension GPSDJSONDecoder {
  private mutating func readHeld(into output: inout [Decoded]) {
    let lines = lines
    lines.withHeld { read($0, into: &output) }
  }

  private mutating func read(_ line: UnsafeRawBufferPointer, into output: inout [Decoded]) {
    switch line.firstNonBlank {
    case nil, UInt8(ascii: "#"): return
    case UInt8(ascii: "$"), UInt8(ascii: "!"):
      let dropped = Dropped(
        reason: .unsupported, position: lines.position, detail: "NMEA among gpsd's JSON")
      return output.append(.dropped(dropped))
    default: break
    }
    do throws(JSONSyntaxError) {
      receive(try parser.parse(line), into: &output)
    } catch {
      output.append(.dropped(Dropped(error, inLineAt: lines.position)))
    }
  }

  private mutating func receive(_ record: JSONValue, into output: inout [Decoded]) {
    guard let kind = record["class"] else {
      let dropped = Dropped(
        reason: .malformed, position: lines.position, detail: "a record without class")
      return output.append(.dropped(dropped))
    }
    if kind.isString("TPV") {
      let device = index(ofDevice: record["device"], into: &output)
      devices[device].receive(
        GPSDReportReading(record, received: receivedAt), at: lines.position,
        userRangeError: userRangeError, into: &output)
    } else if kind.isString("SKY"), let hdop = NumberReading(record["hdop"]).value {
      let device = index(ofDevice: record["device"], into: &output)
      devices[device].receive(hdop: hdop, time: time(of: record))
    } else if kind.isString("GST"), let latitude = NumberReading(record["lat"]).value,
      let longitude = NumberReading(record["lon"]).value
    {
      let device = index(ofDevice: record["device"], into: &output)
      devices[device].receive(
        sigmaLatitudeInMeters: latitude, sigmaLongitudeInMeters: longitude,
        time: time(of: record), userRangeError: userRangeError, into: &output)
    } else if kind.isString("DEVICE"), record["activated"]?.double == 0 {
      end(device: record["path"], into: &output)
    } else if kind.isString("VERSION") {
      // A new gpsd: what the old one said is past.
      flush(into: &output)
      devices = []
    }
  }

  private func time(of record: JSONValue) -> Timestamp? {
    if case .value(let time) = TimeReading(record["time"], unit: .seconds) { time } else { nil }
  }

  private mutating func index(
    ofDevice path: JSONValue?, into output: inout [Decoded]
  ) -> Int {
    let found = devices.firstIndex { $0.subject.isNamed(path) }
    if let found { return found }
    if devices.count == GPSDJSONDecoder.mostDevices {
      devices[0].flush(userRangeError: userRangeError, into: &output)
      devices.removeFirst()
    }
    devices.append(GPSDDevice(subject: path?.string.map { SubjectID($0) }))
    return devices.count - 1
  }

  private mutating func end(device path: JSONValue?, into output: inout [Decoded]) {
    guard let index = devices.firstIndex(where: { $0.subject.isNamed(path) }) else { return }
    devices[index].receive(
      .noFix(nil), at: lines.position, userRangeError: userRangeError, into: &output)
    devices.remove(at: index)
  }
}

extension SubjectID? {
  fileprivate func isNamed(_ path: JSONValue?) -> Bool {
    guard let path, path.kind == .string else { return self == nil }
    return path.withStringBytes { bytes in
      self?.rawValue.utf8.elementsEqual(bytes) ?? false
    } ?? false
  }
}
