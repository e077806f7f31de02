import Glibc

/// A pipe whose reading end any thread can make readable, so that another wakes from its `poll`.
struct Bell: ~Copyable, Sendable {
  /// The end to poll.
  let descriptor: Int32
  private let writing: Int32

  init() throws(NotificationSystemError) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw NotificationSystemError(operation: "pipe", code: errno) }
    for end in ends {
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
    }
    (descriptor, writing) = (ends[0], ends[1])
  }

  deinit {
    close(descriptor)
    close(writing)
  }

  /// Makes the descriptor readable until `silence`; a full pipe is readable already.
  func ring() {
    var byte: UInt8 = 0
    _ = write(writing, &byte, 1)
  }

  func silence() {
    withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { bytes in
      while read(descriptor, bytes.baseAddress, bytes.count) > 0 {}
    }
  }
}
