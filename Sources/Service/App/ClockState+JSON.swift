import Geo
import JSON
import Persistence
import TimeClock

extension Store {
  /// Which store an answer is of, and the zone of its local times.
  func writeMembers(to json: inout JSONWriter) {
    json.member("typeNum", typeNum)
    json.member("storeName", name)
    json.member("timeZone", timeZone)
  }
}

extension ClockState {
  var name: String {
    switch self {
    case .notClockedIn: "notClockedIn"
    case .clockedIn: "clockedIn"
    case .onBreak: "onBreak"
    }
  }

  func writeMembers(to json: inout JSONWriter, zone: StoreTimeZone, now: Timestamp) {
    json.member("status", name)
    json.member("clockedInSince", clockedInSince?.description)
    json.member("clockedInSinceLocal", clockedInSince.map { zone.text($0) })
    if case .onBreak(let since, _) = self {
      json.member("onBreakSince", since.description)
      json.member("onBreakSinceLocal", zone.text(since))
    }
    json.member("missingOut", isMissingOut(at: now))
  }
}

extension PlannedShift {
  func writeMembers(to json: inout JSONWriter, zone: StoreTimeZone) {
    json.member("start", instants.lowerBound.description)
    json.member("end", instants.upperBound.description)
    json.member("startLocal", zone.text(instants.lowerBound))
    json.member("endLocal", zone.text(instants.upperBound))
    json.member("label", label)
  }
}
