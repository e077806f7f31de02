import Foundation
import TestSupport
import Testing

@Suite struct ServeCommandTests {
  private let folder: TemporaryFolder
  private let database: String

  init() throws {
    folder = try TemporaryFolder()
    database = folder.path("doorstep.db")
  }

  private func serve(_ arguments: String...) throws -> Program.Result {
    try Program.run(["serve", "--database", database] + arguments)
  }

  @Test func `a port in use is said, and ends with 4`() throws {
    let other = try LoopbackServer()
    let result = try serve("--port", "\(other.port)")
    #expect(result.exitCode == 4)
    #expect(result.errors.contains("port \(other.port) of 127.0.0.1 is in use"))
  }

  @Test func `a missing certificate is said, and ends with 4`() throws {
    let result = try serve(
      "--port", "0", "--tls-certificate", folder.path("none.pem"), "--tls-key",
      folder.path("none.key"))
    #expect(result.exitCode == 4)
    #expect(result.errors.contains("none.pem does not exist"))
  }

  @Test func `a file that is no database is said, and ends with 4`() throws {
    try folder.write(String(repeating: "no database at all\n", count: 100), to: "doorstep.db")
    let result = try serve("--port", "0")
    #expect(result.exitCode == 4)
    #expect(result.errors.contains("the file is no database"))
  }

  @Test func `a damaged database is said, and ends with 4`() throws {
    _ = try Program.run(
      ["fences", "import", "--database", database, folder.write(Samples.fences, to: "f.geojson")])
    var bytes = try Data(contentsOf: URL(filePath: database))
    for index in 100..<bytes.count { bytes[index] = 0xa5 }
    try bytes.write(to: URL(filePath: database))
    try? FileManager.default.removeItem(atPath: database + "-wal")
    let result = try serve("--port", "0")
    #expect(result.exitCode == 4)
    #expect(result.errors.contains("the file is damaged"))
  }

  @Test func `a folder that is not there is said, and ends with 4`() throws {
    let result = try Program.run(
      ["serve", "--database", folder.path("nowhere/doorstep.db"), "--port", "0"])
    #expect(result.exitCode == 4)
    #expect(result.errors.contains("its folder does not exist"))
  }

  @Test(arguments: [
    ["--address", "0.0.0.0"], ["--address", "::"], ["--tls-key", "key.pem"], ["--port", "70000"],
  ])
  func `what cannot be meant is wrong usage`(arguments: [String]) throws {
    let result = try Program.run(["serve", "--database", database] + arguments)
    #expect(result.exitCode == 2)
  }

  @Test func `it is told to end, and ends with 0 and a log of whole lines`() async throws {
    let service = try await ServedProgram(database: database, in: folder)
    let connection = try #require(KeptConnection(port: service.port))
    let answer = connection.post(
      "/v1/eligibility", #"{"lat":48,"lng":11}"#, type: "application/json")
    #expect(answer?.status == 404)
    #expect(service.stop() == 0)
    let events = try service.logText.split(separator: "\n").map { line in
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: String]
      return try #require(object?["event"])
    }
    #expect(events == ["open_without_keys", "listening", "stopping", "stopped"])
  }

  @Test func `a hang-up without a certificate is noted, and the service goes on`() async throws {
    let service = try await ServedProgram(database: database, in: folder)
    service.signal(SIGHUP)
    #expect(await eventually { service.logText.contains("certificate_not_renewed") })
    let connection = try #require(KeptConnection(port: service.port))
    #expect(connection.post("/healthz", "", type: "text/plain")?.status == 405)
  }

  @Test func `a hang-up renews the certificate, and what comes after sees the new one`()
    async throws
  {
    let (certificate, key) = (folder.path("chain.pem"), folder.path("key.pem"))
    func makeCertificate(_ name: String) async throws {
      let (code, output) = try await run(
        "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 "
          + "-subj /CN=\(name) -keyout \(key) -out \(certificate)", at: "")
      try #require(code == "0", "\(output)")
    }
    try await makeCertificate("first")
    let service = try await ServedProgram(
      database: database, in: folder, ["--tls-certificate", certificate, "--tls-key", key])
    func subject() async throws -> String {
      try await run(
        "openssl s_client -connect 127.0.0.1:\(service.port) </dev/null 2>/dev/null "
          + "| openssl x509 -noout -subject", at: ""
      ).output
    }
    #expect(try await subject().contains("first"))
    let answer = try await run(
      "curl -sS --cacert \(certificate) --resolve first:\(service.port):127.0.0.1 "
        + "https://first:\(service.port)/healthz", at: "")
    #expect(answer.output.contains("ok"))
    try await makeCertificate("second")
    service.signal(SIGHUP)
    #expect(await eventually { service.logText.contains("certificate_renewed") })
    #expect(try await subject().contains("second"))
    #expect(service.stop() == 0)
  }

  @Test func `the examples of the document run as they stand`() async throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let fences = root.appending(path: "fences").path
    let imported = try Program.run(["fences", "import", "--database", database, fences])
    try #require(imported.exitCode == 0)
    let service = try await ServedProgram(database: database, in: folder)
    let document = try String(
      contentsOf: root.appending(path: "docs/backend.md"), encoding: .utf8)
    let parts = document.components(separatedBy: "```")
    var count = 0
    for (index, part) in parts.enumerated() where part.hasPrefix("sh\n") {
      count += 1
      let (code, output) = try await run(String(part.dropFirst(3)), at: service.address)
      #expect(code == "0", "\(part) says \(output)")
      guard index + 2 < parts.count, parts[index + 2].hasPrefix("json\n") else { continue }
      let wanted = parts[index + 2].dropFirst(5).trimmingCharacters(in: .whitespacesAndNewlines)
      #expect(output.trimmingCharacters(in: .whitespacesAndNewlines) == wanted)
    }
    #expect(count >= 11)
  }

  /// The exit code and output of a script; of a program that a test starts, signals are not blocked.
  private func run(
    _ script: String, at address: String
  ) async throws -> (code: String, output: String) {
    let program = try ChildProgram(
      "bash",
      [
        "-c",
        "exec 2>&1; export DOORSTEP=\(address)\n(set -euo pipefail\n\(script)\n)\ncode=$?; echo; echo exit $code",
      ])
    #expect(await eventually { !program.isRunning })
    let lines = program.lines
    return (
      String(lines.last ?? "").replacing("exit ", with: ""),
      lines.dropLast().joined(separator: "\n")
    )
  }
}
