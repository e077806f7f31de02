import Geo

/// Writes fixes as NMEA 0183 sentences: RMC and GGA, and GST where the accuracy is known.
///
/// `NMEADecoder` reads them back: the coordinate to 1e-9 degree, the time and the altitude to the
/// millisecond and millimeter. Of the source only what NMEA has names for survives.
public struct NMEAWriter: Sendable {
  /// Why a fix cannot be written.
  public enum Problem: Error, Equatable, Sendable, CustomStringConvertible {
    /// RMC has two digits for the year, which stand for 1980 to 2079.
    case yearOutOfRange(Int)

    public var description: String {
      switch self {
      case .yearOutOfRange(let year):
        "The year \(year) can't be written as NMEA, which knows 1980 to 2079; use GPX or NDJSON."
      }
    }
  }

  /// The first two characters of each sentence's address.
  public let talker: NMEATalker

  /// Makes a writer of a receiver of several satellite systems, unless told otherwise.
  public init(talker: NMEATalker = .satellites) { self.talker = talker }

  /// Appends the sentences of one fix, each with its checksum and CR LF; all or nothing.
  public func write(_ fix: Fix, to output: inout [UInt8]) throws(Problem) {
    let day = Int(fix.time.millisecondsSince1970.quotientFlooring(by: 86_400_000))
    let date = CivilDate(daysSince1970: day)
    guard (1980...2079).contains(date.year) else { throw .yearOutOfRange(date.year) }
    let time = NMEAWriter.time(fix.time, ofDay: day)
    let position = NMEAWriter.position(fix.coordinate)
    let kind = Kind(of: fix)

    let knots = fix.speed.map { FixedPoint($0.knots, digits: 3).text } ?? ""
    let course = fix.course.map { NMEAWriter.course($0) } ?? ""
    let dayText = [date.day, date.month, date.year % 100].map(NMEAWriter.twoDigits).joined()
    append(
      "RMC,\(time),\(kind.status),\(position),\(knots),\(course),\(dayText),,,\(kind.mode)",
      to: &output)

    let altitude = fix.altitude.map { FixedPoint($0.meters, digits: 3).text } ?? ""
    append("GGA,\(time),\(position),\(kind.quality),,,\(altitude),M,,M,,", to: &output)

    if let accuracy = fix.accuracy {
      // Not zero, which would be unknown.
      let sigma = FixedPoint(max(accuracy.meters / 1.51, 0.0001), digits: 4).text
      append("GST,\(time),,,,,\(sigma),\(sigma),", to: &output)
    }
  }

  private func append(_ body: String, to output: inout [UInt8]) {
    let start = output.count + 1
    output.append(UInt8(ascii: "$"))
    output.append(contentsOf: talker.characters)
    output.append(contentsOf: body.utf8)
    let checksum = output[start...].reduce(0, ^)
    output.append(UInt8(ascii: "*"))
    let digits = Array("0123456789ABCDEF".utf8)
    output.append(digits[Int(checksum >> 4)])
    output.append(digits[Int(checksum & 15)])
    output.append(contentsOf: [0x0d, 0x0a])
  }

  /// The characters by which sentences tell what kind of fix it is.
  private struct Kind {
    var status = "A"
    var mode = "A"
    var quality = 1

    init(of fix: Fix) {
      if fix.isSimulated {
        (status, mode, quality) = ("V", "S", 8)
      } else if fix.source == .differentialGPS {
        (mode, quality) = ("D", 2)
      } else if fix.source == .manual {
        (mode, quality) = ("M", 7)
      }
    }
  }

  /// `hhmmss.sss`
  private static func time(_ time: Timestamp, ofDay day: Int) -> String {
    let milliseconds = Int(time.millisecondsSince1970) - day * 86_400_000
    let clock = [milliseconds / 3_600_000, milliseconds / 60_000 % 60, milliseconds / 1000 % 60]
    return clock.map(twoDigits).joined() + "." + padded(milliseconds % 1000, to: 3)
  }

  /// `ddmm.mmmmmmm,N,dddmm.mmmmmmm,E`
  private static func position(_ coordinate: Coordinate) -> String {
    func angle(_ degrees: Double, digits: Int) -> String {
      let units = Int((abs(degrees) * 6e8).rounded())
      let minutes = units % 600_000_000
      return padded(units / 600_000_000, to: digits) + twoDigits(minutes / 10_000_000) + "."
        + padded(minutes % 10_000_000, to: 7)
    }
    let latitude = angle(coordinate.latitude, digits: 2)
    let longitude = angle(coordinate.longitude, digits: 3)
    return "\(latitude),\(coordinate.latitude < 0 ? "S" : "N"),"
      + "\(longitude),\(coordinate.longitude < 0 ? "W" : "E")"
  }

  /// Hundredths of a degree, below 360.
  private static func course(_ bearing: Bearing) -> String {
    let text = FixedPoint(bearing.degrees, digits: 2).text
    return text == "360.00" ? "0.00" : text
  }

  private static func twoDigits(_ value: Int) -> String { padded(value, to: 2) }

  fileprivate static func padded(_ value: Int, to digits: Int) -> String {
    let text = String(value)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }
}

/// A number with a fixed count of decimals, as sentences have them.
private struct FixedPoint {
  var text: String

  /// Rounds; a magnitude beyond 10^9, which no receiver has, becomes empty: unknown.
  init(_ value: Double, digits: Int) {
    let scale = DigitRun.powersOfTen[digits]
    guard abs(value) < 1e9 else {
      text = ""
      return
    }
    let units = Int((abs(value) * scale).rounded())
    let sign = value < 0 && units > 0 ? "-" : ""
    let fraction = NMEAWriter.padded(units % Int(scale), to: digits)
    text = "\(sign)\(units / Int(scale)).\(fraction)"
  }
}

extension Int64 {
  fileprivate func quotientFlooring(by divisor: Int64) -> Int64 {
    let quotient = self / divisor
    return self % divisor < 0 ? quotient - 1 : quotient
  }
}
