import CCurl

/// A transfer that libcurl is at, and the memory that it reads meanwhile.
struct RunningTransfer {
  let transfer: Transfer
  let handle: UnsafeMutableRawPointer
  private let headers: UnsafeMutablePointer<curl_slist>?
  /// Where libcurl leaves its words on what failed.
  private let words: UnsafeMutablePointer<CChar>

  /// Begins the transfer; nil where there is no memory for it.
  init?(_ transfer: Transfer, limits: TransferLoop.Limits, multi: UnsafeMutableRawPointer) {
    guard let handle = curl_easy_init() else { return nil }
    self.transfer = transfer
    self.handle = handle
    words = .allocate(capacity: Int(CURL_ERROR_SIZE))
    words.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    var list: UnsafeMutablePointer<curl_slist>?
    for header in transfer.headers { list = curl_slist_append(list, header) }
    headers = list
    ccurl_set_pointer(handle, CURLOPT_ERRORBUFFER, words)
    ccurl_set_text(handle, CURLOPT_URL, transfer.url)
    ccurl_set_text(handle, CURLOPT_PROTOCOLS_STR, "http,https")
    ccurl_set_number(handle, CURLOPT_FOLLOWLOCATION, 0)
    ccurl_set_number(handle, CURLOPT_NOSIGNAL, 1)
    ccurl_set_number(handle, CURLOPT_CONNECTTIMEOUT_MS, limits.connectMilliseconds)
    ccurl_set_number(handle, CURLOPT_TIMEOUT_MS, limits.wholeMilliseconds)
    ccurl_set_number(handle, CURLOPT_POST, 1)
    ccurl_set_number(handle, CURLOPT_POSTFIELDSIZE, transfer.body.count)
    ccurl_set_pointer(handle, CURLOPT_COPYPOSTFIELDS, transfer.body)
    ccurl_set_pointer(handle, CURLOPT_HTTPHEADER, headers)
    ccurl_set_write(handle, ignoreBody)
    guard curl_multi_add_handle(multi, handle) == CURLM_OK else {
      free()
      return nil
    }
  }

  func result(_ code: CURLcode) -> AttemptResult {
    var status = 0
    ccurl_get_number(handle, CURLINFO_RESPONSE_CODE, &status)
    // A receiver that has said 2xx has it, even where its answer was cut off thereafter.
    if (200..<300).contains(status) { return .delivered }
    guard code == CURLE_OK else {
      let text = String(cString: words)
      return .unreachable(text.isEmpty ? String(cString: curl_easy_strerror(code)) : text)
    }
    switch status {
    // Not its fault, too early, or too many: the next one will not fare better.
    case 408, 425, 429, 500...: return .unreachable("HTTP status \(status)")
    case 300..<400: return .refused("HTTP status \(status): redirects are not followed")
    default: return .refused("HTTP status \(status)")
    }
  }

  /// Takes the transfer from libcurl, and tells who waits for it.
  func end(_ result: AttemptResult, multi: UnsafeMutableRawPointer) {
    curl_multi_remove_handle(multi, handle)
    free()
    transfer.finish(result)
  }

  private func free() {
    curl_easy_cleanup(handle)
    curl_slist_free_all(headers)
    words.deallocate()
  }
}

private func ignoreBody(
  _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
  _ context: UnsafeMutableRawPointer?
) -> Int { size * count }
