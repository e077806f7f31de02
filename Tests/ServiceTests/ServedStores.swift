import Foundation
import Geo
import Geofencing
import HTTP
import Identity
import JSON
import Persistence
import Service
import Synchronization
import TestSupport

/// A service over a database of a test's own, with two stores and a clock that the test turns.
final class ServedStores: Sendable {
  static let noon = try! Timestamp(iso8601: "2026-03-02T12:00:00Z")
  static let fences = """
    {"type":"FeatureCollection","features":[
    {"type":"Feature","id":"S","properties":{"name":"South","radiusMeters":200},
     "geometry":{"type":"Point","coordinates":[11,48]}},
    {"type":"Feature","id":"N","properties":{"name":"North","radiusMeters":200},
     "geometry":{"type":"Point","coordinates":[11,48.1]}}]}
    """

  let folder: TemporaryFolder
  let service: Service
  let log = Mutex<[String]>([])
  private let time = Mutex(noon)

  var databasePath: String { folder.path("doorstep.db") }
  var now: Timestamp { time.withLock { $0 } }

  /// `folder` has the database of a service before, or none.
  init(
    folder: TemporaryFolder? = nil, fences: String = ServedStores.fences, isLoopback: Bool = true
  ) async throws {
    let folder = try folder ?? TemporaryFolder()
    self.folder = folder
    let read = FenceGeoJSON.read(Array(fences.utf8))
    let repository = FenceRepository(database: try Database(path: folder.path("doorstep.db")))
    if try repository.count() == 0 { _ = try repository.upsert(read.get(), at: Self.noon) }
    let turned = Turned()
    service = try await Service(
      databasePath: folder.path("doorstep.db"), opensWithoutKeys: isLoopback,
      passwordCost: PasswordHasher.Cost(passes: 1, memoryInBytes: 8192)!,
      now: { turned.now() }, log: { turned.note($0) })
    turned.stores.withLock { $0.value = self }
  }

  /// Lets the service ask for the time before and after it belongs to its stores.
  private final class Turned: Sendable {
    struct Reference: Sendable { weak var value: ServedStores? }
    let stores = Mutex(Reference())

    func now() -> Timestamp { stores.withLock { $0.value }?.now ?? ServedStores.noon }

    func note(_ line: LogLine) {
      let text = String(decoding: line.bytes(at: ServedStores.noon), as: UTF8.self)
      stores.withLock { $0.value }?.log.withLock { $0.append(text) }
    }
  }

  func advance(seconds: Double) {
    time.withLock { $0 = $0.advanced(bySeconds: seconds) }
  }

  // MARK: Requests

  struct Answer {
    let status: Int
    let headers: HTTPHeaders
    let text: String

    /// What the body holds at names and indices; nil where there is nothing.
    subscript(path: Any...) -> Any? {
      var value = try? JSONSerialization.jsonObject(
        with: Data(text.utf8), options: .fragmentsAllowed)
      for step in path {
        switch step {
        case let name as String: value = (value as? [String: Any])?[name]
        case let index as Int:
          let array = value as? [Any] ?? []
          value = array.indices.contains(index) ? array[index] : nil
        default: return nil
        }
      }
      return value is NSNull ? nil : value
    }

    var code: String? { self["error", "code"] as? String }
    var problems: [String]? { self["error", "details", "problems"] as? [String] }
  }

  func ask(
    _ method: HTTPMethod, _ target: String, _ body: String = "",
    headers: HTTPHeaders = ["Content-Type": "application/json"]
  ) async -> Answer {
    await ask(method, target, bytes: Array(body.utf8), headers: headers)
  }

  func ask(
    _ method: HTTPMethod, _ target: String, bytes: [UInt8],
    headers: HTTPHeaders = ["Content-Type": "application/json"]
  ) async -> Answer {
    let response = await service.router.respond(
      to: HTTPRequest(method: method, target: target, headers: headers, body: bytes))
    let body = await response.collectedBody()
    return Answer(
      status: response.status.code, headers: response.headers,
      text: String(decoding: body, as: UTF8.self))
  }

  func get(_ target: String, headers: HTTPHeaders = [:]) async -> Answer {
    await ask(.get, target, headers: headers)
  }

  /// A fix, so many seconds from now and meters north of the southern store.
  func fix(
    _ subject: String? = "D1", after seconds: Double = 0, north: Double = 0, accuracy: Double = 8
  ) -> String {
    let name = subject.map { "\"subject\":\"\($0)\"," } ?? ""
    let time = now.advanced(bySeconds: seconds)
    return """
      {\(name)"time":"\(time)","lat":\(48 + north / 111_200),"lng":11,"accuracyMeters":\(accuracy)}
      """
  }

  func events(after sequence: Int = 0) throws -> [StoredEvent] {
    try PresenceRepository(database: Database(path: databasePath)).events(
      after: sequence, limit: 10_000)
  }

  /// Serves on a port of its own while `body` runs.
  func serving(_ body: (_ port: Int) async throws -> Void) async throws {
    let (ports, found) = AsyncStream.makeStream(of: Int.self)
    let service = service
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        defer { found.finish() }
        try await service.run(HTTPServerConfiguration(port: 0)) { found.yield($0.port) }
      }
      guard let port = await ports.first(where: { _ in true }) else {
        throw PeerError("the service does not listen")
      }
      try await body(port)
      group.cancelAll()
      try await group.waitForAll()
    }
  }
}
