import API
import Geo
import Geofencing
import Identity
import JSON
import Persistence
import TimeClock

/// The staff clock of the store in the path.
extension AccountHost {
  /// What the clock shows to one person.
  struct ClockStatus: Sendable {
    let store: Store
    let zone: StoreTimeZone
    let time: Timestamp
    let state: ClockState
    let shift: PlannedShift?
    let eligibility: Eligibility
    let suggestion: (store: Store, visit: VisitID?)?
  }

  func clockStatus(
    _ accessToken: Secret, at typeNum: String, _ question: ClockQuestion
  ) throws -> ClockStatus {
    let time = now()
    let employment = try employment(accessToken, at: typeNum, now: time)
    let fence = Fence.ID(employment.store.typeNum)
    let eligibility = question.fences.set.eligibility(
      at: fence, of: question.position.report, in: question.circumstances(now: time))
    guard let eligibility else { throw Self.withoutFence(employment.store) }
    let stores = try accounts.employments(of: employment.user).filter { $0.holds(at: time) }
      .map(\.store)
    let suggestion = question.suggestion(
      insteadOf: fence, among: Set(stores.map { Fence.ID($0.typeNum) }))
    let zone = try Self.zone(of: employment.store)
    return ClockStatus(
      store: employment.store, zone: zone, time: time,
      state: try clock.state(of: employment.id, now: time),
      shift: try plan(of: employment, in: zone, at: time).shift(at: time),
      eligibility: eligibility,
      suggestion: suggestion.flatMap { suggestion in
        stores.first { Fence.ID($0.typeNum) == suggestion.store }.map { ($0, suggestion.visit) }
      })
  }

  /// Judges and records a punch; a repeat with the same idempotency key gets the first answer.
  func punch(
    _ kind: Punch.Kind, _ accessToken: Secret, at typeNum: String, _ question: ClockQuestion,
    statedReason: String?, origin: Punch.Origin, body: [UInt8]
  ) throws -> IdempotentAnswers.Answer {
    let time = now()
    let user = try authorization.caller(accessToken: accessToken, now: time).user
    let employment = try authorization.employment(of: user, at: typeNum, now: time)
    try authorization.require(.clock, for: .own, of: user, at: typeNum, now: time)
    let act = {
      try self.record(
        kind, by: employment, question, statedReason: statedReason, origin: origin, now: time)
    }
    guard let key = origin.idempotencyKey else { return try act() }
    let scope = IdempotencyRepository.Scope(
      user: user.id, route: "\(employment.store.typeNum)/clock/\(kind.rawValue)", key: key)
    return try answers.answer(.init(scope, body: body), now: time, act)
  }

  private func record(
    _ kind: Punch.Kind, by employment: Employment, _ question: ClockQuestion,
    statedReason: String?, origin: Punch.Origin, now time: Timestamp
  ) throws -> IdempotentAnswers.Answer {
    let fence = Fence.ID(employment.store.typeNum)
    let judged = JudgedReport(
      question.position.report, at: fence, in: question.fences.set,
      revision: question.fences.revision, circumstances: question.circumstances(now: time))
    guard let judged else { throw Self.withoutFence(employment.store) }
    let zone = try Self.zone(of: employment.store)
    let attempt = PunchAttempt(
      kind, employment: employment.id, user: employment.user, store: fence,
      statedReason: statedReason, origin: origin)
    let stored: StoredPunch
    do throws(PunchError) {
      stored = try clock.record(attempt, at: judged)
    } catch {
      switch error {
      case .refused(let refusal):
        throw APIError(refusal, fenceVersion: question.fences.revision)
      case .database(let error): throw error
      }
    }
    let state = try clock.state(of: employment.id, now: time)
    var json = JSONWriter()
    json.object { json in
      employment.store.writeMembers(to: &json)
      json.member("punchId", stored.id)
      json.member("kind", kind.rawValue)
      json.member("time", stored.punch.time.description)
      json.member("localTime", zone.text(stored.punch.time))
      state.writeMembers(to: &json, zone: zone, now: time)
      json.name("eligibility")
      json.object { judged.eligibility.writeMembers(to: &$0) }
      json.member("fenceVersion", question.fences.revision)
    }
    return IdempotentAnswers.Answer(status: 200, body: json.bytes)
  }

  /// What is planned for somebody around an instant.
  func plan(
    of employment: Employment, in zone: StoreTimeZone, at time: Timestamp
  ) throws(DatabaseError) -> Schedule {
    let today = zone.day(of: time)
    return Schedule(
      try schedule.entries(
        of: employment.id, from: today.advanced(byDays: -1), through: today), in: zone)
  }

  static func zone(of store: Store) throws(APIError) -> StoreTimeZone {
    guard let zone = StoreTimeZone(identifier: store.timeZone) else { throw .unexpected }
    return zone
  }

  private static func withoutFence(_ store: Store) -> APIError {
    APIError(.notFound, "The store '\(store.typeNum)' has no fence yet; an administrator draws it.")
  }
}

extension APIError {
  fileprivate init(_ refusal: PunchRefusal, fenceVersion: Int) {
    switch refusal {
    case .conflict(_, let state):
      self.init(.conflict, "\(refusal)") { json in
        json.member("status", state.name)
        json.member("clockedInSince", state.clockedInSince?.description)
      }
    case .openElsewhere(let store, let since):
      self.init(.conflict, "\(refusal)") { json in
        json.member("typeNum", store.rawValue)
        json.member("clockedInSince", since.description)
      }
    case .duplicate(let stored):
      self.init(.duplicatePunch, "\(refusal)") { json in
        json.member("punchId", stored.id)
        json.member("time", stored.punch.time.description)
      }
    case .outsideGeofence(let eligibility, let acceptsReason):
      self.init(.outsideGeofence, "\(refusal)") { json in
        json.name("eligibility")
        json.object { eligibility.writeMembers(to: &$0) }
        json.member("fenceVersion", fenceVersion)
        json.member("acceptsReason", acceptsReason)
      }
    }
  }
}
