import API
import Geo
import Geofencing
import HTTP
import JSON
import Persistence

/// `/v1/owntracks`: the HTTP mode of the OwnTracks app, which sends whatever it has and wants `[]`.
struct OwnTracksRoutes {
  let host: EngineHost
  let keys: APIKeyring
  let metrics: Metrics

  var routes: [Route] {
    [
      .suspending(
        .post, "/v1/owntracks", for: .positions, by: keys,
        body: Route.BodyRules(mediaTypes: ["application/json"])
      ) {
        request, admission async throws(APIError) in
        let fixes = try fixes(of: request, for: admission)
        do throws(EngineHost.Failure) {
          metrics.count(try await host.receive(fixes).outcomes)
        } catch {
          // The app keeps what was not taken, and sends it again.
          throw APIError(error)
        }
        return HTTPResponse(
          .ok, headers: [.contentType: "application/json"], body: Array("[]".utf8))
      }
    ]
  }

  private func fixes(
    of request: HTTPRequest, for admission: Route.Admission
  ) throws(APIError) -> [SubjectFix] {
    // The app sends an empty body to see whether the service is there.
    guard request.body.contains(where: { $0 > 0x20 }) else { return [] }
    let root: JSONValue
    do throws(JSONSyntaxError) {
      var parser = JSONParser()
      root = try parser.parse(request.body)
    } catch {
      throw APIError(error)
    }
    let messages = root.kind == .array ? Array(root.elements) : [root]
    var fixes: [SubjectFix] = []
    for message in messages {
      guard let report = OwnTracksMessage(message) else { continue }
      let device = device(of: request, topic: report.topic)
      guard let subject = device ?? admission.subject else {
        throw APIError(
          .validationError, "Whose position is it? Set X-Limit-U and X-Limit-D, or u and d.")
      }
      if let only = admission.subject, subject != only {
        throw APIError(.forbidden, "This API key is another subject's.")
      }
      switch report.result {
      case .success(let fix): fixes.append(SubjectFix(subject: subject, fix: fix))
      // A message that is wrong stays so; refused, it would be sent for ever.
      case .failure(let problem): metrics.countRefused(problem.rawValue)
      }
    }
    return fixes
  }

  /// User and device by header, query or topic, as `user/device`.
  private func device(of request: HTTPRequest, topic: String?) -> SubjectID? {
    let user = request.headers["X-Limit-U"] ?? request.queryValue("u")
    let device = request.headers["X-Limit-D"] ?? request.queryValue("d")
    let parts = [user, device].compactMap { $0 }.filter { !$0.isEmpty }
    if !parts.isEmpty { return SubjectID(parts.joined(separator: "/")) }
    let levels = (topic ?? "").split(separator: "/")
    return levels.count >= 3 ? SubjectID(levels[1...2].joined(separator: "/")) : nil
  }
}

/// A message of the app that has a position: `location` or `transition`.
private struct OwnTracksMessage {
  let topic: String?
  let result: Result<Fix, FixProblem>

  /// Nil for every other message: waypoints, status, and what later versions may bring.
  init?(_ json: JSONValue) {
    guard let type = json["_type"], type.isString("location") || type.isString("transition") else {
      return nil
    }
    topic = json["topic"]?.string
    result = Self.fix(json)
  }

  private static func fix(_ json: JSONValue) -> Result<Fix, FixProblem> {
    let latitude = number(json["lat"])
    let longitude = number(json["lon"])
    // The app leaves out an accuracy of zero, which means none.
    let accuracy = number(json["acc"])
    let problems = FixProblem.problems(
      latitude: latitude, longitude: longitude, accuracyMeters: accuracy)
    if let problem = problems.first { return .failure(problem) }
    guard let latitude, let longitude,
      let coordinate = Coordinate(latitude: latitude, longitude: longitude)
    else { return .failure(.latitudeMissing) }
    guard let seconds = number(json["tst"]) ?? number(json["created_at"]) else {
      return .failure(.timeMissing)
    }
    guard let time = Timestamp(secondsSince1970: seconds) else { return .failure(.timeMalformed) }
    let speed = number(json["vel"]).flatMap { $0 >= 0 ? Speed.metersPerSecond($0 / 3.6) : nil }
    return .success(
      Fix(
        coordinate: coordinate, time: time,
        accuracy: accuracy.flatMap { $0 > 0 ? .meters($0) : nil }, speed: speed,
        course: number(json["cog"]).flatMap { $0 >= 0 ? Bearing(degrees: $0) : nil },
        altitude: number(json["alt"]).map { .meters($0) }))
  }

  /// A number, or a text that holds a plain decimal, which some versions send.
  private static func number(_ value: JSONValue?) -> Double? {
    guard let value else { return nil }
    if let number = value.double { return number }
    guard let text = value.string, text.utf8.count <= 40,
      text.utf8.allSatisfy({ "0123456789+-.".utf8.contains($0) })
    else { return nil }
    return Double(text)
  }
}
