import Geo

/// A sentence that carries a position, and a word on whether it is one: GGA, RMC, GNS or GLL.
struct PositionSentence {
  /// The sentences in the order in which an epoch takes its position from them.
  enum Kind: Int { case gga, rmc, gns, gll }

  /// What a sentence says of its own position.
  enum Word {
    case valid
    /// Nothing: the field is empty.
    case silent
    case void
    case estimated
    case simulated
  }

  var kind: Kind
  var time: TimeOfDay?
  var word = Word.silent
  var coordinate: Coordinate?
  var source: Fix.Source?
  var speed: Speed?
  var course: Bearing?
  var altitude: Distance?
  var hdop: Double?
  /// Days since 1970.
  var day: Int?

  private init(kind: Kind) { self.kind = kind }

  /// `time,status,lat,N,lon,E,knots,course,date[,variation,E[,mode[,navigational status]]]`
  ///
  /// The last one tells whether the receiver is fit for navigation at sea, and is no word on the fix.
  static func rmc(_ fields: SentenceFields) throws(SentenceProblem) -> PositionSentence {
    var fields = fields
    try fields.require(atLeast: 9)
    var sentence = PositionSentence(kind: .rmc)
    sentence.time = try fields.time()
    let status = fields.next()
    var rest = fields
    rest.skip(4)
    sentence.speed = rest.next().magnitude.map(Speed.knots)
    sentence.course = rest.next().course
    sentence.day = rest.next().day
    rest.skip(2)
    sentence.take(status: status, mode: rest.next())
    try sentence.takeCoordinate(from: &fields)
    return sentence
  }

  /// `time,lat,N,lon,E,quality,satellites,hdop,altitude,M[,geoid,M,age,station]`
  static func gga(_ fields: SentenceFields) throws(SentenceProblem) -> PositionSentence {
    var fields = fields
    try fields.require(atLeast: 9)
    var sentence = PositionSentence(kind: .gga)
    sentence.time = try fields.time()
    var rest = fields
    rest.skip(4)
    try sentence.take(quality: rest.next())
    rest.skip(1)
    sentence.hdop = rest.next().magnitude
    sentence.altitude = rest.next().decimal.map(Distance.meters)
    try sentence.takeCoordinate(from: &fields)
    return sentence
  }

  /// `time,lat,N,lon,E,modes,satellites,hdop,altitude,geoid,age,station[,navigational status]`
  static func gns(_ fields: SentenceFields) throws(SentenceProblem) -> PositionSentence {
    var fields = fields
    try fields.require(atLeast: 8)
    var sentence = PositionSentence(kind: .gns)
    sentence.time = try fields.time()
    var rest = fields
    rest.skip(4)
    sentence.take(modes: rest.next())
    rest.skip(1)
    sentence.hdop = rest.next().magnitude
    sentence.altitude = rest.next().decimal.map(Distance.meters)
    try sentence.takeCoordinate(from: &fields)
    return sentence
  }

  /// `lat,N,lon,E[,time[,status[,mode]]]`; the oldest receivers send no status.
  static func gll(_ fields: SentenceFields) throws(SentenceProblem) -> PositionSentence {
    var fields = fields
    try fields.require(atLeast: 4)
    var sentence = PositionSentence(kind: .gll)
    var rest = fields
    rest.skip(4)
    sentence.time = try rest.time()
    if fields.count < 6 {
      sentence.word = .valid
    } else {
      sentence.take(status: rest.next(), mode: rest.next())
    }
    try sentence.takeCoordinate(from: &fields)
    return sentence
  }

  /// Where the receiver is sure, the coordinate counts; without one, or at exactly 0, 0, which is
  /// what unset memory looks like, it is not sure after all.
  private mutating func takeCoordinate(
    from fields: inout SentenceFields
  ) throws(SentenceProblem) {
    guard word != .void, word != .silent else { return }
    coordinate = try fields.coordinate()
    guard let coordinate, coordinate.latitude != 0 || coordinate.longitude != 0 else {
      word = .void
      return
    }
  }

  /// Status `A` and a mode letter, where there is one. The standard wants status `V` with the modes
  /// of estimation and simulation, so there the mode says more.
  private mutating func take(status: SentenceField, mode: SentenceField) {
    let isActive = status.letter == UInt8(ascii: "A")
    switch mode.letter {
    case UInt8(ascii: "S"): word = .simulated
    case UInt8(ascii: "E"): word = .estimated
    case UInt8(ascii: "N"): word = .void
    default: word = isActive ? .valid : .void
    }
    source = mode.letter.flatMap(Fix.Source.init(modeLetter:))
  }

  private mutating func take(quality: SentenceField) throws(SentenceProblem) {
    if quality.isEmpty { return }
    guard let number = quality.natural else {
      throw SentenceProblem(.malformed, "quality", quality)
    }
    word = .valid
    switch number {
    case 0: word = .void
    case 1, 3: source = .gps
    case 2, 4, 5: source = .differentialGPS
    case 6: word = .estimated
    case 7: source = .manual
    case 8: word = .simulated
    // A newer quality than the standard's: a fix of unknown kind.
    default: source = nil
    }
  }

  /// One letter for each constellation: the best of them counts.
  private mutating func take(modes: SentenceField) {
    for letter in modes.bytes {
      switch letter {
      case UInt8(ascii: "S"): if word != .valid { word = .simulated }
      case UInt8(ascii: "E"): if word == .silent || word == .void { word = .estimated }
      case UInt8(ascii: "N"): if word == .silent { word = .void }
      default:
        word = .valid
        if source != .differentialGPS { source = Fix.Source(modeLetter: letter) }
      }
    }
  }
}

extension Fix.Source {
  /// By the mode letters of NMEA 2.3 to 4.11.
  fileprivate init?(modeLetter: UInt8) {
    switch modeLetter {
    case UInt8(ascii: "A"), UInt8(ascii: "P"): self = .gps
    case UInt8(ascii: "D"), UInt8(ascii: "R"), UInt8(ascii: "F"): self = .differentialGPS
    case UInt8(ascii: "M"): self = .manual
    default: return nil
    }
  }
}

extension SentenceField {
  /// Degrees from 0 to 360.
  var course: Bearing? {
    magnitude.flatMap { $0 <= 360 ? Bearing(degrees: $0) : nil }
  }
}
