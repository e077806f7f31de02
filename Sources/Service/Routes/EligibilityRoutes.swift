import API
import Geo
import Geofencing
import HTTP
import JSON
import Persistence

/// `/v1/eligibility`: may somebody at a position clock in? Answered from the fences in memory.
struct EligibilityRoutes {
  let host: EngineHost
  let keys: APIKeyring
  let now: @Sendable () -> Timestamp

  /// So many stores may be asked about at once.
  private static let mostStores = 100

  var routes: [Route] {
    [
      .immediate(.get, "/v1/eligibility", for: .eligibility, by: keys) {
        request, _ throws(APIError) in
        try answer { () throws(EligibilityRequest.Problem) in
          try EligibilityRequest(query: request.queryItems, now: now())
        }
      },
      .immediate(
        .post, "/v1/eligibility", for: .eligibility, by: keys,
        body: Route.BodyRules(mediaTypes: ["application/json"])
      ) { request, _ throws(APIError) in
        try answer { () throws(EligibilityRequest.Problem) in
          var parser = JSONParser()
          return try EligibilityRequest(request.body, now: now(), parser: &parser)
        }
      },
    ]
  }

  private func answer(
    _ read: () throws(EligibilityRequest.Problem) -> EligibilityRequest
  ) throws(APIError) -> HTTPResponse {
    let request: EligibilityRequest
    do throws(EligibilityRequest.Problem) { request = try read() } catch {
      if case .syntax(let error) = error { throw APIError(error) }
      throw APIError(.validationError, "\(error)")
    }
    guard request.malformed.isEmpty else {
      throw .invalid(
        request.malformed.map(\.rawValue), "Numbers are JSON numbers and times ISO 8601.")
    }
    let fences = host.fences.set
    switch request.stores.count {
    case 0: return try nearest(request, in: fences)
    case 1:
      let answer = try judge(request.stores[0], request, in: fences)
      return .json { json in write(answer, to: &json) }
    case ...Self.mostStores:
      var answers: [Answer] = []
      for store in request.stores { answers.append(try judge(store, request, in: fences)) }
      return .json { json in
        json.name("stores")
        json.array { json in
          for answer in answers { json.object { json in write(answer, to: &json) } }
        }
      }
    default:
      throw APIError(.validationError, "At most \(Self.mostStores) stores may be asked about.")
    }
  }

  private typealias Answer = (store: Fence.ID, eligibility: Eligibility)

  private func write(_ answer: Answer, to json: inout JSONWriter) {
    json.member("store", answer.store.rawValue)
    answer.eligibility.writeMembers(to: &json)
  }

  private func judge(
    _ store: Fence.ID, _ request: EligibilityRequest, in fences: FenceSet
  ) throws(APIError) -> Answer {
    let eligibility = fences.eligibility(
      at: store, of: request.report, in: request.circumstances)
    guard let eligibility else {
      throw APIError(.notFound, "There is no store '\(store)'.") { json in
        json.member("store", store.rawValue)
      }
    }
    return (store, eligibility)
  }

  /// The store with the shortest way to go, where none is named.
  private func nearest(
    _ request: EligibilityRequest, in fences: FenceSet
  ) throws(APIError) -> HTTPResponse {
    guard case .fix(let fix) = request.report else {
      let problems =
        if case .invalid(let problems) = request.report { problems } else { [] as [FixProblem] }
      throw .invalid(
        problems.map(\.rawValue), "The nearest store can only be told of a valid position.")
    }
    guard let match = fences.near(fix.coordinate, limit: 1).first else {
      throw APIError(.notFound, "There are no stores yet.")
    }
    let answer = try judge(match.fence.id, request, in: fences)
    return .json { json in
      write(answer, to: &json)
      json.member("distanceToGoMeters", (match.distanceToGo.meters * 1000).rounded() / 1000)
    }
  }
}
