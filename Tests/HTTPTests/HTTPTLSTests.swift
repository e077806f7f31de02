import Foundation
import HTTP
import TestSupport
import Testing

@Suite struct HTTPTLSTests {
  @Test func `serves over TLS and renews its certificate`() async throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let files = try Self.makeCertificate(in: folder, name: "shop.example")
    let router = Router(
      SampleRoutes.routes + [
        Route(.get, "/secure", immediate: { SampleRoutes.text("\($0.isSecure)") })
      ])
    try await serving(router, configure: { $0.tls = files }) { server in
      let url = "https://127.0.0.1:\(server.port)"
      #expect(try Curl.run(["-sk", "\(url)/secure"]) == "true")
      #expect(try Curl.run(["-sk", "--data-binary", "abc", "\(url)/v1/echo"]) == "abc")
      #expect(try Self.subject(server.port).contains("shop.example"))
      _ = try Self.makeCertificate(in: folder, name: "new.example")
      try server.reloadTLS()
      #expect(try Self.subject(server.port).contains("new.example"))
      try Data("broken".utf8).write(to: URL(filePath: files.keyPath))
      #expect(throws: HTTPServerError.keyMalformed(path: files.keyPath)) { try server.reloadTLS() }
      #expect(try Curl.run(["-sk", "\(url)/secure"]) == "true")
    }
  }

  @Test func `a connection lives through a renewal until its next answer`() async throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let files = try Self.makeCertificate(in: folder, name: "shop.example")
    let gate = Gate()
    let router = Router([
      Route(
        .get, "/wait",
        suspending: { _ in
          await gate.wait()
          return SampleRoutes.text("late")
        })
    ])
    try await serving(router, configure: { $0.tls = files }) { server in
      let port = server.port
      async let answer = Task.detached {
        try Curl.run(["-sk", "https://127.0.0.1:\(port)/wait"])
      }.value
      #expect(await eventually { gate.isWaitedFor })
      try server.reloadTLS()
      gate.open()
      #expect(try await answer == "late")
      #expect(await eventually { server.connectionCount == 0 })
    }
  }

  @Test func `files that cannot serve are named`() throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let files = try Self.makeCertificate(in: folder, name: "a.example")
    let otherFolder = try TemporaryFolder()
    defer { withExtendedLifetime(otherFolder) {} }
    let other = try Self.makeCertificate(in: otherFolder, name: "b.example")
    let missing = folder.path("none.pem")
    #expect(throws: HTTPServerError.fileMissing(path: missing)) {
      try Self.start(TLSFiles(certificatePath: missing, keyPath: files.keyPath))
    }
    #expect(throws: HTTPServerError.certificateMalformed(path: files.keyPath)) {
      try Self.start(TLSFiles(certificatePath: files.keyPath, keyPath: files.keyPath))
    }
    #expect(throws: HTTPServerError.keyMalformed(path: files.certificatePath)) {
      try Self.start(
        TLSFiles(certificatePath: files.certificatePath, keyPath: files.certificatePath))
    }
    do {
      try Self.start(
        TLSFiles(certificatePath: files.certificatePath, keyPath: other.keyPath))
      Issue.record("a key of another certificate was taken")
    } catch {
      guard case .certificateRefused(let path, _, _) = error else {
        Issue.record("\(error)")
        return
      }
      #expect(path == files.certificatePath)
      #expect("\(error)".contains("do not belong together"))
    }
  }

  private static func start(_ files: TLSFiles) throws(HTTPServerError) {
    _ = try HTTPServer(
      router: SampleRoutes.router, configuration: HTTPServerConfiguration(port: 0, tls: files))
  }

  private static func subject(_ port: Int) throws -> String {
    try shell(
      "openssl s_client -connect 127.0.0.1:\(port) </dev/null 2>/dev/null | openssl x509 -noout -subject"
    )
  }

  private static func makeCertificate(in folder: TemporaryFolder, name: String) throws -> TLSFiles {
    let (certificate, key) = (
      folder.path("certificate.pem"), folder.path("key.pem")
    )
    _ = try shell(
      "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 "
        + "-subj /CN=\(name) -keyout '\(key)' -out '\(certificate)' 2>/dev/null")
    return TLSFiles(certificatePath: certificate, keyPath: key)
  }

  private static func shell(_ command: String) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", command]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self)
  }
}
