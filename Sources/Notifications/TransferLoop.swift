import CCurl
import Glibc
import Synchronization

/// A request that is posted, and who waits for its end.
struct Transfer: Sendable {
  let ticket: Int
  let url: String
  let headers: [String]
  let body: [UInt8]
  let finish: @Sendable (AttemptResult) -> Void
}

/// The one thread that runs libcurl's transfers.
///
/// `@unchecked`: the handle for all transfers is used by the thread that calls `run`, but for
/// `curl_multi_wakeup`, which any thread may call; it outlives both, for it is freed with this
/// object. The rest is behind the lock.
final class TransferLoop: @unchecked Sendable {
  struct Limits: Sendable {
    let connectMilliseconds: Int
    let wholeMilliseconds: Int
  }

  private struct Requests {
    var new: [Transfer] = []
    var cancelled: Set<Int> = []
    var lastTicket = 0
    var isClosed = false
  }

  private static let isLibraryReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

  private let limits: Limits
  private let multi: UnsafeMutableRawPointer
  private let requests = Mutex(Requests())

  init(limits: Limits) throws(NotificationSystemError) {
    guard TransferLoop.isLibraryReady, let multi = curl_multi_init() else {
      throw NotificationSystemError(operation: "curl_multi_init", code: ENOMEM)
    }
    self.multi = multi
    self.limits = limits
  }

  deinit { curl_multi_cleanup(multi) }

  // Any thread.

  /// A number by which a transfer can be cancelled, even before it is started.
  func ticket() -> Int {
    requests.withLock { requests in
      requests.lastTicket += 1
      return requests.lastTicket
    }
  }

  func start(_ transfer: Transfer) {
    let isRefused = requests.withLock { requests in
      let isRefused = requests.isClosed || requests.cancelled.remove(transfer.ticket) != nil
      if !isRefused { requests.new.append(transfer) }
      return isRefused
    }
    if isRefused { return transfer.finish(givenUp) }
    curl_multi_wakeup(multi)
  }

  func cancel(_ ticket: Int) {
    requests.withLock { _ = $0.cancelled.insert(ticket) }
    curl_multi_wakeup(multi)
  }

  func close() {
    requests.withLock { $0.isClosed = true }
    curl_multi_wakeup(multi)
  }

  // The loop's thread.

  func run() {
    var running: [UnsafeMutableRawPointer: RunningTransfer] = [:]
    while true {
      let (new, isClosed) = takeNew()
      for transfer in new {
        guard let started = RunningTransfer(transfer, limits: limits, multi: multi) else {
          transfer.finish(.unreachable("out of memory"))
          continue
        }
        running[started.handle] = started
      }
      for (handle, transfer) in running where isClosed || isCancelled(transfer.transfer.ticket) {
        transfer.end(givenUp, multi: multi)
        running[handle] = nil
      }
      if isClosed { return }
      var count: Int32 = 0
      curl_multi_perform(multi, &count)
      var left: Int32 = 0
      while let message = curl_multi_info_read(multi, &left) {
        guard message.pointee.msg == CURLMSG_DONE, let handle = message.pointee.easy_handle,
          let transfer = running.removeValue(forKey: handle)
        else { continue }
        transfer.end(transfer.result(message.pointee.data.result), multi: multi)
      }
      curl_multi_poll(multi, nil, 0, 60_000, nil)
    }
  }

  private func takeNew() -> ([Transfer], isClosed: Bool) {
    requests.withLock { requests in
      defer { requests.new = [] }
      return (requests.new, requests.isClosed)
    }
  }

  private func isCancelled(_ ticket: Int) -> Bool {
    requests.withLock { $0.cancelled.remove(ticket) != nil }
  }
}

private let givenUp = AttemptResult.unreachable("given up: the service stops")
