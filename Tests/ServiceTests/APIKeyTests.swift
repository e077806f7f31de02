import Synchronization
import Service
import Geofencing
import Foundation
import Geo
import HTTP
import Identity
import Persistence
import TestSupport
import Testing

@Suite struct APIKeyTests {
  let stores: ServedStores
  private let administration: Administration
  private let company: Int

  init() async throws {
    stores = try await ServedStores()
    administration = Administration(database: try Database(path: stores.databasePath))
    company = try administration.createCompany(name: "Stores", now: stores.now).id
  }

  private func key(
    _ scopes: Set<APIScope>, subject: String? = nil
  ) async throws -> (id: Int, secret: String) {
    var random = SystemRandomNumberGenerator()
    let made = try administration.createAPIKey(
      name: "key", scopes: scopes, subject: subject.map { SubjectID($0) }, company: company,
      now: stores.now, using: &random)
    await stores.service.tick()
    return (made.key.id, made.secret.revealed)
  }

  private func bearer(_ secret: String) -> HTTPHeaders {
    ["Authorization": "Bearer \(secret)", "Content-Type": "application/json"]
  }

  private let question = "/v1/eligibility?store=S&lat=48&lng=11"

  @Test func `without any key everybody is let in, and with the first nobody is without`()
    async throws
  {
    #expect(await stores.get(question).status == 200)
    let secret = try await key([.eligibility]).secret
    let answer = await stores.get(question)
    #expect(answer.status == 401)
    #expect(answer.code == "UNAUTHORIZED")
    #expect(answer.headers[.wwwAuthenticate] == "Bearer")
    #expect(await stores.get(question, headers: bearer(secret)).status == 200)
  }

  @Test func `beyond this machine a key is demanded though there is none`() async throws {
    let others = try await ServedStores(isLoopback: false)
    #expect(await others.get(question).code == "UNAUTHORIZED")
    #expect(await others.get("/healthz").status == 200)
    #expect(await others.get("/readyz").status == 200)
  }

  @Test func `a key opens what its scopes say`() async throws {
    let targets: [(APIScope, HTTPMethod, String)] = [
      (.eligibility, .get, question), (.positions, .post, "/v1/positions"),
      (.positions, .post, "/v1/owntracks"), (.fences, .get, "/v1/fences"),
      (.fences, .put, "/v1/fences/S"), (.fences, .delete, "/v1/fences/X"),
      (.fences, .post, "/v1/fences:import"), (.events, .get, "/v1/events?after=x"),
      (.admin, .get, "/metrics"),
    ]
    for scope in APIScope.allCases {
      let secret = try await key([scope]).secret
      for (needed, method, target) in targets {
        let answer = await stores.ask(method, target, headers: bearer(secret))
        #expect((answer.status == 403) == (needed != scope), "\(scope) at \(target)")
        #expect(answer.status != 401)
        if needed != scope { #expect(answer.code == "FORBIDDEN") }
      }
    }
  }

  @Test func `a revoked key is refused after the next tick, with the reason`() async throws {
    let (id, secret) = try await key([.eligibility])
    #expect(await stores.get(question, headers: bearer(secret)).status == 200)
    #expect(try administration.revokeAPIKey(id, now: stores.now))
    await stores.service.tick()
    let answer = await stores.get(question, headers: bearer(secret))
    #expect(answer.status == 401)
    #expect(answer["error", "details", "reason"] as? String == "revoked")
  }

  @Test func `a stream tells nothing more once its key is revoked`() async throws {
    let (id, secret) = try await key([.events])
    let other = try await key([.positions]).secret
    try await stores.serving { port in
      let stream = try ChildProgram(
        "curl",
        [
          "-sN", "-H", "Authorization: Bearer \(secret)",
          "http://127.0.0.1:\(port)/v1/events?after=0",
        ])
      #expect(await eventually { stream.lines.contains("retry: 2000") })
      #expect(try administration.revokeAPIKey(id, now: stores.now))
      await stores.service.tick()
      let answer = await stores.ask(
        .post, "/v1/positions", stores.fix(), headers: bearer(other))
      #expect(answer["eventCount"] as? Int == 1)
      #expect(await eventually { !stream.isRunning })
      #expect(!stream.lines.contains { $0.hasPrefix("data:") })
    }
  }

  @Test(arguments: [
    "Bearer doorstep_x", "Bearer ", "Bearer", "Basic !", "Basic bm9jb2xvbg==", "Digest a=b",
    "Bearer doorstep_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
  ])
  func `what is no key is refused`(field: String) async throws {
    _ = try await key([.eligibility])
    let answer = await stores.get(question, headers: ["Authorization": field])
    #expect(answer.status == 401)
    #expect(answer.code == "UNAUTHORIZED")
  }

  @Test func `a key is a password of basic authentication, as OwnTracks sends it`() async throws {
    let secret = try await key([.positions]).secret
    let basic = Data("ana:\(secret)".utf8).base64EncodedString()
    let answer = await stores.ask(
      .post, "/v1/owntracks", headers: ["Authorization": "Basic \(basic)"])
    #expect(answer.text == "[]")
  }

  @Test func `a device's key speaks of the device alone`() async throws {
    let secret = try await key([.positions, .events], subject: "D1").secret
    let body = "[\(stores.fix(nil)),\(stores.fix("D1", after: 1)),\(stores.fix("D2"))]"
    let answer = await stores.ask(.post, "/v1/positions", body, headers: bearer(secret))
    #expect(answer["accepted"] as? Int == 2)
    #expect(answer["refused", 0, "index"] as? Int == 2)
    #expect(answer["refused", 0, "code"] as? String == "FORBIDDEN")
    #expect(try stores.events().map(\.event.subject.rawValue) == ["D1"])
    let others = await stores.get("/v1/events?subject=D2", headers: bearer(secret))
    #expect(others.code == "FORBIDDEN")
    let location = #"{"_type":"location","lat":48,"lon":11,"tst":1772452800}"#
    let tracks = await stores.ask(
      .post, "/v1/owntracks?u=D2", location, headers: bearer(secret))
    #expect(tracks.code == "FORBIDDEN")
  }

  @Test func `the use of a key is remembered, to within minutes`() async throws {
    let (id, secret) = try await key([.eligibility])
    let repository = APIKeyRepository(database: try Database(path: stores.databasePath))
    func used() throws -> Timestamp? {
      try repository.keys(of: company).first { $0.id == id }?.lastUsedAt
    }
    #expect(try used() == nil)
    for seconds in [0, 299, 1] as [Double] {
      stores.advance(seconds: seconds)
      _ = await stores.get(question, headers: bearer(secret))
      await stores.service.tick()
    }
    #expect(try used() == ServedStores.noon.advanced(bySeconds: 300))
  }

  @Test func `the log has neither keys nor positions`() async throws {
    let secret = try await key([.eligibility]).secret
    _ = await stores.get(question, headers: bearer(secret))
    let log = stores.log.withLock { $0.joined() }
    #expect(log.contains("keys_changed"))
    #expect(!log.contains("doorstep_") && !log.contains("lat"))
  }
}
