import API
import Geo
import Geofencing
import HTTP
import JSON
import Persistence

/// `/v1/fences`: reading and editing the fences; an edit holds for the next fix.
struct FenceRoutes {
  let host: EngineHost
  let keys: APIKeyring

  private static let geoJSON = "application/geo+json"
  private static let editRules = Route.BodyRules(mediaTypes: ["application/json", geoJSON])
  private static let longestList = 100

  var routes: [Route] {
    [
      .suspending(.get, "/v1/fences", for: .fences, by: keys) {
        request, _ async throws(APIError) in try list(request)
      },
      .suspending(.get, "/v1/fences/{id}", for: .fences, by: keys) {
        request, _ async throws(APIError) in try show(request)
      },
      .suspending(.put, "/v1/fences/{id}", for: .fences, by: keys, body: Self.editRules) {
        request, _ async throws(APIError) in try await put(request)
      },
      .suspending(.delete, "/v1/fences/{id}", for: .fences, by: keys) {
        request, _ async throws(APIError) in
        let id = Fence.ID(request.parameter("id"))
        guard try await edit({ try await host.delete(id) }) else { throw Self.unknown(id) }
        return HTTPResponse(.noContent)
      },
      .suspending(
        .post, "/v1/fences:import", for: .fences, by: keys,
        body: Route.BodyRules(mediaTypes: ["application/json", Self.geoJSON, "text/csv"])
      ) { request, _ async throws(APIError) in try await importFences(request) },
    ]
  }

  // MARK: Reading

  private func list(_ request: HTTPRequest) throws(APIError) -> HTTPResponse {
    let current = host.fences
    let near = try coordinate("near", of: request)
    let containing = try coordinate("containing", of: request)
    let limit = try limit(of: request)
    if near != nil, containing != nil {
      throw APIError(.validationError, "Give near or containing, not both.")
    }
    return answer(request, revision: current.revision) {
      if let near {
        FenceGeoJSON.write(current.set.near(near, limit: limit).map(\.fence))
      } else if let containing {
        FenceGeoJSON.write(current.set.containing(containing).map(\.fence))
      } else {
        FenceGeoJSON.write(current.set.fences)
      }
    }
  }

  private func show(_ request: HTTPRequest) throws(APIError) -> HTTPResponse {
    let current = host.fences
    let id = Fence.ID(request.parameter("id"))
    guard let fence = current.set[id] else { throw Self.unknown(id) }
    return answer(request, revision: current.revision) { FenceGeoJSON.write(fence) }
  }

  /// What the fences say at a revision, or 304 where the client has it already.
  private func answer(
    _ request: HTTPRequest, revision: Int, body: () -> [UInt8]
  ) -> HTTPResponse {
    let tag = "\"\(revision)\""
    let headers: HTTPHeaders = [
      .contentType: Self.geoJSON, .eTag: tag, .cacheControl: "no-cache",
    ]
    let known = (request.headers[.ifNoneMatch] ?? "").split(separator: ",").map { text in
      var text = text.drop { $0 == " " }
      if text.hasPrefix("W/") { text = text.dropFirst(2) }
      return text
    }
    if known.contains(where: { $0 == tag[...] || $0 == "*" }) {
      return HTTPResponse(.notModified, headers: headers)
    }
    return HTTPResponse(.ok, headers: headers, body: body())
  }

  private func coordinate(
    _ name: String, of request: HTTPRequest
  ) throws(APIError) -> Coordinate? {
    guard let text = request.queryValue(name) else { return nil }
    let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
    guard parts.count == 2, let latitude = parts[0], let longitude = parts[1],
      let coordinate = Coordinate(latitude: latitude, longitude: longitude)
    else {
      throw APIError(.validationError, "\(name) is a latitude and a longitude, as 45.42,-75.69.")
    }
    return coordinate
  }

  private func limit(of request: HTTPRequest) throws(APIError) -> Int {
    guard let text = request.queryValue("limit") else { return 10 }
    guard let limit = Int(text), (1...Self.longestList).contains(limit) else {
      throw APIError(.validationError, "limit is a number from 1 to \(Self.longestList).")
    }
    return limit
  }

  private static func unknown(_ id: Fence.ID) -> APIError {
    APIError(.notFound, "There is no fence '\(id)'.")
  }

  // MARK: Editing

  private func put(_ request: HTTPRequest) async throws(APIError) -> HTTPResponse {
    let found = FenceGeoJSON.read(request.body)
    try refuse(found.problems)
    guard found.fences.count == 1, let fence = found.fences.first else {
      throw APIError(.validationError, "The body is one Feature.")
    }
    guard fence.id.rawValue == request.parameter("id") else {
      throw APIError(.validationError, "The id of the feature is not that of the path.")
    }
    let isNew = try await edit { try await host.put(fence) }
    return HTTPResponse(
      isNew ? .created : .ok, headers: [.contentType: Self.geoJSON],
      body: FenceGeoJSON.write(fence))
  }

  private func importFences(_ request: HTTPRequest) async throws(APIError) -> HTTPResponse {
    let isPartial = try flag("partial", of: request)
    let replaces = try flag("replace", of: request)
    let allowsEmpty = try flag("allowEmpty", of: request)
    let name = request.mediaType == "text/csv" ? "body.csv" : "body.geojson"
    let found = FenceImport(files: [FenceFile(name: name, bytes: request.body)])
    if !isPartial { try refuse(found.problems) }
    let changes = try await edit {
      try await host.importFences(found.fences, replacing: replaces, allowingEmpty: allowsEmpty)
    }
    return .json { json in
      json.member("read", found.fences.count)
      json.member("written", changes.written)
      json.member("deleted", changes.deleted)
      json.member("refusedCount", found.problems.count)
      write(found.problems, named: "refused", to: &json)
    }
  }

  private func flag(_ name: String, of request: HTTPRequest) throws(APIError) -> Bool {
    switch request.queryValue(name) {
    case nil, "false": false
    case "true": true
    default: throw APIError(.validationError, "\(name) is true or false.")
    }
  }

  private func refuse(_ problems: [FenceProblem]) throws(APIError) {
    guard !problems.isEmpty else { return }
    throw APIError(.validationError, "Nothing was changed: \(problems[0].messageWithPlace)") {
      json in
      json.member("problemCount", problems.count)
      write(problems, named: "problems", to: &json)
    }
  }

  private func write(
    _ problems: [FenceProblem], named name: StaticString, to json: inout JSONWriter
  ) {
    json.name(name)
    json.array { json in
      for problem in problems.prefix(Self.longestList) {
        json.object { json in
          json.member("code", problem.code)
          json.member("item", problem.item)
          json.member("id", problem.id)
          json.member("field", problem.field)
          json.member("line", problem.line)
          json.member("column", problem.column)
          json.member("message", problem.message)
        }
      }
    }
  }

  private func edit<Value: Sendable>(
    _ change: () async throws -> Value
  ) async throws(APIError) -> Value {
    do {
      return try await change()
    } catch let error as EngineHost.Failure {
      throw APIError(error)
    } catch let error as DatabaseError {
      throw APIError(error)
    } catch let error as FenceRepository.ReplacementError {
      switch error {
      case .empty:
        throw APIError(
          .conflict,
          "The new set is empty, which would delete all; allowEmpty=true says it is meant.")
      case .idGivenTwice: throw APIError(.validationError, "\(error)")
      case .database(let error): throw APIError(error)
      }
    } catch {
      throw .unexpected
    }
  }
}

extension FenceProblem {
  /// The message, with the fence and field but without the name of a file, for there is none.
  fileprivate var messageWithPlace: String {
    var problem = self
    problem.file = nil
    return problem.description
  }
}
