/// Where a server listens, and what it grants its clients.
public struct HTTPServerConfiguration: Sendable {
  /// An address in numbers, of IPv4 or IPv6. `0.0.0.0` is every interface of IPv4, `::` every
  /// interface of both.
  public var address: String
  /// 0 lets the system choose.
  public var port: Int
  /// Threads that serve; each has its own connections.
  public var threadCount: Int
  /// Connections above it wait unaccepted until another ends.
  public var connectionLimit: Int
  /// Connections of one address above it are closed at once; nil for no limit.
  public var connectionLimitPerAddress: Int?
  /// How long a client may take to send request line and header fields, in all.
  public var headerTimeout: Duration
  /// How long a client may take for the body, in all; a body that a route reads as a stream is
  /// bound by `idleTimeout` alone.
  public var bodyTimeout: Duration
  /// How long a connection may rest without a byte either way, and between two requests. Whole
  /// seconds.
  public var idleTimeout: Duration
  /// Nil for plain HTTP.
  public var tls: TLSFiles?

  /// The longest path and query, together.
  public static let targetLimitInBytes = 4096
  /// All names and values of the header fields together. Above it the answer is 431 in the
  /// router's format; from 16 KiB on, and for longer targets, in the library's own.
  public static let headersLimitInBytes = 8192

  public init(
    address: String = "127.0.0.1", port: Int = 8080, threadCount: Int = 2,
    connectionLimit: Int = 10_000, connectionLimitPerAddress: Int? = nil,
    headerTimeout: Duration = .seconds(15), bodyTimeout: Duration = .seconds(60),
    idleTimeout: Duration = .seconds(60), tls: TLSFiles? = nil
  ) {
    self.address = address
    self.port = port
    self.threadCount = threadCount
    self.connectionLimit = connectionLimit
    self.connectionLimitPerAddress = connectionLimitPerAddress
    self.headerTimeout = headerTimeout
    self.bodyTimeout = bodyTimeout
    self.idleTimeout = idleTimeout
    self.tls = tls
  }
}

/// A certificate, with the chain up to its root's signer, and its key, as PEM files.
public struct TLSFiles: Sendable, Equatable {
  public var certificatePath: String
  public var keyPath: String

  public init(certificatePath: String, keyPath: String) {
    self.certificatePath = certificatePath
    self.keyPath = keyPath
  }
}
