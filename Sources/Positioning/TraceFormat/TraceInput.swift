import FoundationEssentials
import Geo
import Glibc

/// An open source of bytes; closed when it goes, unless it is standard input.
struct TraceInput: ~Copyable {
  private let source: TraceSource
  private let descriptor: Int32

  init(_ source: TraceSource) throws(TraceError) {
    self.source = source
    switch source {
    case .standardInput: descriptor = STDIN_FILENO
    case .file(let path):
      descriptor = open(path, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw TraceError(code: errno, source: source) }
    }
  }

  deinit {
    if descriptor > STDIN_FILENO { close(descriptor) }
  }

  /// When a file was last changed; nil for what is no file.
  var modificationTime: Timestamp? {
    guard case .file(let path) = source,
      let attributes = try? FileManager.default.attributesOfItem(atPath: path),
      attributes[.type] as? FileAttributeType == .typeRegular,
      let date = attributes[.modificationDate] as? Date
    else { return nil }
    return Timestamp(secondsSince1970: date.timeIntervalSince1970)
  }

  /// Reads all bytes, in pieces of at most 64 KiB, to the end.
  func read(_ body: (UnsafeRawBufferPointer) throws -> Void) throws {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = buffer.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
      if count > 0 {
        try buffer.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
      } else if count == 0 {
        return
      } else if errno != EINTR {
        throw TraceError(code: errno, source: source)
      }
    }
  }
}
