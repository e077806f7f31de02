import API
import Geofencing
import HTTP
import JSON
import Notifications
import Persistence

/// What those ask who run the service: is it alive, is it of use, and how much does it do?
struct OperationRoutes {
  let host: EngineHost
  let reader: StoreReader
  let hub: EventHub
  let keys: APIKeyring
  let metrics: Metrics

  var routes: [Route] {
    [
      Route(.get, "/healthz", immediate: { _ in .json { $0.member("status", "ok") } }),
      Route(
        .get, "/readyz",
        suspending: { _ in
          do throws(DatabaseError) {
            _ = try await reader.lastSequence()
            return .json { $0.member("status", "ready") }
          } catch {
            return .error(APIError(error))
          }
        }),
      .immediate(.get, "/metrics", for: .admin, by: keys) { _, _ in
        let text = metrics.text(fences: host.fences.set.count, followers: hub.followerCount)
        return HTTPResponse(
          .ok, headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8"],
          body: Array(text.utf8))
      },
    ]
  }
}
