/// What the columns of a file of separated values mean, by the names in its header.
///
/// Names are compared without case, blanks and punctuation: `Timestamp_ms` is `timestampms`.
struct FixCSVColumns: Equatable, Sendable {
  /// By column; nil where a name says nothing to us, or says what a column before it says.
  private(set) var roles: [Role?] = []
  /// Whether times without a zone are known to be in UTC.
  private(set) var isInUTC = false

  /// What a column holds.
  enum Role: Hashable, Sendable {
    case subject
    /// A name, which is the subject's where no column is called so.
    case name
    /// An instant, as ISO 8601 or as a number.
    case time(EpochUnit)
    case date
    case timeOfDay
    case latitude
    case longitude
    case northSouth
    case eastWest
    case accuracy
    case hdop
    case altitude
    case speed(SpeedUnit)
    case course
    case source
    case simulated
    /// The kind of fix, one of which is none.
    case fixKind
  }

  enum SpeedUnit: Double, Sendable {
    case metersPerSecond = 1
    case kilometersPerHour = 0.2777777777777778
    case knots = 0.5144444444444445
  }

  /// Whether this can be the header of fixes.
  var havePosition: Bool { roles.contains(.latitude) && roles.contains(.longitude) }

  var haveTime: Bool {
    roles.contains { role in
      if case .time = role { true } else { role == .date }
    }
  }

  init(names: [String]) {
    let names = names.map { name in
      String(name.lowercased().unicodeScalars.filter { $0.properties.isAlphabetic || $0.isDigit })
    }
    roles = names.map { FixCSVColumns.rolesByName[$0] }
    joinDateAndTime()
    if roles.contains(.subject) || isInUTC { remove(.name) }
    if names.contains("rcr") { useKilometersPerHour() }
    if names.contains(where: { $0.contains("utc") }) { isInUTC = true }
    removeRepeats()
  }

  /// Date and time of day in two columns are UTC, as the writers that have them mean them.
  private mutating func joinDateAndTime() {
    guard let date = roles.firstIndex(of: .date) else { return }
    if let time = roles.firstIndex(of: .time(.bySize)) {
      roles[time] = .timeOfDay
      isInUTC = true
    } else if !roles.contains(.timeOfDay) {
      roles[date] = .time(.bySize)
    } else {
      isInUTC = true
    }
  }

  /// The loggers that have a column RCR, for the reason of a record, have km/h.
  private mutating func useKilometersPerHour() {
    for index in roles.indices where roles[index] == .speed(.metersPerSecond) {
      roles[index] = .speed(.kilometersPerHour)
    }
  }

  private mutating func remove(_ role: Role) {
    for index in roles.indices where roles[index] == role { roles[index] = nil }
  }

  private mutating func removeRepeats() {
    var seen: Set<Role> = []
    var hasTime = roles.contains(.timeOfDay)
    for index in roles.indices {
      guard let role = roles[index] else { continue }
      if case .time = role {
        if hasTime { roles[index] = nil }
        hasTime = true
      } else if !seen.insert(role).inserted {
        roles[index] = nil
      }
    }
  }

  private static let rolesByName: [String: Role] = {
    let namesByRole: [(Role, String)] = [
      (.subject, "subject subjectid device deviceid employee employeeid user userid"),
      (.name, "name"),
      (
        .time(.bySize),
        "time timestamp datetime timeutc utctime utc timestamputc datetimeutc gpstime fixtime "
          + "isotime epoch unixtime unix tst"
      ),
      (.time(.seconds), "timestamps epochs epochseconds epochsec unixseconds times"),
      (
        .time(.milliseconds),
        "timestampms timems epochms unixms timestampmilliseconds timestampmillis epochmilliseconds "
          + "epochmillis timemillis timemilliseconds"
      ),
      (.date, "date dateutc utcdate utcd"),
      (.timeOfDay, "utct timeofday"),
      (.latitude, "lat latitude latdeg latitudedeg latitudedegrees latdegrees"),
      (
        .longitude,
        "lng lon long longitude londeg lngdeg longitudedeg longitudedegrees lngdegrees"
      ),
      (.northSouth, "ns northsouth latitudens latns"),
      (.eastWest, "ew eastwest longitudeew lonew"),
      (
        .accuracy,
        "accuracymeters accuracy accuracym accuracyinmeters horizontalaccuracy hacc "
          + "horizontalaccuracymeters horizontalaccuracym precision"
      ),
      (.hdop, "hdop"),
      (
        .altitude,
        "altitudemeters altitude alt ele elevation height altitudem altm elevationm elem heightm "
          + "elevationmeters altmsl"
      ),
      (
        .speed(.metersPerSecond),
        "speedmeterspersecond speed speedms speedmps velocity speedmetersperseconds"
      ),
      (.speed(.kilometersPerHour), "speedkmh speedkph speedkmph velocitykmh"),
      (.speed(.knots), "speedknots speedkn speedkt speedkts"),
      (.course, "coursedegrees course bearing heading track cog coursedeg headingdeg bearingdeg"),
      (.source, "source"),
      (.simulated, "simulated issimulated mock ismock isfrommockprovider"),
      (.fixKind, "fix valid fixtype"),
    ]
    var roles: [String: Role] = [:]
    for (role, names) in namesByRole {
      for name in names.split(separator: " ") { roles[String(name)] = role }
    }
    return roles
  }()
}

extension FixCSVColumns {
  /// The separator of a header, the most frequent of comma, semicolon and tab outside quotes, and the
  /// meaning of its columns.
  static func header(_ line: [UInt8]) -> (separator: UInt8, columns: FixCSVColumns) {
    var counts: [UInt8: Int] = [:]
    var isQuoted = false
    for byte in line {
      if byte == .quote { isQuoted.toggle() }
      if !isQuoted { counts[byte, default: 0] += 1 }
    }
    let candidates = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")]
    let separator = candidates.reduce(candidates[0]) { best, next in
      counts[next, default: 0] > counts[best, default: 0] ? next : best
    }
    var reader = CSVRecordReader(separator: separator, at: InputPosition())
    var names: [String] = []
    line.withUnsafeBytes { bytes in
      var index = 0
      guard (reader.next(in: bytes, at: &index) ?? reader.finish()) == .record else { return }
      names = (0..<reader.fieldCount).map { field in
        String(decoding: reader.text[reader.range(ofField: field)], as: UTF8.self)
      }
    }
    return (separator, FixCSVColumns(names: names))
  }
}

extension Unicode.Scalar {
  fileprivate var isDigit: Bool { ("0"..."9").contains(self) }
}
