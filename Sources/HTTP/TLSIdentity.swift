import Glibc

/// A certificate and its key in memory, as C strings that live as long as this.
final class TLSIdentity: Sendable {
  let files: TLSFiles
  let certificate: [CChar]
  let key: [CChar]

  init(_ files: TLSFiles) throws(HTTPServerError) {
    self.files = files
    let certificate = try Self.read(files.certificatePath)
    let key = try Self.read(files.keyPath)
    guard certificate.contains("-----BEGIN CERTIFICATE-----") else {
      throw .certificateMalformed(path: files.certificatePath)
    }
    guard key.contains("PRIVATE KEY-----") else { throw .keyMalformed(path: files.keyPath) }
    self.certificate = Array(certificate.utf8CString)
    self.key = Array(key.utf8CString)
  }

  private static func read(_ path: String) throws(HTTPServerError) -> String {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw error(errno, path) }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 16384)
    while true {
      let count = Glibc.read(descriptor, &chunk, chunk.count)
      guard count >= 0 else { throw error(errno, path) }
      // A chain of certificates has some kilobytes; a megabyte is a file given by mistake.
      if count == 0 || bytes.count > 1 << 20 { break }
      bytes += chunk[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func error(_ code: Int32, _ path: String) -> HTTPServerError {
    code == ENOENT
      ? .fileMissing(path: path)
      : .fileUnreadable(path: path, reason: String(cString: strerror(code)))
  }
}
