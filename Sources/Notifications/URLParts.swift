import CCurl

/// The parts of an address, as libcurl finds them; percent-encoding is undone.
struct URLParts {
  /// In lower case.
  let scheme: String
  let user: String?
  let password: String?
  /// An IPv6 address without its brackets.
  let host: String
  /// Nil where the address names none.
  let port: UInt16?
  /// With the slash that begins it; `/` where the address has none.
  let path: String

  /// Nil for a text that is no address of a host.
  init?(_ text: String) {
    // libcurl reads a text up to its first zero; and what it would repair is refused here.
    guard text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7f }), !text.contains(":///"),
      let url = curl_url()
    else { return nil }
    defer { curl_url_cleanup(url) }
    guard curl_url_set(url, CURLUPART_URL, text, UInt32(CURLU_NON_SUPPORT_SCHEME)) == CURLUE_OK,
      let scheme = part(CURLUPART_SCHEME, of: url), let host = part(CURLUPART_HOST, of: url)
    else { return nil }
    let bare = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
    guard !bare.isEmpty else { return nil }
    self.scheme = scheme.lowercased()
    self.host = bare
    user = part(CURLUPART_USER, of: url)
    password = part(CURLUPART_PASSWORD, of: url)
    port = part(CURLUPART_PORT, of: url).flatMap { UInt16($0) }
    path = part(CURLUPART_PATH, of: url) ?? "/"
  }
}

private func part(_ part: CURLUPart, of url: OpaquePointer) -> String? {
  var text: UnsafeMutablePointer<CChar>?
  guard curl_url_get(url, part, &text, UInt32(CURLU_URLDECODE)) == CURLUE_OK, let text else {
    return nil
  }
  defer { curl_free(text) }
  return String(cString: text)
}
