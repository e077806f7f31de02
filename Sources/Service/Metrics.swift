import Geofencing
import HTTP
import Synchronization

/// Counts what the service does, for Prometheus.
final class Metrics: Sendable {
  /// Upper bounds of the latency histogram in seconds.
  private static let bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

  private struct Request: Hashable {
    let method: String
    let route: String
    let status: String
  }

  private struct State {
    var requests: [Request: Int] = [:]
    var buckets = [Int](repeating: 0, count: Metrics.bounds.count)
    var durationCount = 0
    var durationSum = 0.0
    var fixes: [FixOutcome: Int] = [:]
    var refusedItems: [String: Int] = [:]
    var events: [FenceEvent.Kind: Int] = [:]
  }

  private let state = Mutex(State())

  /// Counts a request; streams of events, which are meant to last, are not in the histogram.
  func count(_ completion: HTTPCompletion, isStream: Bool) {
    let request = Request(
      method: completion.method.rawValue, route: completion.route?.description ?? "none",
      status: completion.status?.description ?? "none")
    let parts = completion.duration.components
    let seconds = Double(parts.seconds) + Double(parts.attoseconds) / 1e18
    state.withLock { state in
      state.requests[request, default: 0] += 1
      if isStream { return }
      state.durationCount += 1
      state.durationSum += seconds
      if let bucket = Self.bounds.firstIndex(where: { seconds <= $0 }) {
        state.buckets[bucket] += 1
      }
    }
  }

  func count(_ outcomes: [FixOutcome]) {
    state.withLock { state in for outcome in outcomes { state.fixes[outcome, default: 0] += 1 } }
  }

  func countRefused(_ reason: String) {
    state.withLock { $0.refusedItems[reason, default: 0] += 1 }
  }

  func count(_ events: [FenceEvent]) {
    state.withLock { state in for event in events { state.events[event.kind, default: 0] += 1 } }
  }

  /// Everything in Prometheus' text format 0.0.4.
  func text(fences: Int, followers: Int) -> String {
    let state = state.withLock { $0 }
    var text = PrometheusText()
    text.family("doorstep_requests_total", "counter", "Requests by route and status.")
    for (request, count) in state.requests {
      text.sample(
        count,
        [("method", request.method), ("route", request.route), ("status", request.status)])
    }
    text.family(
      "doorstep_request_duration_seconds", "histogram", "Time from request line to last byte.")
    var cumulative = 0
    for (bound, count) in zip(Self.bounds, state.buckets) {
      cumulative += count
      text.sample(cumulative, [("le", "\(bound)")], suffix: "_bucket")
    }
    text.sample(state.durationCount, [("le", "+Inf")], suffix: "_bucket")
    text.sample(state.durationSum, [], suffix: "_sum")
    text.sample(state.durationCount, [], suffix: "_count")
    text.family("doorstep_fixes_total", "counter", "Fixes by what became of them.")
    for outcome in FixOutcome.allCases {
      text.sample(state.fixes[outcome] ?? 0, [("outcome", outcome.rawValue)])
    }
    text.family("doorstep_refused_items_total", "counter", "Items that gave no fix, by reason.")
    for (reason, count) in state.refusedItems { text.sample(count, [("reason", reason)]) }
    text.family("doorstep_events_total", "counter", "Events that were recorded, by kind.")
    for kind in FenceEvent.Kind.allCases {
      text.sample(state.events[kind] ?? 0, [("kind", kind.rawValue)])
    }
    text.family("doorstep_fences", "gauge", "Fences at present.")
    text.sample(fences, [])
    text.family("doorstep_event_followers", "gauge", "Streams of events that are up to date.")
    text.sample(followers, [])
    return text.text
  }
}

/// Writes samples family by family.
private struct PrometheusText {
  private(set) var text = ""
  private var family = ""

  mutating func family(_ name: String, _ type: String, _ help: String) {
    text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
    family = name
  }

  mutating func sample(
    _ value: some Numeric, _ labels: [(name: String, value: String)], suffix: String = ""
  ) {
    let list = labels.map { "\($0.name)=\"\($0.value)\"" }.joined(separator: ",")
    text += "\(family)\(suffix)\(list.isEmpty ? "" : "{\(list)}") \(value)\n"
  }
}
