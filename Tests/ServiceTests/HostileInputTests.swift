import Service
import Geo
import HTTP
import Testing

/// Bodies and paths that are meant to harm: each gets its documented error, and nothing is kept.
@Suite struct HostileInputTests {
  let stores: ServedStores

  init() async throws { stores = try await ServedStores() }

  private static let bodies: [(name: String, bytes: [UInt8])] = [
    ("deep nesting", Array(String(repeating: "[", count: 100_000).utf8)),
    (
      "deep nesting that ends",
      Array((String(repeating: "[", count: 5000) + String(repeating: "]", count: 5000)).utf8)
    ),
    ("duplicate keys", Array(#"{"store":"S","store":"N","lat":48,"lng":11}"#.utf8)),
    ("invalid UTF-8", Array(#"{"store":"S\#u{0}","lat":48,"lng":11}"#.utf8) + [0xff, 0xfe]),
    ("a lone surrogate", Array(#"{"store":"\ud800","lat":48,"lng":11}"#.utf8)),
    ("two documents", Array(#"{"store":"S"} {"store":"S"}"#.utf8)),
    ("half a document", Array(#"{"store":"S","lat":48"#.utf8)),
    (
      "a huge number",
      Array((#"{"store":"S","lat":1"# + String(repeating: "0", count: 400) + #","lng":11}"#).utf8)
    ),
    ("a huge exponent", Array(#"{"store":"S","lat":1e400,"lng":11}"#.utf8)),
    ("a hexadecimal number", Array(#"{"store":"S","lat":0x30,"lng":11}"#.utf8)),
  ]

  @Test(arguments: bodies.indices)
  func `a hostile body is refused everywhere as no valid one`(index: Int) async throws {
    let body = Self.bodies[index]
    let targets: [(HTTPMethod, String)] = [
      (.post, "/v1/eligibility"), (.post, "/v1/positions?subject=D1"), (.put, "/v1/fences/S"),
      (.post, "/v1/fences:import"),
    ]
    for (method, target) in targets {
      let answer = await stores.ask(method, target, bytes: body.bytes)
      if answer.status == 200 {
        // An array that holds an array holds no fix, which is said of it.
        #expect(target.hasPrefix("/v1/positions"), "\(body.name) at \(target)")
        #expect(answer["accepted"] as? Int == 0)
        #expect(answer["refusedCount"] as? Int == 1)
        continue
      }
      #expect(answer.status == 400, "\(body.name) at \(target)")
      #expect(answer.code == "VALIDATION_ERROR", "\(body.name) at \(target)")
    }
    #expect(try stores.events().isEmpty)
    #expect(await stores.get("/v1/fences/S").status == 200)
  }

  @Test(arguments: bodies.indices)
  func `a hostile line of a stream is refused for itself`(index: Int) async throws {
    let body = Self.bodies[index]
    let good = Array(stores.fix("D1").utf8)
    let answer = await stores.ask(
      .post, "/v1/positions?subject=D1", bytes: body.bytes + [10] + good + [10],
      headers: ["Content-Type": "application/x-ndjson"])
    #expect(answer.status == 200, "\(body.name)")
    #expect(answer["received"] as? Int == 2)
    #expect(answer["accepted"] as? Int == 1)
    #expect(answer["refused", 0, "index"] as? Int == 0)
  }

  @Test(arguments: [
    "/v1/fences/%2e%2e%2fetc", "/v1/fences/..", "/v1/fences//", "/v1/fences/%00", "/v1/fences/%ff",
    "/v1/./fences", "/v1/fences/%", "//v1/fences", "/v1/fences/S/",
  ])
  func `a tricky path finds nothing`(path: String) async {
    let answer = await stores.get(path)
    #expect([400, 404].contains(answer.status))
    #expect(answer.code == (answer.status == 400 ? "VALIDATION_ERROR" : "NOT_FOUND"))
  }

  @Test func `a method that a path does not have is told with those that it has`() async {
    let answer = await stores.ask(.delete, "/v1/fences")
    #expect(answer.status == 405)
    #expect(answer.code == "METHOD_NOT_ALLOWED")
    #expect(answer.headers[.allow]?.contains("GET") == true)
  }
}
