import CommandLineArguments
import Geo
import Glibc
import HTTP
import Persistence
import Service

/// `doorstep serve`: the service for phones, kiosks and backends.
enum ServeCommand {
  private static let address = Option<String>.defaulting(
    "address", .text("ADDRESS"), to: "127.0.0.1",
    "where to listen: an address in numbers; 0.0.0.0 or :: for all of this machine")
  private static let port = Option<Int>.defaulting(
    "port", .integer("PORT", atLeast: 0, atMost: 65_535), to: "8080",
    "the port; 0 lets the system choose")
  private static let certificate = Option<String?>.optional(
    "tls-certificate", .file("FILE"), "the certificate with its chain, in PEM format")
  private static let key = Option<String?>.optional(
    "tls-key", .file("FILE"), "the certificate's private key, in PEM format")
  private static let insecure = Option<Bool>.flag(
    "insecure-http", "serve beyond this machine without TLS, as behind a proxy that has it")

  static let command = Command(
    "serve", "answers eligibility, positions, fences and events over HTTP",
    discussion: """
      Presence is kept in the database. Edits of its fences and API keys by other commands hold \
      within two seconds. Without any API key, and on an address of this machine alone, everybody is \
      let in. SIGTERM ends it when what is under way is answered; SIGHUP reads the certificate anew. \
      The log is on standard error, a JSON object a line, without positions and credentials.
      """,
    examples: [
      .init("doorstep serve", "for programs of this machine, at http://127.0.0.1:8080"),
      .init(
        "doorstep serve --address :: --port 8443 --tls-certificate chain.pem --tls-key key.pem",
        "for everybody"),
    ],
    parameters: FenceSource.databaseParameters + [address, port, certificate, key, insecure]
  ) { arguments in
    var configuration = HTTPServerConfiguration(
      address: arguments[address], port: arguments[port])
    configuration.tls = try tlsFiles(arguments)
    let isLoopback = configuration.address.hasPrefix("127.") || configuration.address == "::1"
    guard isLoopback || configuration.tls != nil || arguments[insecure] else {
      throw CommandFailure.usage(
        "positions and keys would be sent in clear beyond this machine: give --tls-certificate and "
          + "--tls-key, or --insecure-http behind a proxy that has TLS")
    }
    do {
      let service = try await Service(
        databasePath: try FenceSource.databasePath(arguments), opensWithoutKeys: isLoopback,
        now: { .now }, log: log)
      try await serve(service, configuration)
    } catch {
      throw CommandFailure.outside("\(error)")
    }
    return ExitCode.done
  }

  private static func tlsFiles(_ arguments: Arguments) throws(CommandFailure) -> TLSFiles? {
    switch (arguments[certificate], arguments[key]) {
    case (nil, nil): nil
    case (let certificate?, let key?): TLSFiles(certificatePath: certificate, keyPath: key)
    default: throw .usage("--tls-certificate and --tls-key belong together")
    }
  }

  /// Serves until SIGINT or SIGTERM.
  private static func serve(
    _ service: Service, _ configuration: HTTPServerConfiguration
  ) async throws {
    let (reloads, reload) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let serving = Task {
      try await service.run(configuration) { server in
        Task {
          for await _ in reloads { renewCertificate(of: server) }
        }
      }
    }
    let stops = Signals([SIGINT, SIGTERM]) { serving.cancel() }
    let hangups = Signals([SIGHUP]) { reload.yield() }
    defer {
      stops.ignore()
      hangups.ignore()
      reload.finish()
    }
    try await serving.value
  }

  private static func renewCertificate(of server: HTTPServer) {
    do throws(HTTPServerError) {
      try server.reloadTLS()
      log(LogLine(.info, "certificate_renewed"))
    } catch {
      log(LogLine(.error, "certificate_not_renewed", ("reason", "\(error)")))
    }
  }

  @Sendable private static func log(_ line: LogLine) {
    Diagnostics.write(line.bytes(at: .now))
  }
}
