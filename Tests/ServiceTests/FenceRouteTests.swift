import Geofencing
import Geo
import HTTP
import Testing

@Suite struct FenceRouteTests {
  let stores: ServedStores

  init() async throws { stores = try await ServedStores() }

  private func feature(_ id: String, radius: Double = 200, latitude: Double = 48.2) -> String {
    """
    {"type":"Feature","id":"\(id)","properties":{"radiusMeters":\(radius)},
     "geometry":{"type":"Point","coordinates":[11,\(latitude)]}}
    """
  }

  private func collection(_ features: String...) -> String {
    #"{"type":"FeatureCollection","features":[\#(features.joined(separator: ","))]}"#
  }

  private func ids(_ answer: ServedStores.Answer) -> [String?] {
    (answer["features"] as? [[String: Any]] ?? []).map { $0["id"] as? String }
  }

  @Test func `all fences are GeoJSON, and unchanged ones are not sent again`() async {
    let first = await stores.get("/v1/fences")
    #expect(first.status == 200)
    #expect(first.headers[.contentType] == "application/geo+json")
    #expect(Set(ids(first)) == ["N", "S"])
    let tag = first.headers[.eTag] ?? ""
    for known in [tag, "W/\(tag)", "\"x\", \(tag)", "*"] {
      let again = await stores.get("/v1/fences", headers: ["If-None-Match": known])
      #expect(again.status == 304, "\(known)")
      #expect(again.text.isEmpty)
    }
    _ = await stores.ask(.put, "/v1/fences/E", feature("E"))
    let changed = await stores.get("/v1/fences", headers: ["If-None-Match": tag])
    #expect(changed.status == 200)
    #expect(changed.headers[.eTag] != tag)
    #expect(ids(changed).count == 3)
  }

  @Test func `fences near and around a place are found`() async {
    #expect(ids(await stores.get("/v1/fences?near=48.09,11")) == ["N", "S"])
    #expect(ids(await stores.get("/v1/fences?near=48.01,11&limit=1")) == ["S"])
    #expect(ids(await stores.get("/v1/fences?containing=48.0017,11")) == ["S"])
    #expect(ids(await stores.get("/v1/fences?containing=48.0019,11")) == [])
  }

  @Test(arguments: [
    "near=48", "near=91,11", "near=48,x", "containing=48,11,3", "near=48,11&limit=0",
    "near=48,11&limit=101", "near=48,11&containing=48,11", "near=nan,11",
  ])
  func `a place that is none is refused`(query: String) async {
    #expect(await stores.get("/v1/fences?\(query)").code == "VALIDATION_ERROR")
  }

  @Test func `a fence is put, replaced, shown and deleted`() async {
    #expect(await stores.get("/v1/fences/E").code == "NOT_FOUND")
    #expect(await stores.ask(.put, "/v1/fences/E", feature("E")).status == 201)
    #expect(await stores.ask(.put, "/v1/fences/E", feature("E", radius: 90)).status == 200)
    let shown = await stores.get("/v1/fences/E")
    #expect(shown["properties", "radiusMeters"] as? Double == 90)
    #expect(await stores.ask(.delete, "/v1/fences/E").status == 204)
    #expect(await stores.ask(.delete, "/v1/fences/E").status == 404)
    #expect(await stores.get("/v1/fences/E").status == 404)
  }

  @Test func `an edit holds for the next question and the next fix`() async throws {
    _ = await stores.ask(.post, "/v1/positions", stores.fix(north: 300))
    #expect(try stores.events().isEmpty)
    _ = await stores.ask(.put, "/v1/fences/S", feature("S", radius: 400, latitude: 48))
    let answer = await stores.get("/v1/eligibility?store=S&lat=48.0027&lng=11&accuracyMeters=5")
    #expect(answer["eligible"] as? Bool == true)
    // The last fix is fresh, so it is judged by the new fence at once.
    #expect(try stores.events().map(\.event.kind) == [.entered])
  }

  @Test func `a wrong fence changes nothing, and every problem is named`() async {
    let wrong = """
      {"type":"Feature","id":"E","properties":{"radiusMeters":"9"},
       "geometry":{"type":"Point","coordinates":[11,95]}}
      """
    let answer = await stores.ask(.put, "/v1/fences/E", wrong)
    #expect(answer.status == 400)
    let problems = answer["error", "details", "problems"] as? [[String: Any]] ?? []
    let codes = Set(problems.map { $0["code"] as? String })
    #expect(codes == ["wrong_type", "lat_out_of_range", "looks_swapped"])
    #expect(problems.allSatisfy { $0["line"] is Int && $0["field"] is String })
    #expect(await stores.get("/v1/fences/E").status == 404)
    let other = await stores.ask(.put, "/v1/fences/E", feature("F"))
    #expect(other.code == "VALIDATION_ERROR")
    let two = await stores.ask(.put, "/v1/fences/E", collection(feature("E"), feature("F")))
    #expect(two.code == "VALIDATION_ERROR")
  }

  @Test func `an import is all or nothing unless it may be partial`() async {
    let body = collection(feature("A"), feature("B", radius: -1))
    let refused = await stores.ask(.post, "/v1/fences:import", body)
    #expect(refused.status == 400)
    #expect(refused["error", "details", "problemCount"] as? Int == 1)
    #expect(ids(await stores.get("/v1/fences")).count == 2)
    let partial = await stores.ask(.post, "/v1/fences:import?partial=true", body)
    #expect(partial.status == 200)
    #expect(partial["written"] as? Int == 1)
    #expect(partial["refused", 0, "code"] as? String == "radius_out_of_range")
    #expect(Set(ids(await stores.get("/v1/fences"))) == ["A", "N", "S"])
  }

  @Test func `a replacement removes the others, and an empty one must be meant`() async {
    let empty = await stores.ask(.post, "/v1/fences:import?replace=true", collection())
    #expect(empty.status == 409)
    #expect(empty.code == "CONFLICT")
    #expect(ids(await stores.get("/v1/fences")).count == 2)
    let one = await stores.ask(.post, "/v1/fences:import?replace=true", collection(feature("A")))
    #expect(one["deleted"] as? Int == 2)
    #expect(ids(await stores.get("/v1/fences")) == ["A"])
    let all = await stores.ask(
      .post, "/v1/fences:import?replace=true&allowEmpty=true", collection())
    #expect(all["deleted"] as? Int == 1)
    #expect(ids(await stores.get("/v1/fences")) == [])
    let odd = await stores.ask(.post, "/v1/fences:import?replace=yes", collection())
    #expect(odd.code == "VALIDATION_ERROR")
  }

  @Test func `CSV is imported too`() async {
    let answer = await stores.ask(
      .post, "/v1/fences:import", "id,name,lat,lng,radiusMeters\nA,Ah,48.3,11,150\n",
      headers: ["Content-Type": "text/csv"])
    #expect(answer["written"] as? Int == 1)
    #expect(await stores.get("/v1/fences/A")["properties", "name"] as? String == "Ah")
  }
}
