import API
import Geo
import Geofencing
import HTTP
import JSON
import Persistence
import Positioning

/// `/v1/positions`: one fix, several, or a stream of them without end.
struct PositionRoutes {
  let host: EngineHost
  let keys: APIKeyring
  let metrics: Metrics

  /// A body that is not a stream may have so many bytes.
  private static let bodyLimit = 1 << 20
  /// So many fixes of a stream are judged and written together.
  private static let mostAtOnce = 2000
  private static let stream = "application/x-ndjson"

  var routes: [HTTP.Route] {
    [
      HTTP.Route.streaming(
        .post, "/v1/positions", for: .positions, by: keys,
        mediaTypes: ["application/json", Self.stream]
      ) { request, body, admission async throws(APIError) in
        let batch = Batch(
          defaultSubject: subject(of: request) ?? admission.subject, admission: admission)
        return request.mediaType == Self.stream
          ? try await receiveStream(body, as: batch)
          : try await receiveDocument(body, as: batch)
      }
    ]
  }

  /// Whose the fixes are that do not say so themselves.
  private func subject(of request: HTTPRequest) -> SubjectID? {
    let name = request.headers["X-Subject"] ?? request.queryValue("subject")
    return name.flatMap { $0.isEmpty ? nil : SubjectID($0) }
  }

  private func receiveDocument(
    _ body: HTTPRequestBody, as batch: Batch
  ) async throws(APIError) -> HTTPResponse {
    var bytes: [UInt8] = []
    while let chunk = try await next(of: body, batch.receipt) {
      bytes += chunk
      if bytes.count > Self.bodyLimit {
        throw APIError(.bodyTooLarge(limitInBytes: Self.bodyLimit))
      }
    }
    let root: JSONValue
    do throws(JSONSyntaxError) {
      var parser = JSONParser()
      root = try parser.parse(bytes)
    } catch {
      throw APIError(error)
    }
    var batch = batch
    guard root.kind == .array else {
      let item = FixItem(root)
      if case .refused(_, let problems) = item {
        metrics.countRefused(FixItem.Reason.invalidFix.rawValue)
        throw .invalid(problems, "This is no fix.")
      }
      take([item], into: &batch)
      return try await finish(&batch)
    }
    for element in root.elements { take([FixItem(element)], into: &batch) }
    return try await finish(&batch)
  }

  private func receiveStream(
    _ body: HTTPRequestBody, as batch: Batch
  ) async throws(APIError) -> HTTPResponse {
    var batch = batch
    var lines = FixItemLines()
    var items: [FixItem] = []
    while let chunk = try await next(of: body, batch.receipt) {
      lines.read(chunk, into: &items)
      take(items, into: &batch)
      items.removeAll(keepingCapacity: true)
      if batch.fixes.count >= Self.mostAtOnce { try await judge(&batch) }
    }
    lines.finish(into: &items)
    take(items, into: &batch)
    return try await finish(&batch)
  }

  private func next(
    of body: HTTPRequestBody, _ receipt: PositionReceipt
  ) async throws(APIError) -> [UInt8]? {
    var iterator = body.makeAsyncIterator()
    do throws(HTTPRequestBodyError) {
      return try await iterator.next()
    } catch {
      switch error {
      case .tooLarge(let limit): throw APIError(.bodyTooLarge(limitInBytes: limit))
      case .stopping: throw APIError(HTTPProblem.stopping)
      // Nobody is there to read it.
      case .disconnected, .canceled: throw APIError(.validationError, "The body did not end.")
      }
    }
  }

  private func take(_ items: [FixItem], into batch: inout Batch) {
    for item in items {
      if let reason = batch.take(item) { metrics.countRefused(reason) }
    }
  }

  /// Judges what is waiting and returns when it is on the disk.
  private func judge(_ batch: inout Batch) async throws(APIError) {
    do throws(EngineHost.Failure) {
      let receipt = try await host.receive(batch.fixes)
      metrics.count(receipt.outcomes)
      batch.settle(receipt)
    } catch {
      let cause = APIError(error)
      let kept = batch.keptCount
      throw APIError(cause.code, cause.message) { $0.member("keptItems", kept) }
    }
  }

  private func finish(_ batch: inout Batch) async throws(APIError) -> HTTPResponse {
    try await judge(&batch)
    let receipt = batch.receipt
    return .json { receipt.write(to: &$0) }
  }

  /// The fixes of a request that wait to be judged, and what became of those before them.
  private struct Batch {
    let defaultSubject: SubjectID?
    let admission: APIKeyring.Admission
    private(set) var receipt = PositionReceipt()
    private(set) var fixes: [SubjectFix] = []
    private var indices: [Int] = []
    /// How many items from the first on have been dealt with for good.
    private(set) var keptCount = 0

    init(defaultSubject: SubjectID?, admission: APIKeyring.Admission) {
      self.defaultSubject = defaultSubject
      self.admission = admission
    }

    /// Takes an item; returns the reason where it is refused.
    mutating func take(_ item: FixItem) -> String? {
      let index = receipt.nextIndex()
      switch item {
      case .refused(let reason, let problems):
        return refuse(index, .validationError, reason.rawValue, problems)
      case .fix(let decoded):
        guard let subject = decoded.subject ?? defaultSubject else {
          return refuse(
            index, .validationError, "subject_missing",
            ["give \"subject\", or X-Subject for the whole request"])
        }
        if let only = admission.subject, subject != only {
          return refuse(index, .forbidden, "other_subject", ["this key is another subject's"])
        }
        fixes.append(SubjectFix(subject: subject, fix: decoded.fix))
        indices.append(index)
        return nil
      }
    }

    private mutating func refuse(
      _ index: Int, _ code: APIError.Code, _ reason: String, _ problems: [String]
    ) -> String {
      receipt.refuse(index, code: code.rawValue, reason: reason, problems: problems)
      return reason
    }

    mutating func settle(_ result: EngineHost.Receipt) {
      receipt.take(result, indices: indices)
      keptCount = receipt.received
      fixes.removeAll(keepingCapacity: true)
      indices.removeAll(keepingCapacity: true)
    }
  }
}
