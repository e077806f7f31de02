import Geo

/// `course,T,course,M,knots,N,km/h,K[,mode]`, or the four numbers alone (NMEA 1.5).
struct CourseAndSpeed {
  let speed: Speed?
  let course: Bearing?

  init(_ sentence: SentenceFields) throws(SentenceProblem) {
    var fields = sentence
    try fields.require(atLeast: 4)
    let hasUnits = fields.count >= 8
    let separator = hasUnits ? 1 : 0
    course = fields.next().course
    fields.skip(separator + 1 + separator)
    let knots = fields.next().magnitude.map(Speed.knots)
    fields.skip(separator)
    let kilometersPerHour = fields.next().magnitude.map(Speed.kilometersPerHour)
    speed = knots ?? kilometersPerHour
  }
}

/// `selection,mode,12 satellites,pdop,hdop,vdop[,system]`: what the receiver makes of one
/// constellation. A mode of 1 says only that this constellation is not used.
struct ActiveSatellites {
  /// The horizontal dilution of precision, where the constellation is used.
  let hdop: Double?

  init(_ sentence: SentenceFields) throws(SentenceProblem) {
    var fields = sentence
    try fields.require(atLeast: 17)
    fields.skip(1)
    let mode = fields.next().natural ?? 1
    fields.skip(13)
    let dilution = fields.next().magnitude
    hdop = mode > 1 ? dilution : nil
  }
}

/// `time,rms,major,minor,orientation,latitude,longitude,altitude`: sigmas in meters.
struct ErrorStatistics {
  let time: TimeOfDay?
  let accuracy: Distance?

  init(_ sentence: SentenceFields) throws(SentenceProblem) {
    var fields = sentence
    try fields.require(atLeast: 8)
    time = try fields.time()
    fields.skip(4)
    let latitude = fields.next().magnitude
    let longitude = fields.next().magnitude
    guard let latitude, let longitude else {
      accuracy = nil
      return
    }
    accuracy = HorizontalAccuracy.fromSigmas(latitude: latitude, longitude: longitude)
  }
}

/// `time,day,month,year,zone,zone`: UTC; the zone is the ship's, for its display.
struct DateAndTime {
  let time: TimeOfDay?
  /// Days since 1970.
  let day: Int?

  init(_ sentence: SentenceFields) throws(SentenceProblem) {
    var fields = sentence
    try fields.require(atLeast: 4)
    time = try fields.time()
    let day = fields.next()
    let month = fields.next()
    let year = fields.next()
    self.day = SentenceField.day(year: year, month: month, day: day)
  }
}
