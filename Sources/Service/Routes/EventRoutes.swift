import API
import Geo
import Geofencing
import HTTP
import JSON
import Persistence
import Notifications

/// `/v1/events`: what happens, as server-sent events; `Last-Event-ID` resumes without a gap.
struct EventRoutes {
  let hub: EventHub
  let keys: APIKeyring

  static let pattern: RoutePattern = "/v1/events"

  var routes: [Route] {
    [
      .suspending(.get, Self.pattern, for: .events, by: keys) {
        request, admission async throws(APIError) in
        let filter = try filter(of: request, for: admission)
        let after = try position(of: request)
        // Followed from here on, so that nothing falls between the answer and the stream's beginning.
        let follower = hub.follow(filter, after: after)
        return .events { writer in await stream(follower, for: admission, to: writer) }
      }
    ]
  }

  private func stream(
    _ follower: EventFollower, for admission: APIKeyring.Admission, to writer: HTTPStreamWriter
  ) async {
    defer { follower.leave() }
    do {
      // A client that connects sees at once that it is connected.
      try await writer.write(Array(": doorstep\nretry: 2000\n\n".utf8))
      while true {
        for stored in try await follower.next() {
          // Revoked since: the client is told so when it connects again.
          guard keys.stillAdmits(admission) else { return }
          var json = JSONWriter()
          stored.event.write(to: &json)
          try await writer.write(
            ServerSentEvent(
              id: String(stored.sequence), name: stored.event.kind.rawValue, data: json.text))
        }
      }
    } catch {
      // The client or the service ends: the client resumes after the last event that it has.
    }
  }

  /// After which event the stream begins; nil for those that are recorded from now on.
  private func position(of request: HTTPRequest) throws(APIError) -> Int? {
    guard let text = request.headers[.lastEventID] ?? request.queryValue("after") else {
      return nil
    }
    guard let sequence = Int(text), sequence >= 0 else {
      throw APIError(.validationError, "Last-Event-ID is the id of an event, or 0 for all.")
    }
    return sequence
  }

  private func filter(
    of request: HTTPRequest, for admission: Route.Admission
  ) throws(APIError) -> EventFilter {
    func values(_ name: String) -> [String]? {
      let values = request.queryItems.filter { $0.name == name }.map(\.value)
      return values.isEmpty ? nil : values
    }
    var kinds: Set<FenceEvent.Kind>?
    for name in values("kind") ?? [] {
      guard let kind = FenceEvent.Kind(rawValue: name) else {
        let known = FenceEvent.Kind.allCases.map(\.rawValue).joined(separator: ", ")
        throw APIError(.validationError, "kind is one of \(known).")
      }
      kinds = (kinds ?? []).union([kind])
    }
    var subjects = values("subject").map { Set($0.map { SubjectID($0) }) }
    if let only = admission.subject {
      guard subjects.map({ $0 == [only] }) ?? true else {
        throw APIError(.forbidden, "This API key is another subject's.")
      }
      subjects = [only]
    }
    return EventFilter(
      fences: values("store").map { Set($0.map { Fence.ID($0) }) }, subjects: subjects,
      kinds: kinds)
  }
}
