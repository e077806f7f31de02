import HTTP
import Testing

@Suite struct HTTPHeadersTests {
  @Test func `names are found whatever their case`() {
    let headers: HTTPHeaders = ["X-Limit-U": "anna", .contentType: "text/plain"]
    #expect(headers["x-limit-u"] == "anna")
    #expect(headers["CONTENT-TYPE"] == "text/plain")
    #expect(headers["content-typ"] == nil)
    #expect(headers["content-type2"] == nil)
  }

  @Test func `setting replaces and appending adds`() {
    var headers: HTTPHeaders = [.vary: "Origin", "vary": "Accept"]
    #expect(headers.values(.vary) == ["Origin", "Accept"])
    headers[.vary] = "Cookie"
    #expect(headers.values(.vary) == ["Cookie"])
    headers[.vary] = nil
    #expect(!headers.contains(.vary))
    #expect(headers.count == 0)
  }

  @Test func `no value can begin another field`() {
    var headers = HTTPHeaders()
    headers.append(.location, "/a\r\nSet-Cookie: x\0y")
    #expect(headers[.location] == "/a  Set-Cookie: x y")
  }

  @Test(arguments: ["", "a b", "a:b", "ü", "a\r", "(x)"])
  func `what is no token is no name`(text: String) {
    #expect(HTTPHeaderName(text) == nil)
  }

  @Test(arguments: [
    (ServerSentEvent(data: "x"), "data: x\n\n"),
    (
      ServerSentEvent(id: "7", name: "arrival", data: "a\nb"),
      "id: 7\nevent: arrival\ndata: a\ndata: b\n\n"
    ),
    (ServerSentEvent(data: "a\r\nb\rc\n"), "data: a\ndata: b\ndata: c\ndata: \n\n"),
    (ServerSentEvent(id: "7\nid: 8", data: ""), "id: 7 id: 8\ndata: \n\n"),
    (ServerSentEvent(data: "", retry: .milliseconds(1500)), "retry: 1500\ndata: \n\n"),
  ])
  func `events are written line by line`(event: ServerSentEvent, text: String) {
    #expect(String(decoding: event.bytes, as: UTF8.self) == text)
  }
}
