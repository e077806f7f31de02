import Geo
import Persistence

/// Whether somebody came to a planned shift.
package enum Attendance: Hashable, Sendable {
  /// Not yet; and there is still time, so nobody is absent.
  case pending
  case present
  case absent

  /// How long before a shift's begin and after its end working counts as coming to it: 2 h.
  package static let toleranceMilliseconds: Int64 = 2 * 3_600_000
}

extension PlannedShift {
  /// The instants in which working counts as coming to the shift.
  package var attendanceWindow: Range<Timestamp> {
    let tolerance = Attendance.toleranceMilliseconds
    return instants.lowerBound.advanced(
      byMilliseconds: -tolerance)..<instants.upperBound.advanced(byMilliseconds: tolerance)
  }

  /// Judged by the shifts that were worked; absence only once the window has ended, whatever
  /// midnights lie in it.
  package func attendance(_ worked: [WorkedShift], now: Timestamp) -> Attendance {
    let window = attendanceWindow
    let came = worked.contains { shift in
      shift.employment == employment
        && (window.contains(shift.start) || shift.work.contains { $0.overlaps(window) })
    }
    if came { return .present }
    return now < window.upperBound ? .pending : .absent
  }
}
