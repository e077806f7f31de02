import Foundation
import Geo

extension Timestamp {
  /// The system's clock. Only mains ask it; what lies below is told.
  static var now: Timestamp {
    Timestamp(secondsSince1970: Date().timeIntervalSince1970) ?? .latest
  }
}
