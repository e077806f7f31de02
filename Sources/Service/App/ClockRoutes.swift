import API
import Geo
import Geofencing
import HTTP
import JSON
import Persistence
import TimeClock

/// `{typeNum}/clock/...`, `schedule` and `hours`: the clock of a store, for those who work there.
struct ClockRoutes {
  let accounts: AccountHost
  let host: EngineHost

  private static let longestKey = 255

  var routes: [Route] {
    [
      .app(.post, "{typeNum}/clock/status") { try await status($0) },
      punch(.clockIn, "{typeNum}/clock/in"),
      punch(.clockOut, "{typeNum}/clock/out"),
      punch(.breakStart, "{typeNum}/clock/break/start"),
      punch(.breakEnd, "{typeNum}/clock/break/end"),
      .app(.post, "{typeNum}/schedule/today") { request in
        let day = try await accounts.scheduledDay(
          try request.accessToken(), at: request.parameter("typeNum"))
        return .json { day.write(to: &$0) }
      },
      .app(.get, "{typeNum}/hours") { request in
        let hours = try await accounts.workedHours(
          try request.accessToken(), at: request.parameter("typeNum"),
          from: try date("from", of: request), through: try date("to", of: request))
        return .json { hours.write(to: &$0) }
      },
    ]
  }

  /// Reads the position; who asks is known, for nobody else is told what is wrong with it.
  private func question(of user: Int, _ body: AppBody) async throws -> ClockQuestion {
    let position = try body.position()
    return ClockQuestion(
      position: position, fences: host.fences,
      presence: await host.presence(of: ClockQuestion.subject(ofUser: user)))
  }

  private func status(_ request: HTTPRequest) async throws -> HTTPResponse {
    let user = try await accounts.userID(try request.accessToken())
    let question = try await question(of: user, AppBody(request))
    let status = try await accounts.clockStatus(
      try request.accessToken(), at: request.parameter("typeNum"), question)
    return .json { json in
      status.store.writeMembers(to: &json)
      json.member("time", status.time.description)
      status.state.writeMembers(to: &json, zone: status.zone, now: status.time)
      json.name("shift")
      if let shift = status.shift {
        json.object { shift.writeMembers(to: &$0, zone: status.zone) }
      } else {
        json.null()
      }
      json.name("eligibility")
      json.object { status.eligibility.writeMembers(to: &$0) }
      json.member("fenceVersion", question.fences.revision)
      if let (store, visit) = status.suggestion {
        json.name("suggestion")
        json.object { json in
          json.member("typeNum", store.typeNum)
          json.member("storeName", store.name)
          json.member("visitId", visit?.description)
        }
      }
    }
  }

  private func punch(_ kind: Punch.Kind, _ path: String) -> Route {
    .app(.post, path) { request in
      let user = try await accounts.userID(try request.accessToken())
      let body = try AppBody(request)
      let reason = try body.text("reason")
      let key = request.headers[.idempotencyKey]
      if let key, !(1...Self.longestKey).contains(key.utf8.count) {
        throw APIError(.validationError, "An Idempotency-Key has 1 to \(Self.longestKey) bytes.")
      }
      let question = try await question(of: user, body)
      let answer = try await accounts.punch(
        kind, try request.accessToken(), at: request.parameter("typeNum"), question,
        statedReason: reason,
        origin: Punch.Origin(
          remoteAddress: request.remoteAddress, clientName: request.clientName,
          idempotencyKey: key),
        body: request.body)
      return HTTPResponse(
        HTTPStatus(answer.status), headers: [.contentType: "application/json"], body: answer.body)
    }
  }

  private func date(_ name: String, of request: HTTPRequest) throws(APIError) -> CivilDate {
    let parts = (request.queryValue(name) ?? "").split(
      separator: "-", omittingEmptySubsequences: false)
    guard parts.map(\.utf8.count) == [4, 2, 2],
      parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
      let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2]),
      let date = CivilDate(year: year, month: month, day: day)
    else { throw .invalid(["\(name)_malformed"], "\"\(name)\" is a date as 2026-03-02.") }
    return date
  }
}
