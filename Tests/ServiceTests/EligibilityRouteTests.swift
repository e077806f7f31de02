import Geo
import HTTP
import Testing

@Suite struct EligibilityRouteTests {
  let stores: ServedStores

  init() async throws { stores = try await ServedStores() }

  private func post(_ body: String) async -> ServedStores.Answer {
    await stores.ask(.post, "/v1/eligibility", body)
  }

  @Test func `one store is answered as the command answers it`() async {
    let answer = await post(
      #"{"store":"S","lat":48,"lng":11,"accuracyMeters":8,"ageSeconds":5}"#)
    #expect(answer.status == 200)
    #expect(
      answer.text == """
        {"store":"S","eligible":true,"verdict":"inside","reason":"inside","distanceMeters":0,\
        "radiusMeters":200,"accuracyMeters":8,"confidence":1,"fixAgeSeconds":5}
        """)
  }

  @Test func `a query says the same as a body`() async {
    let body = await post(
      """
      {"store":"S","lat":48.0018,"lng":11,"accuracyMeters":8,"time":"2026-03-02T11:59:30Z",
       "sentAt":"2026-03-02T12:00:10Z","simulated":true}
      """)
    let query = await stores.get(
      "/v1/eligibility?store=S&lat=48.0018&lng=11&accuracyMeters=8&time=2026-03-02T11:59:30Z"
        + "&sentAt=2026-03-02T12:00:10Z&simulated=true")
    #expect(body.status == 200)
    #expect(query.text == body.text)
    #expect(body["reason"] as? String == "simulated")
    #expect(body["fixAgeSeconds"] as? Double == 40)
  }

  @Test func `several stores are answered in their order`() async {
    let body = await post(#"{"store":["N","S"],"lat":48,"lng":11,"accuracyMeters":8}"#)
    let query = await stores.get(
      "/v1/eligibility?store=N&store=S&lat=48&lng=11&accuracyMeters=8")
    #expect(query.text == body.text)
    #expect(body["stores", 0, "store"] as? String == "N")
    #expect(body["stores", 0, "reason"] as? String == "outside")
    #expect(body["stores", 1, "eligible"] as? Bool == true)
    #expect(body["stores", 2] == nil)
  }

  @Test func `without a store the nearest is told, with the way to go`() async {
    let answer = await stores.get("/v1/eligibility?lat=48.01&lng=11&accuracyMeters=8")
    #expect(answer["store"] as? String == "S")
    #expect(answer["eligible"] as? Bool == false)
    let distance = answer["distanceMeters"] as? Double ?? 0
    // 1111.90 m of meridian at 48° north, by GeographicLib.
    #expect(abs(distance - 1111.90) < 0.02)
    #expect(abs((answer["distanceToGoMeters"] as? Double ?? 0) - (distance - 200)) < 0.002)
  }

  @Test(arguments: [
    (#"{"store":"S","lat":"48","lng":11}"#, ["lat_not_a_number"]),
    (#"{"store":"S","lat":"48,1","lng":11}"#, ["decimal_comma"]),
    (#"{"store":"S","lat":NaN,"lng":11}"#, ["lat_not_a_number"]),
    (#"{"store":"S","lat":48,"lng":1e999}"#, ["lng_not_a_number"]),
    (#"{"store":"S","lat":48,"lng":11,"time":"2026-03-02T12:00:00"}"#, ["time_zone_missing"]),
    (#"{"store":"S","lat":48,"lng":11,"accuracyMeters":true}"#, ["accuracy_not_a_number"]),
  ])
  func `what is written wrongly is refused by its name`(body: String, problems: [String]) async {
    let answer = await post(body)
    #expect(answer.status == 400)
    #expect(answer.code == "VALIDATION_ERROR")
    #expect(answer.problems == problems)
  }

  @Test(arguments: [
    (#"{"store":"S","lat":95,"lng":11}"#, ["lat_out_of_range", "looks_swapped"]),
    (#"{"store":"S","lng":11}"#, ["lat_missing"]),
    (#"{"store":"S","lat":48,"lng":11,"accuracyMeters":-1}"#, ["accuracy_negative"]),
  ])
  func `a position that is none has an answer that says so`(
    body: String, problems: [String]
  ) async {
    let answer = await post(body)
    #expect(answer.status == 200)
    #expect(answer["reason"] as? String == "invalid_fix")
    #expect(answer["problems"] as? [String] == problems)
  }

  @Test(arguments: [
    (#"{"store":"S","lat":48,"lat":49,"lng":11}"#, 400, "VALIDATION_ERROR"),
    (#"{"store":7,"lat":48,"lng":11}"#, 400, "VALIDATION_ERROR"),
    (#"{"store":[],"lat":48,"lng":11}"#, 400, "VALIDATION_ERROR"),
    ("[]", 400, "VALIDATION_ERROR"),
    ("", 400, "VALIDATION_ERROR"),
    (#"{"store":"X","lat":48,"lng":11}"#, 404, "NOT_FOUND"),
    (#"{"store":["S","X"],"lat":48,"lng":11}"#, 404, "NOT_FOUND"),
    (#"{"lat":95,"lng":11}"#, 400, "VALIDATION_ERROR"),
  ])
  func `what cannot be answered has an error`(body: String, status: Int, code: String) async {
    let answer = await post(body)
    #expect(answer.status == status)
    #expect(answer.code == code)
  }

  @Test(arguments: [
    "store=S&lat=48&lat=49&lng=11", "store=S&lat=nan&lng=11", "store=S&lat=0x30&lng=11",
    "store=S&lat=48%2C1&lng=11", "store=S&lat=&lng=11",
  ])
  func `a query is read as strictly as a body`(query: String) async {
    let answer = await stores.get("/v1/eligibility?\(query)")
    #expect(answer.status == 400)
    #expect(answer.code == "VALIDATION_ERROR")
  }

  @Test func `no store at all is said`() async throws {
    let none = try await ServedStores(fences: #"{"type":"FeatureCollection","features":[]}"#)
    #expect(await none.get("/v1/eligibility?lat=48&lng=11").code == "NOT_FOUND")
  }
}
