import Glibc

/// Reads a small file whole: a regular one, a pipe, or what a shell's `<(...)` gives.
enum WholeFile {
  /// Larger is no list of anything that people keep.
  private static let largest = 2 << 30

  static func read(_ path: String) throws(CommandFailure) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(path) }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = chunk.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
      if count < 0 {
        if errno == EINTR { continue }
        throw failure(path)
      }
      if count == 0 { return bytes }
      bytes.append(contentsOf: chunk[..<count])
      if bytes.count > largest { throw .badInput("\(path): is larger than 2 GiB") }
    }
  }

  private static func failure(_ path: String) -> CommandFailure {
    .badInput("\(path): cannot be read: \(String(cString: strerror(errno)))")
  }
}
