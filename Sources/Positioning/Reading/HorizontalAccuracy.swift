import Geo

/// The project's meaning of accuracy, the radius of 68 %, from what satellite receivers give instead.
enum HorizontalAccuracy {
  /// The error of one measured range that makes HDOP meters, where nothing better is known.
  static let usualUserRangeError = Distance.meters(5)

  /// From a dilution of precision; nil where it is not above zero.
  static func fromHDOP(_ hdop: Double, userRangeError: Distance) -> Distance? {
    hdop > 0 ? .meters(hdop * userRangeError.meters) : nil
  }

  /// From one-sigma errors of latitude and longitude in meters; nil where both are zero.
  ///
  /// A round Gaussian holds 68 % within 1.51 of its sigma: sqrt(-2 ln 0.32).
  static func fromSigmas(latitude: Double, longitude: Double) -> Distance? {
    let square = (latitude * latitude + longitude * longitude) / 2
    return square > 0 ? .meters(1.51 * square.squareRoot()) : nil
  }

  /// From gpsd's `eph`, which is HDOP times 19 m; nil where it is not above zero.
  static func fromEPH(_ ephInMeters: Double, userRangeError: Distance) -> Distance? {
    ephInMeters > 0 ? .meters(ephInMeters / 19 * userRangeError.meters) : nil
  }
}
