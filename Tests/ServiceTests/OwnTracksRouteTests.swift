import Geofencing
import Geo
import HTTP
import Testing

/// What the app sends, as its versions really do.
@Suite struct OwnTracksRouteTests {
  let stores: ServedStores
  private let device: HTTPHeaders = ["X-Limit-U": "ana", "X-Limit-D": "phone"]
  /// 2026-03-02T12:00:00Z.
  private let noon = 1_772_452_800

  init() async throws { stores = try await ServedStores() }

  private func post(
    _ body: String, _ target: String = "/v1/owntracks", headers: HTTPHeaders? = nil
  ) async -> ServedStores.Answer {
    var headers = headers ?? device
    headers[.contentType] = "application/json"
    return await stores.ask(.post, target, body, headers: headers)
  }

  private func location(_ more: String = "", time: String? = nil) -> String {
    """
    {"_type":"location","tid":"an","lat":48,"lon":11,"acc":8,"tst":\(time ?? "\(noon)")\(more)}
    """
  }

  @Test func `a location enters its store, and sent again does nothing`() async throws {
    for _ in 0..<2 {
      let answer = await post(location(#","vel":4,"cog":90,"alt":510,"batt":80"#))
      #expect(answer.status == 200)
      #expect(answer.text == "[]")
    }
    #expect(try stores.events().map(\.event.subject.rawValue) == ["ana/phone"])
  }

  @Test func `numbers may be plain decimal strings`() async throws {
    let body = """
      {"_type":"location","lat":"48.0","lon":"11.0","acc":"8","tst":"\(noon)"}
      """
    #expect(await post(body).text == "[]")
    #expect(try stores.events().count == 1)
  }

  @Test(arguments: [
    "", "  ", "{}", #"{"_type":"waypoint","lat":48,"lon":11,"tst":1}"#,
    #"{"_type":"waypoints","waypoints":[]}"#, #"{"_type":"status","android":{}}"#,
    #"{"_type":"lwt","tst":1}"#, #"{"_type":"something new"}"#, "[]", "[7]", "null",
    #"{"_type":"location"}"#, #"{"_type":"location","lat":48,"lon":11,"acc":8}"#,
    #"{"_type":"location","lat":"north","lon":11,"tst":1772452800}"#,
  ])
  func `what brings no position is taken, for the app would send it for ever`(
    body: String
  ) async throws {
    let answer = await post(body)
    #expect(answer.status == 200)
    #expect(answer.text == "[]")
    #expect(try stores.events().isEmpty)
  }

  @Test func `a transition has the phone's position`() async throws {
    let body = """
      {"_type":"transition","event":"enter","desc":"S","lat":48,"lon":11,"acc":8,"tst":\(noon)}
      """
    #expect(await post(body).text == "[]")
    #expect(try stores.events().count == 1)
  }

  @Test func `a receiver that lost its weeks is put right`() async throws {
    // 1024 weeks before, with the time of its making beside it.
    #expect(
      await post(location(#","created_at":\#(noon)"#, time: "\(noon - 619_315_200)")).text == "[]")
    #expect(try stores.events().map(\.event.time) == [ServedStores.noon])
  }

  @Test func `a missing accuracy is unknown, not perfect`() async throws {
    _ = await post(#"{"_type":"location","lat":48.0017,"lon":11,"tst":\#(noon)}"#)
    // At 189 m of 200 an unknown accuracy is no arrival.
    #expect(try stores.events().isEmpty)
  }

  @Test(arguments: [
    (HTTPHeaders(), "/v1/owntracks?u=ana&d=phone", ""),
    (HTTPHeaders(), "/v1/owntracks", #","topic":"owntracks/ana/phone""#),
    (HTTPHeaders(), "/v1/owntracks", #","topic":"owntracks/ana/phone/event""#),
  ])
  func `the device is that of the header, the query or the topic`(
    headers: HTTPHeaders, target: String, more: String
  ) async throws {
    #expect(await post(location(more), target, headers: headers).text == "[]")
    #expect(try stores.events().map(\.event.subject.rawValue) == ["ana/phone"])
  }

  @Test func `nobody's position, and what is no JSON, are refused`() async {
    #expect(await post(location(), headers: [:]).code == "VALIDATION_ERROR")
    #expect(await post("{").code == "VALIDATION_ERROR")
  }
}
